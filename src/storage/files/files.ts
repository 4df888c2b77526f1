import { sql as rawSql, type SqlBool } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, type Query, query } from '#src/sql/query.ts'
import type { FileTable } from '#src/sql/tables.ts'

/** A file with what its bytes are called; both null where it was removed. */
export interface StoredFile extends Omit<FileTable, 'id'> {
  /** Row id. */
  id: number
  file_id: Ulid
  blob: string | null
  sha256: string | null
}

const COLUMNS = [
  'file.id',
  'file_id',
  'content',
  'user_id',
  'name',
  'type',
  'file.size',
  'created_at',
  'shared',
  'unused_since',
  'removed_at',
  'blob',
  'sha256',
] as const

const byIds = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('file')
    .leftJoin('file_content', 'file_content.id', 'file.content')
    .select(COLUMNS)
    .where('file_id', 'in', dialect.texts(p.ids)),
)
const byId = query((p: { file_id: Ulid }, sql) =>
  sql
    .selectFrom('file')
    .leftJoin('file_content', 'file_content.id', 'file.content')
    .select(COLUMNS)
    .where('file_id', '=', p.file_id),
)

export const findFile = (db: Db, file_id: Ulid): Promise<StoredFile | undefined> => db.get(byId, { file_id })

/** Those that there are or were, by id. */
export async function findFiles(db: Db, file_ids: Iterable<Ulid>): Promise<Map<Ulid, StoredFile>> {
  const ids = [...new Set(file_ids)]
  const rows = ids.length ? await db.all(byIds, { ids: JSON.stringify(ids) }) : []
  return new Map(rows.map((row) => [row.file_id, row]))
}

const liveContent = query((p: { sha256: string }, sql) =>
  sql
    .selectFrom('file_content')
    .select(['id', 'size'])
    .where('sha256', '=', p.sha256)
    .where('dropped_at', 'is', null)
    .limit(1),
)
const insertContent = query((p: { blob: string; size: number; sha256: string }, sql) =>
  sql
    .insertInto('file_content')
    .values({ blob: p.blob, size: p.size, sha256: p.sha256, dropped_at: null })
    .returning('id'),
)
const insertFile = query((p: Omit<FileTable, 'id' | 'shared' | 'removed_at'>, sql) =>
  sql.insertInto('file').values({
    file_id: p.file_id,
    content: p.content,
    user_id: p.user_id,
    name: p.name,
    type: p.type,
    size: p.size,
    created_at: p.created_at,
    shared: 0,
    unused_since: p.unused_since,
    removed_at: null,
  }),
)

export interface NewFile {
  file_id: Ulid
  blob: string
  /** Null: an operator's. */
  user_id: Ulid | null
  name: string
  type: string
  size: number
  sha256: string
  created_at: string
}

/** False: the bytes are there already, and its blob is not needed. */
export async function addFile(db: Db, file: NewFile): Promise<boolean> {
  const { blob, size, sha256, created_at } = file
  const known = await db.get(liveContent, { sha256 })
  const content = known?.id ?? (await db.get(insertContent, { blob, size, sha256 }))!.id
  await db.enqueue(insertFile, { ...file, content, unused_since: created_at })
  return !known
}

const alike = query((p: { sha256: string; name: string; was: string }, sql) =>
  sql
    .selectFrom('file')
    .innerJoin('file_content', 'file_content.id', 'file.content')
    .select('file_id')
    .where('sha256', '=', p.sha256)
    .where('dropped_at', 'is', null)
    .where((eb) => eb.or([eb('name', '=', p.name), eb('file_id', '=', p.was)]))
    .where('shared', '=', 1)
    .where('unused_since', 'is', null)
    .where('removed_at', 'is', null)
    .orderBy((eb) => eb.case().when('file_id', '=', p.was).then(0).else(1).end())
    .orderBy('file.id')
    .limit(1),
)

/** `was`: the id that it had where an export was made. */
export type FileSought = Pick<NewFile, 'sha256' | 'name'> & { was?: Ulid | undefined }

/**
 * The file of these bytes which was called so by its id, else the oldest one of that name. Only what all readers of the
 * base may read counts, because something has it.
 */
export const fileInUse = async (db: Db, { sha256, name, was = '' }: FileSought): Promise<Ulid | undefined> =>
  (await db.get(alike, { sha256, name, was }))?.file_id

const unusedBytes = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('file')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .where('user_id', '=', p.user_id)
    .where('unused_since', 'is not', null),
)

/** Bytes of an account's files that nothing refers to. */
export const unusedBytesOf = async (db: Db, user_id: Ulid): Promise<number> =>
  Number((await db.get(unusedBytes, { user_id }))!.bytes ?? 0)

