import { isDeepStrictEqual } from 'node:util'
import type { BaseState, StateItem } from '#test/support/base-state.ts'

/** A conflict, without its words: the item or tag, and the path. */
export type Predicted = string

/**
 * What cannot be set back when one change is undone, from the states before it, after it and now: whatever it moved and
 * is not as it left it. Written from additions §4 alone: it knows neither events nor the undo of the service.
 */
export function predictConflicts(before: BaseState, after: BaseState, now: BaseState): Predicted[] {
  const conflicts = new Set<Predicted>()
  const nameOf = (tag_id: string) => now.tags[tag_id]?.name ?? tag_id
  for (const [item_id, made] of Object.entries(after.items)) {
    const tell = (path: string | null) => conflicts.add(`${item_id} ${path}`)
    const was = before.items[item_id]
    const present = now.items[item_id]!
    if (!was) creation(made, present, nameOf, tell)
    else changes({ was, made, present }, now, nameOf, tell)
  }
  tagConflicts(before, after, now, (tag_id, path) => conflicts.add(`${tag_id} ${path}`))
  return [...conflicts].sort()
}

type Tell = (path: string | null) => void
type NameOf = (tag_id: string) => string

function creation(made: StateItem, present: StateItem, nameOf: NameOf, tell: Tell): void {
  if (!present.live) {
    tell(null)
    return
  }
  if (made.name !== present.name) tell('name')
  if (made.description !== present.description) tell('description')
  for (const tag_id of new Set([...Object.keys(made.tags), ...Object.keys(present.tags)]))
    if (!isDeepStrictEqual(made.tags[tag_id], present.tags[tag_id])) tell(nameOf(tag_id))
}

interface Moments {
  was: StateItem
  made: StateItem
  present: StateItem
}

function changes({ was, made, present }: Moments, now: BaseState, nameOf: NameOf, tell: Tell): void {
  if (was.live !== made.live && present.live !== made.live) tell(null)
  for (const path of ['name', 'description'] as const)
    if (was[path] !== made[path]) {
      if (!present.live) tell(null)
      else if (present[path] !== made[path]) tell(path)
    }
  for (const tag_id of new Set([...Object.keys(was.tags), ...Object.keys(made.tags)])) {
    const [old, left, has] = [was.tags[tag_id], made.tags[tag_id], present.tags[tag_id]]
    if (isDeepStrictEqual(old, left)) continue
    // What happened to a deleted item (its tag was deleted) can be taken back while it is deleted.
    if (!present.live && (was.live || made.live)) tell(null)
    else if (!old) {
      if (!isDeepStrictEqual(left, has)) tell(nameOf(tag_id))
    } else if (!left) {
      const comes = now.tags[tag_id]!.live
      if (has || !comes) tell(nameOf(tag_id))
    } else if (!has) tell(nameOf(tag_id))
    else
      for (const field of new Set([...Object.keys(old), ...Object.keys(left)]))
        if (!same(old, left, field) && !same(left, has, field)) tell(`${nameOf(tag_id)}.${field}`)
  }
}

const same = (a: Record<string, unknown>, b: Record<string, unknown>, field: string) =>
  Object.hasOwn(a, field) === Object.hasOwn(b, field) && isDeepStrictEqual(a[field], b[field])

function tagConflicts(
  before: BaseState,
  after: BaseState,
  now: BaseState,
  tell: (tag_id: string, path: string | null) => void,
): void {
  for (const [tag_id, made] of Object.entries(after.tags)) {
    const was = before.tags[tag_id]
    const present = now.tags[tag_id]!
    if (!was || was.live !== made.live || !was.live) continue
    for (const path of ['name', 'description', 'fields', 'extends'] as const) {
      if (isDeepStrictEqual(was[path], made[path])) continue
      if (!present.live) tell(tag_id, null)
      else if (!isDeepStrictEqual(present[path], made[path])) tell(tag_id, path)
    }
  }
}
