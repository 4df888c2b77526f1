import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FieldType, flattenFields } from '#src/domain/field-schema.ts'
import { fold } from '#src/domain/fold.ts'
import { type IndexEntry, indexValues } from '#src/domain/index-values.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { textRow } from '#src/storage/items/items.ts'
import { enterWords } from '#src/storage/words/enter-words.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { Random } from '#bench/random.ts'
import {
  someCustomer,
  someDescription,
  someName,
  someProject,
  someTask,
  TAGS,
  type TagName,
} from '#bench/vocabulary.ts'

const FOLDER = '.bench'
/** Counted up when the generated content changes. */
const FORMAT = 5
const TABLES = [
  'item',
  'item_tag',
  'tag',
  'field',
  'field_value',
  'item_text',
  'item_trigram',
  'audit_event',
  'word_block',
]
const FIRST_MOMENT = Date.UTC(2024, 0, 1)
const SECONDS_BETWEEN = 60
/** Items that go into the word index together: a service takes fewer, for which others wait. */
const WORDS_AT_ONCE = 32_768
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A database file with this many items, the same each time: 2 % customers, 8 % projects, 90 % tasks; 1 % of all
 * deleted. Made once and kept (in `.bench/`); copy it before changing it.
 */
export async function dataFile(items: number): Promise<string> {
  const file = join(FOLDER, `data-${await schemaHash()}-${items}.db`)
  if (existsSync(file)) return file
  mkdirSync(FOLDER, { recursive: true })
  const growing = `${file}.${process.pid}`
  const db = new SqliteConnection(growing)
  await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
  db.raw.pragma('synchronous = OFF')
  db.raw.pragma('cache_size = -2000000')
  fill(db, items)
  db.raw.exec('insert into word_pending (item) select id from item_text order by id')
  while (await enterWords(db, WORDS_AT_ONCE));
  db.raw.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  renameSync(growing, file)
  for (const rest of ['-wal', '-shm']) rmSync(growing + rest, { force: true })
  return file
}

/** Changes with the tables that are filled, so that no file of an older schema is used. */
async function schemaHash(): Promise<string> {
  const db = new SqliteConnection(':memory:')
  await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
  const schema = db.raw.prepare('select tbl_name, sql from sqlite_schema order by type, name').all() as {
    tbl_name: string
    sql: string
  }[]
  db.close()
  const filled = schema.filter(({ tbl_name }) => TABLES.includes(tbl_name))
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, filled]))
    .digest('hex')
    .slice(0, 8)
}

interface Tag {
  id: number
  tag_id: string
  fields: Map<string, { id: number; type: FieldType }>
}

function fill(db: SqliteConnection, items: number): void {
  const random = new Random(items)
  db.raw.exec('begin')
  const tags = Object.fromEntries(
    Object.keys(TAGS).map((name) => [name, insertTag(db, random, name as TagName)]),
  ) as Record<TagName, Tag>
  // The value index is filled in its own order at the end: many times faster than by item.
  db.raw.exec('drop index field_value_item')
  db.raw.exec('create temp table loose_value (field, val, item)')
  const insert = itemInserter(db, random, tags)
  for (let number = 1; number <= items; number++) insert(number)
  db.raw.exec('insert into field_value select * from loose_value order by field, val, item')
  db.raw.exec('create index field_value_item on field_value (item, field)')
  db.raw.exec('drop table temp.loose_value')
  db.raw.exec(`insert into item_trigram (item_trigram) values ('optimize')`)
  db.raw.exec('commit')
}

function insertTag(db: SqliteConnection, random: Random, name: TagName): Tag {
  const fields = TAGS[name]
  const tag_id = ulidAt(random, FIRST_MOMENT)
  const time = new Date(FIRST_MOMENT).toISOString()
  const { lastInsertRowid } = db
    .statement(
      `insert into tag (tag_id, name, fields, schema_version, folded_name, created_at, updated_at)
       values (?, ?, ?, 1, ?, ?, ?)`,
    )
    .run(tag_id, name, JSON.stringify(fields), fold(name), time, time)
  const id = Number(lastInsertRowid)
  const insertField = db.statement('insert into field (tag, name, kind) values (?, ?, ?)')
  const numbered = [...flattenFields(fields).values()].map(({ name: field, type }) => {
    const row = insertField.run(id, field, type)
    return [field, { id: Number(row.lastInsertRowid), type }] as const
  })
  return { id, tag_id, fields: new Map(numbered) }
}