const emptyAll = query((p: { ids: string }, sql, dialect) =>
  sql.updateTable('file').set({ content: null }).where('id', 'in', dialect.integers(p.ids)),
)
const deleteAll = query((p: { ids: string }, sql, dialect) =>
  sql.deleteFrom('file').where('id', 'in', dialect.integers(p.ids)),
)
const contentsOf = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('file')
    .select('content')
    .distinct()
    .where('id', 'in', dialect.integers(p.ids))
    .where('content', 'is not', null),
)
const dropContents = query((p: { contents: string; now: string }, sql, dialect) =>
  sql
    .updateTable('file_content')
    .set({ dropped_at: p.now })
    .where('id', 'in', dialect.integers(p.contents))
    .where((e) =>
      e.not(
        e.exists(
          sql
            .selectFrom('file')
            .select('file.id')
            .where(rawSql<SqlBool>`file.content = file_content.id`),
        ),
      ),
    ),
)

/** Bytes of files (row ids) that are ended are dropped where no other file has them: the store may remove them then. */
async function endFiles(
  db: Db,
  files: readonly number[],
  now: string,
  end: Query<{ ids: string }, unknown>,
): Promise<void> {
  if (!files.length) return
  const ids = JSON.stringify(files)
  const contents = (await db.all(contentsOf, { ids })).map(({ content }) => content)
  await db.enqueue(end, { ids })
  await db.enqueue(dropContents, { contents: JSON.stringify(contents), now })
}

const unusedBefore = query((p: { before: string; limit: number }, sql) =>
  sql.selectFrom('file').select('id').where('unused_since', '<=', p.before).limit(p.limit),
)

const removed = query((p: { limit: number }, sql) =>
  sql
    .selectFrom('file')
    .select('id')
    .where('removed_at', 'is not', null)
    .where('content', 'is not', null)
    .limit(p.limit),
)

/** Files are forgotten that nothing has referred to since then, and the bytes of removed ones given up; how many. */
export async function sweepRows(db: Db, before: string, now: string, limit: number): Promise<number> {
  const unused = (await db.all(unusedBefore, { before, limit })).map(({ id }) => id)
  await endFiles(db, unused, now, deleteAll)
  const gone = (await db.all(removed, { limit })).map(({ id }) => id)
  await endFiles(db, gone, now, emptyAll)
  return Math.max(unused.length, gone.length)
}

/** Whether there is anything for a sweep to do. */
export async function hasSweepable(db: Db, before: string): Promise<boolean> {
  const found = [
    await db.get(unusedBefore, { before, limit: 1 }),
    await db.get(removed, { limit: 1 }),
    await db.get(dropped, { limit: 1 }),
  ]
  return found.some((each) => each !== undefined)
}

const dropped = query((p: { limit: number }, sql) =>
  sql.selectFrom('file_content').select(['id', 'blob']).where('dropped_at', 'is not', null).limit(p.limit),
)
const forgetDropped = query((p: { ids: string }, sql, dialect) =>
  sql
    .deleteFrom('file_content')
    .where('id', 'in', dialect.integers(p.ids))
    .where('dropped_at', 'is not', null),
)
const known = query((p: { blobs: string }, sql, dialect) =>
  sql.selectFrom('file_content').select('blob').where('blob', 'in', dialect.texts(p.blobs)),
)

/** Blobs that the store may remove. */
export const droppedContents = (db: Db, limit: number): Promise<{ id: number; blob: string }[]> =>
  db.all(dropped, { limit })

/** The store has removed them. */
export async function forgetContents(db: Db, ids: readonly number[]): Promise<void> {
  await db.enqueue(forgetDropped, { ids: JSON.stringify(ids) })
}

/** Those of the blobs that the base knows. */
export const knownBlobs = async (db: Db, blobs: readonly string[]): Promise<Set<string>> =>
  new Set((await db.all(known, { blobs: JSON.stringify(blobs) })).map(({ blob }) => blob))
const contentsAfter = query((p: { after: number; limit: number }, sql) =>
  sql
    .selectFrom('file_content')
    .select(['id', 'blob', 'size', 'sha256'])
    .where('id', '>', p.after)
    .where('dropped_at', 'is', null)
    .orderBy('id')
    .limit(p.limit),
)

const newest = query((p: { limit: number }, sql) =>
  sql
    .selectFrom('file_content')
    .select('blob')
    .where('dropped_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Blobs that files have, what came last first. */
export const newestBlobs = async (db: Db, limit: number): Promise<string[]> =>
  (await db.all(newest, { limit })).map(({ blob }) => blob)

/** Whether any file has bytes. */
export const hasContents = async (db: Db): Promise<boolean> =>
  (await db.all(contentsAfter, { after: 0, limit: 1 })).length > 0

export interface Content {
  id: number
  blob: string
  size: number
  sha256: string
}

/** Bytes that files have, in the order in which they came. */
export const listContents = (db: Db, after: number, limit: number): Promise<Content[]> =>
  db.all(contentsAfter, { after, limit })

const filesOfContent = query((p: { content: number }, sql) =>
  sql.selectFrom('file').select(['file_id', 'name']).where('content', '=', p.content).limit(20),
)

export const filesWith = (db: Db, content: number): Promise<{ file_id: Ulid; name: string }[]> =>
  db.all(filesOfContent, { content })
