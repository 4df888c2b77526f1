import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'

/** A tag that another one extends. */
export interface TagBase {
  /** Row id. */
  id: number
  tag_id: Ulid
  name: string
}

const bases = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('tag_base')
    .innerJoin('tag', 'tag.id', 'tag_base.base')
    .select(['tag.id', 'tag.tag_id', 'tag.name'])
    .where('tag_base.tag', '=', p.tag)
    .where('tag.deleted_at', 'is', null)
    .orderBy('tag_base.position'),
)

/** The live tags that a tag extends, in the order given. */
export async function basesOf(db: Db, tag: number): Promise<TagBase[]> {
  return db.all(bases, { tag })
}

const allBases = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('tag_base')
    .innerJoin('tag', 'tag.id', 'tag_base.base')
    .select('tag.tag_id')
    .where('tag_base.tag', '=', p.tag)
    .orderBy('tag_base.position'),
)

/** Ids of all tags that a tag extends, deleted ones too: restored, they are extended again (decision 30). */
export const allBasesOf = async (db: Db, tag: number): Promise<Ulid[]> =>
  (await db.all(allBases, { tag })).map(({ tag_id }) => tag_id)

const ofAll = query((_: object, sql) =>
  sql
    .selectFrom('tag_base')
    .innerJoin('tag', 'tag.id', 'tag_base.tag')
    .innerJoin('tag as upper', 'upper.id', 'tag_base.base')
    .select(['tag.tag_id', 'upper.tag_id as base'])
    .orderBy('tag_base.tag')
    .orderBy('tag_base.position'),
)

/** The same of every tag that extends some, by its id. */
export async function basesByTag(db: Db): Promise<Map<Ulid, Ulid[]>> {
  const byTag = Map.groupBy(await db.all(ofAll, {}), ({ tag_id }) => tag_id)
  return new Map([...byTag].map(([tag_id, rows]) => [tag_id, rows.map(({ base }) => base)]))
}

const clear = query((p: { tag: number }, sql) => sql.deleteFrom('tag_base').where('tag', '=', p.tag))
/** Rows of (tag, base, position), tags by row id. */
export const insertBases = rowInserter('tag_base', ['tag', 'base', 'position'])

/** Replaces what a tag extends, deleted tags included. */
export async function setBases(db: Db, tag: number, list: readonly number[]): Promise<void> {
  await db.enqueue(clear, { tag })
  await insertBases(
    db,
    list.map((base, position) => [tag, base, position]),
  )
}

// A deleted tag drops out of the relation, and with it what only it connected.
const extending = query((p: { tag: number }, sql) =>
  sql
    .withRecursive('below', (cte) =>
      cte
        .selectFrom('tag')
        .select('id')
        .where('id', '=', p.tag)
        .union(
          cte
            .selectFrom('below')
            .innerJoin('tag_base', 'tag_base.base', 'below.id')
            .innerJoin('tag', 'tag.id', 'tag_base.tag')
            .where('tag.deleted_at', 'is', null)
            .select('tag.id'),
        ),
    )
    .selectFrom('below')
    .select('id')
    .orderBy('id'),
)

/** Row ids of a live tag and of all live tags that extend it, over any number of levels. */
export async function extendingTags(db: Db, tag: number): Promise<number[]> {
  const key = `tags extending ${tag}`
  let known = db.cache.get(key) as number[] | undefined
  if (!known) db.cache.set(key, (known = (await db.all(extending, { tag })).map(({ id }) => id)))
  return known
}

// Upward from a live tag only live ones are reached, so that the lower end need not be asked.
const edges = query((_: object, sql) =>
  sql
    .selectFrom('tag_base')
    .innerJoin('tag as upper', 'upper.id', 'tag_base.base')
    .where('upper.deleted_at', 'is', null)
    .select(['tag_base.tag', 'tag_base.base', 'upper.name']),
)

/** The circle that a tag would close by extending these, as the names from one of them up to the tag; or null. */
export async function circleThrough(
  db: Db,
  tag: { id: number; name: string },
  extended: readonly TagBase[],
): Promise<string[] | null> {
  const above = Map.groupBy(await db.all(edges, {}), (edge) => edge.tag)
  const seen = new Set<number>()
  const open = extended.map(({ id, name }) => ({ id, path: [name] }))
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.id === tag.id) return next.path
    if (seen.has(next.id)) continue
    seen.add(next.id)
    for (const { base, name } of above.get(next.id) ?? []) open.push({ id: base, path: [...next.path, name] })
  }
  return null
}
