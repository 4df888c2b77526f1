import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { purgedItems } from '#src/storage/items/item-names.ts'
import { type Cut, MAX_TOUCHED, tooMuchTouched } from '#src/storage/past/events-since.ts'
import type { WholeItem } from '#src/storage/past/replay-items.ts'
import { type PastTags, readPastTags, writeTags } from '#src/storage/past/past-tags.ts'
import { openPastDatabase } from '#src/storage/past/past-database.ts'
import { TouchedItems } from '#src/storage/past/touched-items.ts'
import { writeFields, writeItems, writePurged, writeTexts } from '#src/storage/past/write-items.ts'
import type { FieldType } from '#src/domain/field-schema.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'

const taggedRows = query((p: { tag: number; most: number }, sql) =>
  sql.selectFrom('item_tag').select('item').where('tag', '=', p.tag).limit(p.most),
)

/**
 * What differs between the base and what it was at a moment: the tags of then, and the items that have been touched
 * since, as they were, in a base in memory with the row ids of the base itself (decision 138). What is not in it is as
 * it was.
 */
export class PastBase {
  readonly db: SqliteConnection
  readonly tags: PastTags
  readonly cut: Ulid
  /** Row ids of the items that are told apart from the base: touched since, or read from here for another reason. */
  readonly touched = new Set<number>()
  /** Items that lived then and have no texts here yet. */
  private untexted: WholeItem[] = []
  private hasTexts = false
  /** Fields (row ids) by which its items can be asked for. */
  private readonly indexed = new Set<number>()
  private readonly widened = new Set<Ulid>()
  private readonly items: TouchedItems
  private ids: number[] | undefined

  private constructor(db: SqliteConnection, tags: PastTags, { id: cut, late }: Cut) {
    this.db = db
    this.tags = tags
    this.cut = cut
    const write = (base: Db, items: readonly WholeItem[]) => this.write(base, items)
    this.items = new TouchedItems({ db, tags, cut, late, write })
  }

  static async at(base: Db, cut: Cut): Promise<PastBase> {
    const tags = await readPastTags(base, cut.id)
    const db = await openPastDatabase()
    if ('throwIfEnded' in base) db.throwIfEnded = () => (base as SqliteConnection).throwIfEnded()
    const made = new PastBase(db, tags, cut)
    await writeTags(base, db, tags)
    await made.catchUp(base)
    return made
  }

  /** Row ids of the touched items, in order. */
  get touchedIds(): readonly number[] {
    return (this.ids ??= [...this.touched].sort((a, b) => a - b))
  }

  /** Items of then that the log alone still has, and that it has not any more. */
  get losses(): { purged: number; redacted: number } {
    return this.items
  }

  /** Takes in what has happened since it was made; false where it is to be made again. */
  async catchUp(base: Db): Promise<boolean> {
    const met = await this.items.catchUp(base, (id) => this.touched.has(id))
    if (met) this.note(met)
    return met !== undefined
  }

  /** Writes all that was touched, for what asks of any of it. */
  whole = (base: Db): Promise<void> => this.items.whole(base)

  /** How many more of the touched items that are not written satisfied a test than do now, and who the others are (row ids). */
  async difference(
    base: Db,
    holds: (item: WholeItem) => boolean,
  ): Promise<{ more: number; written: readonly number[] }> {
    const more = await this.items.difference(base, holds)
    const waiting = new Set(this.items.waitingIds)
    return { more, written: this.touchedIds.filter((id) => !waiting.has(id)) }
  }

  /** Writes some touched items from one on (row id): up to which all are written, undefined is to the end. */
  writeFrom = (base: Db, row: number, some: number): Promise<number | undefined> =>
    this.items.writeFrom(base, row, some)

  /** Makes it ready for what goes by the times of items, or shows texts. */
  needExact = (base: Db): Promise<void> => this.items.needExact(base)

  /** Items (row ids) are shown, for as long as work is done aside. */
  show = (base: Db, ids: readonly number[]): Promise<void> => this.items.show(base, ids)

