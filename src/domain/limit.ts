import type { Ulid } from '#src/domain/ulid.ts'

/** What a key or an app sees (further §17): living items that have one of the tags and satisfy the filter. */
export interface Limit {
  tag_ids?: Ulid[]
  /** With tag ids in place of names. */
  filter?: Record<string, unknown>
}

/** As it is stored: with the types that the filter's fields had, in the order in which it names them. */
export interface StoredLimit extends Limit {
  types?: string[]
}

/** As it is answered. */
export const shownLimit = ({ tag_ids, filter }: StoredLimit): Limit => ({
  ...(tag_ids && { tag_ids }),
  ...(filter && { filter }),
})
