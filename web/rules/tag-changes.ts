import type { PathChange } from '#src/domain/event-changes.ts'
import { sameJson } from '#src/domain/same-json.ts'

type Fields = Readonly<Record<string, unknown>>

/** A change of a tag as people read it: fields one by one, tags by their names. */
export function tagChanges(
  { path, old, new: now }: PathChange,
  nameOfTag: (tag_id: string) => string | undefined,
): PathChange[] {
  if (path === 'extends') return [{ path, old: names(old, nameOfTag), new: names(now, nameOfTag) }]
  if (path !== 'fields') return [{ path, old, new: now }]
  const [before, after] = [(old ?? {}) as Fields, (now ?? {}) as Fields]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [was, is] = [before, after].map((fields) => (Object.hasOwn(fields, field) ? fields[field] : null))
    return sameJson(was, is) ? [] : [{ path: `fields.${field}`, old: was, new: is }]
  })
}

const names = (ids: unknown, nameOfTag: (tag_id: string) => string | undefined): unknown =>
  Array.isArray(ids) ? ids.map((id: string) => nameOfTag(id) ?? id) : ids
