import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { DeletedItem, DeletedTag } from '#src/operations/schemas.ts'
import { tagJson } from '#src/operations/tags/tag-reply.ts'
import { deletedItemsPage } from '#src/storage/item-json.ts'
import { deletedTags } from '#src/storage/tags.ts'

export const listDeleted = defineOperation({
  name: 'listDeleted',
  summary: 'List the deleted items and tags, oldest first; restore_item brings one back.',
  access: 'user',
  effect: 'read',
  tool: 'list_deleted_items',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ items: Type.Array(DeletedItem), tags: Type.Array(DeletedTag) }),
  async run({ db }) {
    const items: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page = await deletedItemsPage(db, after, Infinity)
      items.push(...page.texts)
      after = page.next
    }
    const tags = (await deletedTags(db)).map(tagJson)
    return new Reply(`{"items":[${items.join()}],"tags":[${tags.join()}]}`)
  },
})
