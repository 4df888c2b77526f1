import { itemState } from '#src/operations/items/item-state.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { checkNamedFiles } from '#src/operations/files/named-files.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Description, ItemId, Name, IfUpdatedAt } from '#src/operations/schemas/inputs.ts'
import { Item } from '#src/operations/schemas/answers.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { liveItem, writeItem } from '#src/storage/items/items.ts'

export const updateItem = defineOperation({
  name: 'updateItem',
  summary: 'Change the name or the description of an item.',
  description: 'What is left out stays as it is; `description: null` clears.',
  access: 'user',
  in_part: true,
  effect: 'write',
  conditional: itemState,
  rest: 'PUT /api/items/{item_id}',
  tool: 'edit_item',
  hints: { idempotent: true },
  input: Type.Object(
    {
      item_id: ItemId,
      name: Type.Optional(Name),
      description: Type.Optional(Description),
      if_updated_at: Type.Optional(IfUpdatedAt),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  ignores: 'item_id id data tags created_at updated_at references snippet deleted_at deleted_by'.split(' '),
  output: Item,
  errors: ['NotFound'],
  example: { input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', name: 'Water the plants', description: null } },
  async run(context, { item_id, return_fields, ...given }) {
    const { db, now } = context
    const item = await liveItem(db, item_id)
    const fields_changed = (['name', 'description'] as const).filter(
      (field) => given[field] !== undefined && given[field] !== item[field],
    )
    if (fields_changed.length) {
      const stored = { name: item.name, description: item.description }
      await checkNamedFiles(context, () => [{ path: '', texts: given, stored }])
      const { id, name = item.name, description = item.description } = { ...given, id: item.id }
      await writeItem(db, { id, name, description }, now, context.change.growth)
      const changed = (values: { name?: string; description?: string | null }) =>
        Object.fromEntries(fields_changed.map((field) => [field, values[field]]))
      await appendEvents(db, context, [
        {
          event_type: 'item_updated',
          entity_type: 'item',
          item_id: item.item_id,
          name: item.name,
          details: { fields_changed, old_values: changed(item), new_values: changed(given) },
        },
      ])
    }
    if (return_fields) return new Reply(await answerFieldsOf(context, return_fields, item.item_id))
    return new Reply(await itemJson(db, item_id))
  },
})
