import { useQuery } from '@tanstack/react-query'
import { trashTagsQuery } from '#web/data/trash-query.ts'
import { readHasTag } from '#web/rules/condition.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const NOT_FOUND = /^Tag '([0-7][0-9A-HJKMNP-TV-Z]{25})' not found$/

/** The id by which a condition asks for a tag that is not there any more. */
export function goneTagOf({ has_tag }: Filter, tags: readonly FilterTag[]): string | undefined {
  const tag = has_tag === undefined ? undefined : readHasTag(has_tag)?.tag
  return tag && ID.test(tag) && tags.every(({ tag_id }) => tag_id !== tag) ? tag : undefined
}

/** The same of a fault. */
export const goneTagIn = (message: string): string | undefined => NOT_FOUND.exec(message)?.[1]

/** A deleted tag, by its name as long as it can be restored. */
export function GoneTag({ tag_id }: { tag_id: string }) {
  const { data } = useQuery(trashTagsQuery)
  const name = data?.find(({ id }) => id === tag_id)?.name
  return name === undefined ? 'a deleted tag' : `the deleted tag “${name}”`
}
