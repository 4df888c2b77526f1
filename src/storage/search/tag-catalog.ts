import type { RequestTime } from '#src/filter/language/relative-time.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Db } from '#src/sql/query.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { extendingTags } from '#src/storage/tags/tag-bases.ts'
import { extendedTags, findTagById, findTagByName, findTagByRow, tagNames } from '#src/storage/tags/tags.ts'

/** The tags as the connection of a call sees them, for binding filters. */
export function tagCatalog({ db, now, time_zone }: { db: Db } & RequestTime): TagCatalog {
  return {
    time: { now, time_zone },
    byId: async (tag_id) => (await findTagById(db, tag_id))?.catalog,
    byName: async (name) => (await findTagByName(db, name))?.catalog,
    names: () => tagNames(db),
    textFields: () => textFields(db),
    extending: (tag) => extendingTags(db, tag.id),
    bases: async (tag) =>
      (await extendedTags(db, await findTagByRow(db, tag.id))).map(({ catalog }) => catalog),
    itemRowIds: (item_ids) => findRowIds(db, item_ids),
  }
}
