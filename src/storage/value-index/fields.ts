import type { FieldType, FlatFields } from '#src/domain/field-schema.ts'
import { type Db, query } from '#src/sql/query.ts'

/** The number of a tag's field and the type by which its rows in the value index are made. */
export interface FieldRow {
  /** Row id in `field`. */
  id: number
  name: string
  kind: FieldType
}

/** By field name; fields that have left the schema keep their rows. */
export type FieldRows = ReadonlyMap<string, FieldRow>

/** A tag as the value index knows it; a StoredTag is one. */
export interface IndexedTag {
  /** Row id. */
  readonly id: number
  /** Also of fields that have left the schema: their values can still be on items. */
  readonly rows: FieldRows
}

const ofTag = query((p: { tag: number }, sql) =>
  sql
    .selectFrom('field')
    .select(['id', 'name', 'kind'])
    .where('tag', '=', p.tag)
    .orderBy('id')
    .$narrowType<{ kind: FieldType }>(),
)

const insertField = query((p: { tag: number; name: string; kind: FieldType }, sql) =>
  sql.insertInto('field').values({ tag: p.tag, name: p.name, kind: p.kind }),
)

const insertFieldAt = query((p: { id: number; tag: number; name: string; kind: FieldType }, sql) =>
  sql.insertInto('field').values({ id: p.id, tag: p.tag, name: p.name, kind: p.kind }),
)

const setKind = query((p: { id: number; kind: FieldType }, sql) =>
  sql.updateTable('field').set({ kind: p.kind }).where('id', '=', p.id),
)

const setName = query((p: { id: number; name: string }, sql) =>
  sql.updateTable('field').set({ name: p.name }).where('id', '=', p.id),
)

/**
 * Gives fields of a tag other names; what the index has of them stays right. A field that left the schema under one of
 * the new names takes the old one: under both names values that come back later are indexed.
 */
export async function renameFieldRows(
  db: Db,
  tag: number,
  rows: FieldRows,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [old, name] of names) {
    const { id, kind } = rows.get(old)!
    const left = rows.get(name)
    // No field can have such a name.
    if (left) await db.enqueue(setName, { id: left.id, name: `${old}.` })
    await db.enqueue(setName, { id, name })
    if (left) await db.enqueue(setName, { id: left.id, name: old })
    else await db.enqueue(insertField, { tag, name: old, kind })
  }
}

export async function fieldRows(db: Db, tag: number): Promise<FieldRows> {
  return new Map((await db.all(ofTag, { tag })).map((row) => [row.name, row]))
}

/** The rows that the fields of a new tag will have, with these ids in their order. */
export const fieldRowsWith = (fields: FlatFields, ids: readonly number[]): FieldRows =>
  new Map([...fields.values()].map(({ name, type }, i) => [name, { id: ids[i]!, name, kind: type }]))

/** Makes them. */
export async function insertFieldRows(db: Db, tag: number, rows: FieldRows): Promise<void> {
  for (const { id, name, kind } of rows.values()) await db.enqueue(insertFieldAt, { id, tag, name, kind })
}

/**
 * Gives each field of a schema its number and type. The answer is the fields that had another type: their rows in
 * the value index are to be made again.
 */
export async function numberFields(
  db: Db,
  tag: number,
  known: FieldRows,
  fields: FlatFields,
): Promise<FieldRow[]> {
  const changed: FieldRow[] = []
  for (const { name, type } of fields.values()) {
    const row = known.get(name)
    if (!row) await db.enqueue(insertField, { tag, name, kind: type })
    else if (row.kind !== type) {
      await db.enqueue(setKind, { id: row.id, kind: type })
      changed.push({ ...row, kind: type })
    }
  }
  return changed
}