  /** The items of a tag, where its fields are others today: by them nothing can be asked of the base. */
  async widen(base: Db, tag_ids: Iterable<Ulid>): Promise<void> {
    for (const tag_id of tag_ids) {
      if (this.widened.has(tag_id)) continue
      const tag = this.tags.tags.find((each) => each.tag_id === tag_id)!
      const rows = tag.present ? await base.all(taggedRows, { tag: tag.id, most: MAX_TOUCHED + 1 }) : []
      await this.add(
        base,
        rows.map(({ item }) => item),
      )
      this.widened.add(tag_id)
    }
  }

  /** Items of the base (row ids) that are to be read from here. */
  async add(base: Db, ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.touched.has(id))
    if (this.touched.size + missing.length > MAX_TOUCHED) throw await tooMuchTouched(base)
    await this.write(base, await this.items.untouched(base, missing))
    this.note(missing)
  }

  /** Makes it ready for what asks by these fields (row ids): most of those that there are nobody asks for. */
  async needFields(base: Db, fields: readonly number[]): Promise<void> {
    const missing = [...new Set(fields)].filter((id) => !this.indexed.has(id))
    if (!missing.length) return
    const rows = await this.db.all(fieldRows, { ids: JSON.stringify(missing) })
    for (const [tag, own] of Map.groupBy(rows, (row) => row.tag))
      await writeFields(base, this.db, { id: tag, rows: new Map(own.map((row) => [row.name, row])) })
    for (const id of missing) this.indexed.add(id)
  }

  /** Texts as searches look at them, where a search does. */
  async needTexts(): Promise<void> {
    this.hasTexts = true
    await writeTexts(this.db, this.untexted)
    this.untexted = []
  }

  private async write(base: Db, items: readonly WholeItem[]): Promise<void> {
    await writeItems(base, this.db, items, (tag) => this.indexedOf(tag))
    if (this.hasTexts) await writeTexts(this.db, items)
    else this.untexted.push(...items)
  }

  private indexedOf({ id, rows }: IndexedTag): IndexedTag {
    return { id, rows: new Map([...rows].filter(([, field]) => this.indexed.has(field.id))) }
  }

  private note(ids: readonly number[]): void {
    for (const id of ids) this.touched.add(id)
    this.ids = undefined
  }

  /** Does what writes into it, and takes it back. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.db.exec('SAVEPOINT aside')
    try {
      return await work()
    } finally {
      this.db.rollback('aside')
      this.db.exec('RELEASE aside')
    }
  }

  /** Items of the base (row ids) are written alongside those that are there, for as long as work is done aside. */
  async copy(base: Db, ids: Iterable<number>, { texts = false } = {}): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.touched.has(id))
    const known = new Set(await this.present(missing))
    const wanted = missing.filter((id) => !known.has(id))
    if (!wanted.length) return
    const items = await this.items.untouched(base, wanted)
    await writeItems(base, this.db, items, (tag) => tag)
    if (texts) await writeTexts(this.db, items)
    if (items.length === wanted.length) return
    const found = new Set(items.map(({ id }) => id))
    const rest = wanted.filter((id) => !found.has(id))
    await writePurged(this.db, await purgedItems(base, rest))
  }

  private async present(ids: readonly number[]): Promise<number[]> {
    const rows = await this.db.all(presentRows, { ids: JSON.stringify(ids) })
    return rows.map(({ id }) => id)
  }

  close(): void {
    this.db.close()
  }
}

const fieldRows = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('field')
    .select(['id', 'tag', 'name', 'kind'])
    .where('id', 'in', dialect.integers(p.ids))
    .$narrowType<{ kind: FieldType }>(),
)
const presentRows = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select('id')
    .where('id', 'in', dialect.integers(p.ids))
    .union(sql.selectFrom('purged_item').select('id').where('id', 'in', dialect.integers(p.ids))),
)
