import type { FieldType } from '#src/domain/field-schema.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import { indexValues } from '#src/domain/index-values.ts'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'

interface Applied {
  item: number
  tag: number
  field_values: string
}
interface Field {
  id: number
  tag: number
  name: string
  kind: FieldType
}

/** Rows of the value index and of the search texts that are not what the items say, in both directions. */
export function indexDisagreements(db: SqliteConnection): string[] {
  // Throws where the trigram index is not what its text is.
  db.raw.exec(`insert into item_trigram (item_trigram, rank) values ('integrity-check', 1)`)
  return [
    ...differences(expectedValues(db), storedValues(db)),
    ...differences(expectedTexts(db), storedTexts(db)),
  ]
}

function differences(expected: Set<string>, stored: Set<string>): string[] {
  return [
    ...[...expected.difference(stored)].map((row) => `missing: ${row}`),
    ...[...stored.difference(expected)].map((row) => `left over: ${row}`),
  ]
}

const rowText = (row: unknown[]) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))

function expectedValues(db: SqliteConnection): Set<string> {
  const fields = Map.groupBy(db.raw.prepare('select * from field').all() as Field[], ({ tag }) => tag)
  const rowIds = new Map(
    db.raw
      .prepare('select item_id, id from item union all select item_id, id from purged_item')
      .raw()
      .all() as [string, number][],
  )
  const applied = db.raw
    .prepare(
      'select item_tag.* from item_tag join item on item.id = item_tag.item where item.deleted_at is null',
    )
    .all() as Applied[]
  const rows = new Set<string>()
  for (const { item, tag, field_values } of applied) {
    rows.add(rowText([0, tag, item]))
    const values = JSON.parse(field_values) as Record<string, unknown>
    for (const { id, name, kind } of fields.get(tag) ?? [])
      for (const entry of indexValues(kind, Object.hasOwn(values, name) ? values[name] : null, (target) =>
        rowIds.get(target),
      ))
        rows.add(rowText([id, ...sqliteDialect.fieldValue.encode(entry), item]))
  }
  return rows
}

const storedValues = (db: SqliteConnection) =>
  new Set(
    (db.raw.prepare('select field, val, item from field_value').raw().all() as unknown[][]).map(rowText),
  )

function expectedTexts(db: SqliteConnection): Set<string> {
  const items = db.raw.prepare('select id, name, description from item where deleted_at is null').raw().all()
  return new Set(
    (items as [number, string, string | null][]).map(([id, name, description]) =>
      rowText([id, foldForSearch(name), description === null ? null : foldDescription(description)]),
    ),
  )
}

const storedTexts = (db: SqliteConnection) =>
  new Set(
    (db.raw.prepare('select id, name, description from item_text').raw().all() as unknown[][]).map(rowText),
  )
