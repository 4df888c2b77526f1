import { isDeepStrictEqual } from 'node:util'
import type { BaseState, StateItem, StateTag } from '#test/support/base-state.ts'

/** A conflict, without its words: the item or tag, and the path. */
export type Predicted = string

/**
 * What cannot be set back when one change is undone, from the states before it, after it and now: whatever it moved and
 * is not as it left it. Written from additions §4 alone: it knows neither events nor the undo of the service.
 */
export function predictConflicts(before: BaseState, after: BaseState, now: BaseState): Predicted[] {
  const conflicts = new Set<Predicted>()
  const nameOf = (tag_id: string) => (now.tags[tag_id] ?? after.tags[tag_id])?.name ?? tag_id
  for (const [item_id, made] of Object.entries(after.items)) {
    const report = (path: string | null) => conflicts.add(`${item_id} ${path}`)
    const was = before.items[item_id]
    const present = now.items[item_id]
    if (!present) {
      if (!isDeepStrictEqual(was, made)) report(null) // purged since
    } else if (!was) creation(made, present, nameOf, report)
    else changes({ was, made, present }, now, nameOf, report)
  }
  // What was purged by the change itself does not come back.
  for (const id of Object.keys(before.items)) if (!after.items[id]) conflicts.add(`${id} null`)
  for (const id of Object.keys(before.tags)) if (!after.tags[id]) conflicts.add(`${id} null`)
  tagConflicts(before, after, now, (tag_id, path) => conflicts.add(`${tag_id} ${path}`))
  return [...conflicts].sort()
}

type Report = (path: string | null) => void
type NameOf = (tag_id: string) => string

function creation(made: StateItem, present: StateItem, nameOf: NameOf, report: Report): void {
  if (!present.live && made.live) {
    report(null)
    return
  }
  // Made and deleted in one change.
  if (present.live && !made.live) report(null)
  if (made.name !== present.name) report('name')
  if (made.description !== present.description) report('description')
  for (const tag_id of new Set([...Object.keys(made.tags), ...Object.keys(present.tags)]))
    if (!isDeepStrictEqual(made.tags[tag_id], present.tags[tag_id])) report(nameOf(tag_id))
}

interface Moments {
  was: StateItem
  made: StateItem
  present: StateItem
}

function changes({ was, made, present }: Moments, now: BaseState, nameOf: NameOf, report: Report): void {
  if (was.live !== made.live && present.live !== made.live) report(null)
  // Its deletion by the same change is taken back before the rest.
  const lives = present.live || (was.live && !made.live)
  for (const path of ['name', 'description'] as const)
    if (was[path] !== made[path]) {
      if (!lives) report(null)
      else if (present[path] !== made[path]) report(path)
    }
  for (const tag_id of new Set([...Object.keys(was.tags), ...Object.keys(made.tags)])) {
    const [old, left, has] = [was.tags[tag_id], made.tags[tag_id], present.tags[tag_id]]
    if (isDeepStrictEqual(old, left)) continue
    // What happened to a deleted item (its tag was deleted) can be taken back while it is deleted.
    if (!lives && (was.live || made.live)) report(null)
    else if (!old) {
      if (!isDeepStrictEqual(left, has)) report(nameOf(tag_id))
    } else if (!left) {
      const comes = now.tags[tag_id]?.live
      if (has || !comes) report(nameOf(tag_id))
    } else if (!has) report(nameOf(tag_id))
    else
      for (const field of new Set([...Object.keys(old), ...Object.keys(left)]))
        if (!same(old, left, field) && !same(left, has, field)) report(`${nameOf(tag_id)}.${field}`)
  }
}

const same = (a: Record<string, unknown>, b: Record<string, unknown>, field: string) =>
  Object.hasOwn(a, field) === Object.hasOwn(b, field) && isDeepStrictEqual(a[field], b[field])

function tagConflicts(
  before: BaseState,
  after: BaseState,
  now: BaseState,
  report: (tag_id: string, path: string | null) => void,
): void {
  for (const [tag_id, made] of Object.entries(after.tags)) {
    const was = before.tags[tag_id]
    const present = now.tags[tag_id]
    if (!was || was.live !== made.live || !was.live) continue
    for (const path of ['name', 'description', 'fields', 'extends'] as const) {
      if (isDeepStrictEqual(was[path], made[path])) continue
      if (!present?.live) report(tag_id, null)
      else if (!isDeepStrictEqual(present[path], made[path]) || cannotComeBack(path, tag_id, was, now))
        report(tag_id, path)
    }
  }
}

/** Another tag has the old name now, or one that was extended extends this one. */
function cannotComeBack(path: string, tag_id: string, was: StateTag, { tags }: BaseState): boolean {
  if (path === 'name')
    return Object.entries(tags).some(([id, { live, name }]) => id !== tag_id && live && name === was.name)
  if (path !== 'extends') return false
  const seen = new Set<string>()
  const leads = (id: string): boolean => {
    if (id === tag_id) return true
    if (seen.has(id) || !tags[id]?.live) return false
    seen.add(id)
    return tags[id].extends.some(leads)
  }
  return was.extends.some(leads)
}

/** New names that a call gave to fields of a tag, or to variants of its fields. */
export interface Rename {
  tag_id: string
  fields: Record<string, string>
  variants: Record<string, Record<string, string>>
}

