import { KNOWN_TAGS } from '#src/domain/message-words.ts'
import { notFound, type ServiceError } from '#src/domain/errors.ts'
import {
  flattenFields,
  variantsOf,
  type FieldMap,
  type FlatField,
  type FlatFields,
} from '#src/domain/field-schema.ts'
import { nearest } from '#src/domain/nearest.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { CatalogTag } from '#src/filter/meaning/tag-catalog.ts'
import { type Db, query } from '#src/sql/query.ts'
import { fieldRows, type FieldRow, type FieldRows } from '#src/storage/value-index/fields.ts'
import { asKnown } from '#src/storage/sight/known-tag.ts'
import { isKnownTag, ownKey } from '#src/storage/sight/sight.ts'
import { basesOf, type TagBase } from '#src/storage/tags/tag-bases.ts'

/** A tag as it is in the database, its schema read. */
export interface StoredTag {
  /** Row id. */
  readonly id: number
  readonly tag_id: Ulid
  readonly name: string
  readonly description: string | null
  /** The field map as JSON text, as it was given. */
  readonly fields: string
  readonly schema_version: number
  readonly created_at: string
  readonly updated_at: string
  readonly deleted_at: string | null
  /** Its look as JSON text, as it was given; null: it has none of its own. */
  readonly look: string | null
  /** The tags that it extends, deleted ones left out. */
  readonly bases: readonly TagBase[]
  readonly schema: FlatFields
  readonly rows: FieldRows
  /** The tag as filters see it. */
  readonly catalog: CatalogTag
}

/** Live tags that this connection has read. */
interface TagCache {
  byId: Map<Ulid, StoredTag>
  byName: Map<string, StoredTag>
  byRow: Map<number, StoredTag>
  /** Characters of their schemas. */
  size: number
}

const CACHE = 'tags'
const MAX_CACHE_SIZE = 8_000_000
/** Stands for what a tag takes besides its schema. */
const TAG_SIZE = 1000

function cacheOf(db: Db): TagCache {
  let cache = db.cache.get(CACHE) as TagCache | undefined
  if (!cache || cache.size > MAX_CACHE_SIZE)
    db.cache.set(CACHE, (cache = { byId: new Map(), byName: new Map(), byRow: new Map(), size: 0 }))
  return cache
}

const NAMES_CACHE = 'tag names'

/** After every change of a tag: what was read of tags may be untrue, also of those that extend it. */
export function forgetTags(db: Db): void {
  for (const key of db.cache.keys()) if (key.startsWith('tag')) db.cache.delete(key)
}

const live = query((p: { tag_id: Ulid }, sql) =>
  sql.selectFrom('tag').selectAll().where('tag_id', '=', p.tag_id).where('deleted_at', 'is', null),
)
const liveByName = query((p: { name: string }, sql) =>
  sql.selectFrom('tag').selectAll().where('name', '=', p.name).where('deleted_at', 'is', null),
)
const liveByRow = query((p: { id: number }, sql) =>
  sql.selectFrom('tag').selectAll().where('id', '=', p.id).where('deleted_at', 'is', null),
)
const deleted = query((p: { tag_id: Ulid }, sql) =>
  sql.selectFrom('tag').selectAll().where('tag_id', '=', p.tag_id).where('deleted_at', 'is not', null),
)
const deletedByName = query((p: { name: string }, sql) =>
  sql
    .selectFrom('tag')
    .selectAll()
    .where('name', '=', p.name)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)
const allDeleted = query((_: object, sql) =>
  sql.selectFrom('tag').selectAll().where('deleted_at', 'is not', null).orderBy('id'),
)
const deletedRows = query((p: { after: string; limit: number }, sql) =>
  sql
    .selectFrom('tag')
    .selectAll()
    .where('deleted_at', 'is not', null)
    .where('tag_id', '>', p.after)
    .orderBy('tag_id')
    .limit(p.limit),
)
const lastDeletedRows = query((p: { deleted_at: string; tag_id: string; limit: number }, sql) =>
  sql
    .selectFrom('tag')
    .selectAll()
    .where('deleted_at', 'is not', null)
    .where((e) =>
      e.or([
        e('deleted_at', '<', p.deleted_at),
        e.and([e('deleted_at', '=', p.deleted_at), e('tag_id', '<', p.tag_id)]),
      ]),
    )
    .orderBy('deleted_at', 'desc')
    .orderBy('tag_id', 'desc')
    .limit(p.limit),
)
const names = query((_: object, sql) =>
  sql.selectFrom('tag').select(['id', 'name']).where('deleted_at', 'is', null).orderBy('id'),
)

/** A live tag by id (in any case) or by name; an id wins over a tag that is named like one. */
export async function findTag(db: Db, id_or_name: string): Promise<StoredTag | undefined> {
  return (await findTagById(db, id_or_name)) ?? (await findTagByName(db, id_or_name))
}

/** A live tag; a malformed id is an absent tag. */
export async function findTagById(db: Db, text: string): Promise<StoredTag | undefined> {
  const tag_id = parseUlid(text)
  if (tag_id === null) return undefined
  return asKnown(db, cacheOf(db).byId.get(tag_id) ?? (await remember(db, await db.get(live, { tag_id }))))
}

export async function findTagByName(db: Db, name: string): Promise<StoredTag | undefined> {
  return asKnown(db, cacheOf(db).byName.get(name) ?? (await remember(db, await db.get(liveByName, { name }))))
}

/** A live tag by its row id. */
export async function findTagByRow(db: Db, id: number): Promise<StoredTag | undefined> {
  return asKnown(db, cacheOf(db).byRow.get(id) ?? (await remember(db, await db.get(liveByRow, { id }))))
}

