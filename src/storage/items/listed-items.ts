import { sql } from 'kysely'
import { textsUpTo } from '#src/domain/up-to.ts'
import { RANDOM_DIGITS, TIME_DIGITS, type Ulid } from '#src/domain/ulid.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { joinLists, type JsonText } from '#src/json/join.ts'
import { type Db, query } from '#src/sql/query.ts'
import { isIncomplete, itemObject } from '#src/storage/items/item-object.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { chunkFor, noteSize } from '#src/storage/items/text-chunk.ts'
import { knownTags } from '#src/storage/sight/sight.ts'
import { referencesOf } from '#src/storage/references/referenced-items.ts'

/**
 * Characters after which a page ends early (descriptions may have a million each): what is read, pasted and sent at
 * once stays bounded whatever `limit` says.
 */
export const MAX_PAGE_TEXT = 8_000_000
/** Items that are read at once where some of them are long. */
const FEW = 8

/** Items in the list form of decisions §2, stored JSON pasted as it is. */
export interface ListedItems {
  /** A JSON array. */
  json: JsonText
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
  /** Also `snippet`: JSON text by row id, null where an item has none. */
  snippets?: ((ids: readonly number[]) => Promise<ReadonlyMap<number, string>>) | undefined
  /** Only these properties, and values at paths. */
  selection?:
    | {
        names: readonly string[]
        paths: ReadonlyMap<string, ValuePath>
        /** Gets the deleted items that the paths led to. */
        met?: Set<Ulid>
      }
    | undefined
}

/** A part of a page. */
interface Part {
  json: JsonText
  /** How many of the ids are answered. */
  taken: number
  /** Those that are there. */
  items: number
  last: Ulid | undefined
}

/** The items of these row ids, in their order. */
export async function listedItems(
  db: Db,
  ids: readonly number[],
  wanted: WantedOfItems = {},
): Promise<ListedItems> {
  const { page_text: max = MAX_PAGE_TEXT, expand, selection, snippets } = wanted
  const asTheyAre = db.dialect.lists && !expand && !selection && !snippets
  const parts: JsonText[] = []
  let last: Ulid | undefined
  let [taken, size] = [0, 0]
  while (taken < ids.length && size < max) {
    const some = ids.slice(taken, taken + chunkFor(db, max - size))
    const short = asTheyAre && (await shortItems(db, some))
    const part = short || (await itemByItem(db, asTheyAre ? some.slice(0, FEW) : some, wanted, max - size))
    noteSize(db, part.items, part.json.length)
    taken += part.taken
    size += part.json.length
    last = part.last ?? last
    if (part.items) parts.push(part.json)
  }
  return { json: joinLists(parts), taken, last }
}

const shortListOf = (isKnown: boolean) =>
  query((p: { ids: string; tags: string | undefined }, db, dialect) => {
    const lists = dialect.lists!
    return db
      .selectFrom(lists.rows(p.ids).as('wanted'))
      .crossJoin('item')
      .whereRef('item.id', '=', 'wanted.value')
      .where('item.deleted_at', 'is', null)
      .select([
        lists.array(itemObject(db, dialect, 'brief', isKnown ? undefined : p.tags)).as('json'),
        lists.texts(sql.ref('item.item_id')).as('item_ids'),
      ])
  })
const [shortList, shortListOfKnown] = [shortListOf(true), shortListOf(false)]

const ID = TIME_DIGITS + RANDOM_DIGITS

/**
 * The database puts all together: no text is taken apart, or made anew, on its way to the client. Undefined where one
 * is long: each step of putting together would copy it (decision 24).
 */
async function shortItems(db: Db, ids: readonly number[]): Promise<Part | undefined> {
  const tags = knownTags(db)
  const list = tags === undefined ? shortList : shortListOfKnown
  const { json, item_ids } = (await db.get(list, { ids: `[${ids.join(',')}]`, tags }))!
  if (isIncomplete(json)) return undefined
  return { json, taken: ids.length, items: (item_ids?.length ?? 0) / ID, last: item_ids?.slice(-ID) }
}

const itemTextsOf = (isKnown: boolean) =>
  query((p: { ids: string; tags: string | undefined }, db, dialect) =>
    db
      .selectFrom('item')
      .where('item.id', 'in', dialect.integers(p.ids))
      .where('item.deleted_at', 'is', null)
      .select([
        'item.id',
        'item.item_id',
        itemObject(db, dialect, 'tags', isKnown ? undefined : p.tags).as('text'),
      ]),
  )
const [itemTexts, itemTextsOfKnown] = [itemTextsOf(true), itemTextsOf(false)]

/** Until they are `max` characters: with references, with what is chosen alone, or where they cannot be read together. */
async function itemByItem(
  db: Db,
  ids: readonly number[],
  { expand, selection, snippets }: WantedOfItems,
  max: number,
): Promise<Part> {
  const byId = await textsOf(db, ids)
  if (expand) await addReferences(db, ids, byId)
  if (selection) await select(db, ids, byId, selection)
  if (snippets) addSnippets(byId, await snippets(ids))
  const items = ids.flatMap((id) => byId.get(id) ?? []) // without those that were deleted since their ids were read
  const texts = await textsUpTo(items, max, ({ text }) => text)
  const last = items[texts.length - 1]
  const taken = texts.length < items.length ? ids.indexOf(last!.id) + 1 : ids.length
  return { json: `[${texts.join()}]`, taken, items: texts.length, last: last?.item_id }
}

/** The items of these row ids by themselves, as JSON texts; those that do not live are left out. */
export async function listedTexts(
  db: Db,
  ids: readonly number[],
  selection?: WantedOfItems['selection'],
): Promise<Map<number, string>> {
  const texts = await textsOf(db, ids)
  if (selection) await select(db, ids, texts, selection)
  return new Map([...texts].map(([id, { text }]) => [id, text]))
}

async function textsOf(db: Db, ids: readonly number[]): Promise<ItemTexts> {
  const tags = knownTags(db)
  const list = tags === undefined ? itemTexts : itemTextsOfKnown
  const rows = await db.all(list, { ids: `[${ids.join(',')}]`, tags })
  return new Map(rows.map((row) => [row.id, row]))
}

type ItemTexts = Map<number, { id: number; item_id: Ulid; text: string }>

function addSnippets(texts: ItemTexts, snippets: ReadonlyMap<number, string>): void {
  for (const [id, item] of texts) {
    const before = item.text.slice(0, -1)
    item.text = `${before}${before === '{' ? '' : ','}"snippet":${snippets.get(id) ?? 'null'}}`
  }
}

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
  { names, paths, met }: NonNullable<WantedOfItems['selection']>,
): Promise<void> {
  const values = new Map<string, ReadonlyMap<number, unknown>>()
  for (const [name, path] of paths) values.set(name, await pathValues(db, path, ids, met))
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
