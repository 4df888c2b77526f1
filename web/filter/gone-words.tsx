import { useGoneTag } from '#web/data/gone-tag.ts'
import { readCondition, readHasTag, REVERSE } from '#web/rules/condition.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

const OF_TAG = /^([0-7][0-9A-HJKMNP-TV-Z]{25})(?:\.(.+))?$/s

/** What a condition asks of a tag that is not there any more: that items have it, or a field of it. */
export interface Gone {
  tag_id: string
  field: string | undefined
  not: boolean
}

export function goneIn(condition: Filter, tags: readonly FilterTag[]): Gone | undefined {
  const read = readCondition(condition)
  if (!read) return undefined
  const { hops, subject, value, not } = read
  const named = subject === 'has_tag' ? readHasTag(value)?.tag : subject
  for (const reference of [...hops, named ?? '']) {
    const [, tag_id, field] = OF_TAG.exec(reference.replace(REVERSE, '')) ?? []
    if (tag_id && tags.every((each) => each.tag_id !== tag_id)) return { tag_id, field, not }
  }
  return undefined
}

/** The same in words, for a chip. */
export function GoneWords({ tag_id, field, not }: Gone) {
  const tag = useGoneTag(tag_id)
  return (
    <span>
      {not && 'not: '}
      {field === undefined ? `has ${tag}` : `${field} of ${tag}`}
    </span>
  )
}