/** A state of before under the names that a rename gave. */
export function underNewNames(state: BaseState, { tag_id, fields, variants }: Rename): BaseState {
  const tag = state.tags[tag_id]
  if (!tag) return state
  const nameOf = (field: string) => fields[field] ?? field
  const schemas = Object.entries(tag.fields).map(([field, schema]) => [
    nameOf(field),
    renamedSchema(schema, variants[field] ?? {}),
  ])
  const items = Object.entries(state.items).map(([item_id, item]): [string, StateItem] => {
    const values = item.tags[tag_id]
    if (!values) return [item_id, item]
    const taken = new Set(Object.values(fields))
    const renamed = Object.entries(values)
      .filter(([field]) => !taken.has(field))
      .map(([field, value]) => [nameOf(field), renamedValue(value, variants[field] ?? {})])
    return [item_id, { ...item, tags: { ...item.tags, [tag_id]: Object.fromEntries(renamed) } }]
  })
  return {
    items: Object.fromEntries(items),
    tags: { ...state.tags, [tag_id]: { ...tag, fields: Object.fromEntries(schemas) } },
  }
}

type Names = Record<string, string>

function renamedSchema(schema: unknown, names: Names): unknown {
  const { variants } = schema as { variants?: (string | { name: string })[] }
  if (!variants) return schema
  return {
    ...(schema as object),
    variants: variants.map((each) =>
      typeof each === 'string' ? (names[each] ?? each) : { ...each, name: names[each.name] ?? each.name },
    ),
  }
}

function renamedValue(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((each: string) => names[each] ?? each)
  const { variant } = (value ?? {}) as { variant?: string }
  return variant === undefined ? value : { ...(value as object), variant: names[variant] ?? variant }
}

/** Whether a rename cannot be taken back; `null` in place of the path: the tag is not there. */
export function predictRename(
  rename: Rename,
  { before, after, now }: { before: BaseState; after: BaseState; now: BaseState },
  later: readonly Rename[],
): Predicted[] {
  const { tag_id, fields, variants } = rename
  const present = now.tags[tag_id]
  if (!present?.live) return [`${tag_id} null`]
  const stands = (state: BaseState, renames = later) =>
    renames.reduce(underNewNames, state).tags[tag_id]!.fields
  const sizeOf = (all: object) => Object.keys(all).length
  // The names that it gave, as they are called now, and the names that would come back.
  const again =
    Object.values(fields).some((name) => fieldNow(name, later) !== name) ||
    Object.entries(variants).some(([field, names]) =>
      Object.values(names).some((name) => variantNow(field, name, later) !== name),
    )
  const isAsLeft = isDeepStrictEqual(sorted(present.fields), sorted(stands(after)))
  const back = stands(before, [rename, ...later, inverseOf(rename, later)])
  const fits = sizeOf(back) === sizeOf(before.tags[tag_id]!.fields)
  if (again || !isAsLeft || !fits) return [`${tag_id} fields`]
  const obstructed = Object.values(now.items).some(({ tags }) => {
    const values = tags[tag_id] ?? {}
    return (
      Object.keys(fields).some((old) => (values[old] ?? null) !== null) ||
      Object.entries(variants).some(([field, names]) =>
        Object.keys(names).some((old) => chosen(values[fieldNow(field, later)]).includes(old)),
      )
    )
  })
  return obstructed ? [`${tag_id} fields`] : []
}

const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
const fieldNow = (field: string, later: readonly Rename[]) =>
  later.reduce((name, each) => each.fields[name] ?? name, field)
const fieldThen = (field: string, until: Rename, later: readonly Rename[]) =>
  fieldNow(field, later.slice(0, later.indexOf(until)))
const variantNow = (field: string, variant: string, later: readonly Rename[]) =>
  later.reduce((name, each) => each.variants[fieldThen(field, each, later)]?.[name] ?? name, variant)
const inverseOf = ({ tag_id, fields, variants }: Rename, later: readonly Rename[]): Rename => ({
  tag_id,
  fields: turned(fields),
  variants: Object.fromEntries(
    Object.entries(variants).map(([field, names]) => [fieldNow(field, later), turned(names)]),
  ),
})
const turned = (names: Names) => Object.fromEntries(Object.entries(names).map(([old, name]) => [name, old]))
const chosen = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : [(value as { variant?: string } | undefined | null)?.variant]

/**
 * Of a change of many parts, or one before a rename: whether something that is told is indeed not as the change left it.
 */
export function isNotAsLeft(told: Predicted, after: BaseState, now: BaseState): boolean {
  const [id = '', ...rest] = told.split(' ')
  const path = rest.join(' ')
  const [made, present] = [after.items[id], now.items[id]]
  if (!made || !present) {
    const [left, is] = [after.tags[id], now.tags[id]]
    return !left?.live || !is?.live || !isDeepStrictEqual(left, is) || path === 'name' || path === 'extends'
  }
  if (path === 'null') return made.live !== present.live || !present.live
  if (path === 'name' || path === 'description') return made[path] !== present[path]
  const [name] = path.split('.')
  return [
    ...new Set([...Object.keys(made.tags), ...Object.keys(present.tags), ...Object.keys(after.tags)]),
  ].some(
    (tag_id) =>
      (now.tags[tag_id] ?? after.tags[tag_id])?.name === name &&
      (!isDeepStrictEqual(made.tags[tag_id], present.tags[tag_id]) ||
        now.tags[tag_id]?.live !== after.tags[tag_id]?.live),
  )
}