export async function findDeletedTag(db: Db, text: string): Promise<StoredTag | undefined> {
  const tag_id = parseUlid(text)
  const row = tag_id === null ? undefined : await db.get(deleted, { tag_id })
  return row && read(db, row)
}

/** Of several that of the newest deletion. */
export async function findDeletedTagByName(db: Db, name: string): Promise<StoredTag | undefined> {
  const row = await db.get(deletedByName, { name })
  return row && read(db, row)
}

const rowIds = query((p: { tag_ids: string }, sql, dialect) =>
  sql.selectFrom('tag').select(['id', 'tag_id']).where('tag_id', 'in', dialect.texts(p.tag_ids)),
)

/** Row ids of tags, live or deleted, in the order of the ids; purged ones are left out. */
export async function tagRowIds(db: Db, tag_ids: readonly Ulid[]): Promise<number[]> {
  const rows = await db.all(rowIds, { tag_ids: JSON.stringify(tag_ids) })
  const byId = new Map(rows.map(({ id, tag_id }) => [tag_id, id]))
  return tag_ids.flatMap((tag_id) => byId.get(tag_id) ?? [])
}

/** Oldest first. */
export async function deletedTags(db: Db): Promise<StoredTag[]> {
  const tags: StoredTag[] = []
  for (const row of await db.all(allDeleted, {})) tags.push(await read(db, row))
  return tags
}

/** Some of them, after one or from the first on. */
export async function deletedTagsAfter(db: Db, after: Ulid | undefined, limit: number): Promise<StoredTag[]> {
  const tags: StoredTag[] = []
  for (const row of await db.all(deletedRows, { after: after ?? '', limit })) tags.push(await read(db, row))
  return tags
}

/** Where a tag is in the order of deletion. */
export interface TagDeletion {
  deleted_at: string
  tag_id: Ulid
}

/** Some of them, newest deletion first: those deleted before a place in that order. */
export async function deletedTagsBefore(
  db: Db,
  { deleted_at, tag_id }: TagDeletion,
  limit: number,
): Promise<StoredTag[]> {
  const tags: StoredTag[] = []
  for (const row of await db.all(lastDeletedRows, { deleted_at, tag_id, limit }))
    tags.push(await read(db, row))
  return tags
}

/** The live tags that a tag extends itself, those that are known. */
export async function extendedTags(db: Db, tag: StoredTag | undefined): Promise<StoredTag[]> {
  const found: StoredTag[] = []
  for (const { id } of tag?.bases ?? []) {
    const base = await findTagByRow(db, id)
    if (base) found.push(base)
  }
  return found
}

/** Names of all live tags that are known, for "did you mean". */
export async function tagNames(db: Db): Promise<readonly string[]> {
  const key = ownKey(db, NAMES_CACHE)
  let known = db.cache.get(key) as string[] | undefined
  if (!known) {
    const rows = (await db.all(names, {})).filter(({ id }) => isKnownTag(db, id))
    db.cache.set(key, (known = rows.map(({ name }) => name)))
  }
  return known
}

/** The live tag of that id or name. @throws NotFound */
export async function liveTag(db: Db, id_or_name: string): Promise<StoredTag> {
  const tag = await findTag(db, id_or_name)
  if (!tag) throw await missingTag(db, id_or_name)
  return tag
}

/** The 404 for a tag that was asked for by id or name. */
export async function missingTag(db: Db, id_or_name: string): Promise<ServiceError> {
  const close = nearest(id_or_name, await tagNames(db))
  const meant = close === undefined ? undefined : await findTagByName(db, close)
  if (!meant) return notFound('Tag', id_or_name, { suggestion: KNOWN_TAGS })
  const named = `'${meant.name}', ${meant.tag_id}`
  return notFound('Tag', id_or_name, {
    suggestion: meant.name === id_or_name ? `Use the tag's id: ${meant.tag_id}` : `Did you mean ${named}?`,
  })
}

/** The 404 for a tag that was to be restored or purged and is not deleted. */
export async function tagNotDeleted(db: Db, id_or_name: string): Promise<ServiceError> {
  return notFound('Deleted tag', id_or_name, {
    suggestion: (await findTag(db, id_or_name))
      ? 'The tag is not deleted'
      : 'It never was, or has been purged; GET /api/tags/deleted (list_deleted_items) shows what there is',
  })
}

type TagRow = Pick<
  StoredTag,
  | 'id'
  | 'tag_id'
  | 'name'
  | 'description'
  | 'fields'
  | 'schema_version'
  | 'created_at'
  | 'updated_at'
  | 'deleted_at'
  | 'look'
>

async function remember(db: Db, row: TagRow | undefined): Promise<StoredTag | undefined> {
  if (!row) return undefined
  const tag = await read(db, row)
  const cache = cacheOf(db)
  cache.byId.set(tag.tag_id, tag)
  cache.byName.set(tag.name, tag)
  cache.byRow.set(tag.id, tag)
  cache.size += TAG_SIZE + tag.fields.length
  return tag
}

async function read(db: Db, row: TagRow): Promise<StoredTag> {
  const schema = flattenFields(JSON.parse(row.fields) as FieldMap)
  const rows = await fieldRows(db, row.id)
  const { id, tag_id, name } = row
  const fields = new Map([...schema].map(([field, flat]) => [field, catalogField(flat, rows.get(field)!)]))
  const left = new Map(
    [...rows.values()]
      .filter((field) => !schema.has(field.name))
      .map((field) => [field.name, { id: field.id, name: field.name, type: field.kind, variants: [] }]),
  )
  const catalog = { id, tag_id, name, fields, left }
  return { ...row, bases: await basesOf(db, id), schema, rows, catalog }
}

const catalogField = ({ name, type, schema, parents }: FlatField, { id }: FieldRow) => ({
  id,
  name,
  type,
  variants: variantsOf(schema),
  parents,
})
