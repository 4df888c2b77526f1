import { isRecord } from '#src/domain/is-record.ts'
interface HasTag {
  /** Id or name; null: none at all. */
  tag: string | null
  exact: boolean
}

/** What may be under `has_tag`: a tag, null, `{"name": {"eq": …}}` or `{"id": …}`, with `exact` or without. */
export function readHasTag(value: unknown): HasTag | undefined {
  if (value === null || typeof value === 'string') return { tag: value, exact: false }
  // Of what is no object nothing is left.
  const { exact = false, ...named } = value as Record<string, unknown>
  const tag = soleEntry(named, 'id') ?? soleEntry(soleEntry(named, 'name'), 'eq')
  return typeof tag === 'string' && typeof exact === 'boolean' ? { tag, exact } : undefined
}

/** The value of an object's only key, if it is that one. */
function soleEntry(value: unknown, key: string): unknown {
  return isRecord(value) && Object.keys(value).length === 1 && Object.hasOwn(value, key)
    ? value[key]
    : undefined
}