/** One item with its tag, index rows, folded text and event. */
function itemInserter(db: SqliteConnection, random: Random, tags: Record<TagName, Tag>) {
  const known: Record<TagName, string[]> = { Customer: [], Project: [], Task: [] }
  const rowIds = new Map<string, number>()
  const statements = itemStatements(db)
  const encode = (entry: IndexEntry) => sqliteDialect.fieldValue.encode(entry)
  return (number: number): void => {
    const moment = FIRST_MOMENT + number * SECONDS_BETWEEN * 1000
    const created_at = new Date(moment).toISOString()
    const updated_at = random.chance(0.3)
      ? new Date(moment + random.below(90) * 86_400_000).toISOString()
      : created_at
    const item_id = ulidAt(random, moment)
    const tag_name: TagName = number % 50 === 1 ? 'Customer' : number % 12 === 2 ? 'Project' : 'Task'
    const deleted = tag_name === 'Task' && random.chance(0.01)
    const name = someName(random, number)
    const description = someDescription(random)
    const values = someValues[tag_name](random, known)
    const { id: tag, tag_id, fields } = tags[tag_name]
    const json = JSON.stringify(values)

    statements.item.run(
      number,
      item_id,
      name,
      description,
      created_at,
      updated_at,
      deleted ? updated_at : null,
    )
    statements.itemTag.run(number, tag, json)
    const event = {
      name,
      description,
      tags: [{ tag_id, tag_name, schema_version: 1, initial_values: values }],
    }
    const [made, applied] = [ulidAt(random, moment), ulidAt(random, moment)].sort()
    statements.created.run(made, item_id, JSON.stringify(event), created_at, made)
    const own = JSON.stringify({ tag_name, initial_values: values })
    statements.applied.run(applied, item_id, tag_id, own, created_at, made)
    if (deleted) return
    if (tag_name !== 'Task') {
      known[tag_name].push(item_id)
      rowIds.set(item_id, number)
    }
    statements.text.run(...textRow({ id: number, name, description }))
    statements.value.run(HAS_TAG, ...encode({ as: 'reference', item: tag }), number)
    for (const [field, value] of Object.entries(values)) {
      const { id, type } = fields.get(field)!
      for (const entry of indexValues(type, value, (target) => rowIds.get(target)))
        statements.value.run(id, ...encode(entry), number)
    }
  }
}

const someValues: Record<
  TagName,
  (random: Random, known: Record<TagName, string[]>) => Record<string, unknown>
> = {
  Customer: (random) => someCustomer(random),
  Project: (random, { Customer }) =>
    someProject(random, Customer.length ? random.pickSkewed(Customer) : null),
  Task: (random, { Project }) => someTask(random, Project.length ? random.pickSkewed(Project) : null),
}

const itemStatements = (db: SqliteConnection) => ({
  item: db.statement(
    `insert into item (id, item_id, name, description, created_at, updated_at, deleted_at) values (?, ?, ?, ?, ?, ?, ?)`,
  ),
  itemTag: db.statement('insert into item_tag (item, tag, schema_version, field_values) values (?, ?, 1, ?)'),
  text: db.statement('insert into item_text (id, name, description) values (?, ?, ?)'),
  value: db.statement('insert into loose_value (field, val, item) values (?, ?, ?)'),
  created: db.statement(
    `insert into audit_event (event_id, event_type, entity_type, item_id, source, details, created_at, change_id)
     values (?, 'item_created', 'item', ?, 'rest', ?, ?, ?)`,
  ),
  applied: db.statement(
    `insert into audit_event (event_id, event_type, entity_type, item_id, tag_id, source, details, created_at, change_id, state)
     values (?, 'tag_applied', 'item', ?, ?, 'rest', ?, ?, ?, '{"schema_version":1}')`,
  ),
})

/** A ULID of that moment whose chance comes from the seed. */
function ulidAt(random: Random, moment: number): string {
  let time = ''
  for (let rest = moment, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let chance = ''
  while (chance.length < 16) chance += ALPHABET[random.below(32)]
  return time + chance
}
