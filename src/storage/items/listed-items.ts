import type { Ulid } from '#src/domain/ulid.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { type Db, query } from '#src/sql/query.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { chunkFor, noteSize } from '#src/storage/items/text-chunk.ts'
import { referencesOf } from '#src/storage/references/referenced-items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/**
 * Characters after which a page ends early (descriptions may have a million each): what is read, pasted and sent at
 * once stays bounded whatever `limit` says.
 */
export const MAX_PAGE_TEXT = 8_000_000

interface ListedRow {
  id: number
  item_id: Ulid
  name: string
  description: string | null
  created_at: string
  updated_at: string
  /** Null on an item without tags. */
  tag: number | null
  schema_version: number
  field_values: string
}

const listedRows = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .leftJoin('item_tag', 'item_tag.item', 'item.id')
    .where('item.id', 'in', dialect.integers(p.ids))
    .where('item.deleted_at', 'is', null)
    .select([
      'item.id',
      'item_id',
      'name',
      'description',
      'created_at',
      'updated_at',
      'tag',
      'schema_version',
      'field_values',
    ])
    .orderBy('item.id')
    .orderBy('item_tag.tag')
    .$castTo<ListedRow>(),
)

/** Items in the list form of decisions §2, as JSON texts, stored JSON pasted as it is. */
export interface ListedItems {
  texts: string[]
  /** How many of the ids are answered: fewer than there are when the page grew too large. */
  taken: number
  /** Id of the last one. */
  last: Ulid | undefined
}

/** What of items is wanted besides, or instead of, their list form. */
export interface WantedOfItems {
  /** Also `references`: names of all that an item refers to. */
  expand?: boolean | undefined
  /** Characters after which a page ends early. */
  page_text?: number | undefined
  /** Only these properties, and values at paths. */
  selection?: { names: readonly string[]; paths: ReadonlyMap<string, ValuePath> } | undefined
}

/** The items of these row ids, in their order. */
export async function listedItems(
  db: Db,
  ids: readonly number[],
  wanted: WantedOfItems = {},
): Promise<ListedItems> {
  const { page_text: max = MAX_PAGE_TEXT } = wanted
  const texts: string[] = []
  let last: Ulid | undefined
  let [taken, size] = [0, 0]
  while (taken < ids.length && size < max) {
    const chunk = chunkFor(db, max - size)
    const some = ids.length > chunk ? ids.slice(taken, taken + chunk) : ids
    const byId = await itemTexts(db, some)
    if (wanted.expand) await addReferences(db, some, byId)
    if (wanted.selection) await select(db, some, byId, wanted.selection)
    for (const id of some) {
      if (size >= max) break
      taken++
      const item = byId.get(id)
      if (!item) continue // deleted since its id was read
      texts.push(item.text)
      size += item.text.length
      last = item.item_id
    }
  }
  noteSize(db, texts.length, size)
  return { texts, taken, last }
}

type ItemTexts = Map<number, { item_id: Ulid; text: string }>

async function addReferences(db: Db, ids: readonly number[], texts: ItemTexts): Promise<void> {
  const references = await referencesOf(db, ids)
  for (const [id, item] of texts) {
    const own = JSON.stringify(references.get(id) ?? {})
    item.text = `${item.text.slice(0, -1)},"references":${own}}`
  }
}

async function select(
  db: Db,
  ids: readonly number[],
  texts: ItemTexts,
  { names, paths }: NonNullable<WantedOfItems['selection']>,
): Promise<void> {
  const values = new Map<string, ReadonlyMap<number, unknown>>()
  for (const [name, path] of paths) values.set(name, await pathValues(db, path, ids))
  for (const [id, item] of texts) {
    const whole = JSON.parse(item.text) as Record<string, unknown>
    item.text = JSON.stringify(
      Object.fromEntries(
        names.flatMap((name) => {
          const at = values.get(name)
          if (at) return [[name, at.get(id) ?? null]]
          return Object.hasOwn(whole, name) ? [[name, whole[name]]] : []
        }),
      ),
    )
  }
}

async function itemTexts(db: Db, ids: readonly number[]): Promise<ItemTexts> {
  const rows = await db.all(listedRows, { ids: `[${ids.join(',')}]` })
  const heads = await tagHeads(db, rows)
  const texts = new Map<number, { item_id: Ulid; text: string }>()
  for (let i = 0; i < rows.length;) {
    const row = rows[i]!
    let tags = ''
    for (let each = row; each?.id === row.id; each = rows[++i]!)
      if (each.tag !== null)
        tags += `${tags && ','}${heads.get(each.tag)!}${each.schema_version},"field_values":${each.field_values}}`
    texts.set(row.id, { item_id: row.item_id, text: itemText(row, tags) })
  }
  return texts
}

const itemText = (row: ListedRow, tags: string): string =>
  `{"item_id":"${row.item_id}","id":"${row.item_id}","name":${JSON.stringify(row.name)},"description":${
    row.description === null ? 'null' : JSON.stringify(row.description)
  },"tags":{${tags}},"created_at":"${row.created_at}","updated_at":"${row.updated_at}"}`

/** What each tag's entry begins with; kept until a tag changes. */
async function tagHeads(db: Db, rows: readonly ListedRow[]): Promise<ReadonlyMap<number, string>> {
  let heads = db.cache.get('tag heads') as Map<number, string> | undefined
  if (!heads) db.cache.set('tag heads', (heads = new Map()))
  for (const { tag } of rows) {
    if (tag === null || heads.has(tag)) continue
    const found = (await findTagByRow(db, tag))!
    heads.set(tag, `"${found.tag_id}":{"tag_name":${JSON.stringify(found.name)},"schema_version":`)
  }
  return heads
}
