import { movedName } from '#src/domain/earlier-name.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'

const ARROW = '->'
/** Before the reference of a reverse filter. */
const REVERSE = '<-'

/**
 * A filter as views keep it (tag ids in place of names) with a tag's fields and variants under their new names; the
 * same object where it speaks of none of them. What it says of a field or variant that is gone is marked where another
 * one gets the name, so that it never comes to mean that one, and has its name back when that one goes on.
 */
export function renameInFilter(filter: unknown, tag_id: string, renames: TagRenames): unknown {
  if (Array.isArray(filter)) {
    const list: unknown[] = filter.map((each) => renameInFilter(each, tag_id, renames))
    return list.some((each, i) => each !== filter[i]) ? list : filter
  }
  if (!isRecord(filter)) return filter
  let changed = false
  const entries = Object.entries(filter).map(([key, value]): [string, unknown] => {
    const segments = key.split(ARROW).map((segment) => readSegment(segment, tag_id))
    const name = segments.map((each) => segmentText(each, renames)).join(ARROW)
    const last = segments.at(-1)!
    const test =
      last.field !== undefined && !last.reverse
        ? renameOperand(value, renames.variants.get(movedName(last.field, renames.fields)))
        : isNested(key)
          ? renameInFilter(value, tag_id, renames)
          : value
    changed ||= name !== key || test !== value
    return [name, test]
  })
  return changed ? Object.fromEntries(entries) : filter
}

/** What holds filters in turn. */
const isNested = (key: string) =>
  key === 'and' || key === 'or' || key === 'not' || key === 'filter' || key.includes(REVERSE)

interface Segment {
  text: string
  reverse: boolean
  /** Where it is a field of the tag. */
  field?: string
}

function readSegment(text: string, tag_id: string): Segment {
  const reverse = text.startsWith(REVERSE)
  const reference = reverse ? text.slice(REVERSE.length) : text
  const behind = tag_id.length + 1
  const own = reference.slice(0, behind).toUpperCase() === `${tag_id}.`
  return { text, reverse, ...(own && { field: reference.slice(behind) }) }
}

function segmentText({ text, field }: Segment, { fields }: TagRenames): string {
  return field === undefined ? text : text.slice(0, text.length - field.length) + movedName(field, fields)
}

/** A bare variant, by name or as an object, or the operand of whatever operator. */
function renameOperand(value: unknown, names: ReadonlyMap<string, string> | undefined): unknown {
  if (!names) return value
  if (typeof value === 'string') return movedName(value, names)
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((each) => renameOperand(each, names))
    return list.some((each, i) => each !== value[i]) ? list : value
  }
  if (!isRecord(value)) return value
  const [operator] = Object.keys(value)
  if (operator === undefined || operator === 'exists' || operator === 'is_null') return value
  const operand = renameOperand(value[operator], names)
  return operand === value[operator] ? value : { [operator]: operand }
}
