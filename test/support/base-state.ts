import type { Db } from '#src/sql/query.ts'

export interface StateItem {
  name: string
  description: string | null
  live: boolean
  /** Values by field, by tag id. */
  tags: Record<string, Record<string, unknown>>
}
export interface StateTag {
  name: string
  description: string | null
  fields: Record<string, unknown>
  live: boolean
  extends: string[]
}
/** What is in a base but for times and versions, by ids. */
export interface BaseState {
  items: Record<string, StateItem>
  tags: Record<string, StateTag>
}

interface ItemRow {
  item_id: string
  name: string
  description: string | null
  deleted_at: string | null
}

export async function baseState(db: Db): Promise<BaseState> {
  const rows = <Row>(sql: string) => db.select<Row>({ sql, parameters: [] })
  const state: BaseState = { items: {}, tags: {} }
  for (const { item_id, name, description, deleted_at } of await rows<ItemRow>(
    'select item_id, name, description, deleted_at from item order by id',
  ))
    state.items[item_id] = { name, description, live: deleted_at === null, tags: {} }
  const entries = await rows<{ item_id: string; tag_id: string; field_values: string }>(
    'select item_id, tag_id, field_values from item_tag join item on item.id = item_tag.item join tag on tag.id = item_tag.tag order by item_tag.item, item_tag.tag',
  )
  for (const { item_id, tag_id, field_values } of entries)
    state.items[item_id]!.tags[tag_id] = JSON.parse(field_values) as Record<string, unknown>
  const tags = await rows<Omit<ItemRow, 'item_id'> & { tag_id: string; fields: string }>(
    'select tag_id, name, description, fields, deleted_at from tag order by id',
  )
  for (const { tag_id, name, description, fields, deleted_at } of tags)
    state.tags[tag_id] = {
      name,
      description,
      fields: JSON.parse(fields) as Record<string, unknown>,
      live: deleted_at === null,
      extends: [],
    }
  const bases = await rows<{ tag_id: string; base: string }>(
    'select tag.tag_id, upper.tag_id as base from tag_base join tag on tag.id = tag_base.tag join tag as upper on upper.id = tag_base.base order by tag_base.tag, tag_base.position',
  )
  for (const { tag_id, base } of bases) state.tags[tag_id]!.extends.push(base)
  return state
}
