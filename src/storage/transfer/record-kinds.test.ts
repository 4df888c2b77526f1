import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { LEFT_OUT, LEFT_OUT_COLUMNS, RECORD_KINDS } from '#src/storage/transfer/record-kinds.ts'

/** What the database keeps for itself. */
const OWN = /^(schema_migration|sqlite_.*)$/
/** Columns of records that are of no table. */
const JOINED: Record<string, string[]> = { view: ['owner_email'] }

const folder = mkdtempSync(join(tmpdir(), 'facet-kinds-'))
let db: SqliteConnection
beforeAll(async () => {
  const file = join(folder, 'facet.db')
  await prepareSqliteFile(file)
  db = new SqliteConnection(file, { readonly: true })
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const columnsOf = (table: string) =>
  db.raw.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]

it('have every table, or it is named with the reason why not', () => {
  const tables = db.raw
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table'")
    .pluck()
    .all() as string[]
  const known = new Set([...RECORD_KINDS.map(({ name }) => name), ...Object.keys(LEFT_OUT)])
  expect(tables.filter((name) => !OWN.test(name) && !known.has(name))).toEqual([])
})

for (const { name, columns } of RECORD_KINDS)
  it(`have every column of ${name}, or it is named with the reason why not`, () => {
    const known = [...Object.keys(columns), ...Object.keys(LEFT_OUT_COLUMNS[name] ?? {})]
    expect(known.toSorted()).toEqual([...columnsOf(name), ...(JOINED[name] ?? [])].toSorted())
  })

const format = readFileSync('docs/reference/export-format.md', 'utf8')
const described = [...format.matchAll(/^\| `(\w+)`( †)? \| ([\w, ]+) \| (.+) \|$/gm)].filter(
  ([, , , keys]) => keys !== 'key',
)

it('are described in their order', () => {
  expect(described.map(([, name]) => name)).toEqual(RECORD_KINDS.map(({ name }) => name))
})

for (const { name, columns, key, withAccounts } of RECORD_KINDS)
  it(`have ${name} described with its key and columns, and with those that may be null`, () => {
    const [, , accounts, keys, properties = ''] = described.find((each) => each[1] === name)!
    expect({ keys, accounts: accounts !== undefined }).toEqual({
      keys: key.join(', '),
      accounts: withAccounts,
    })
    const expected = Object.entries(columns).map(([column, type]) =>
      type.endsWith('or null') ? `${column}?` : column,
    )
    // What a property means may stand behind it.
    const listed = properties
      .replaceAll(/\([^)]*\)|\*\*/g, '')
      .split(',')
      .map((each) => /^[\w?]*/.exec(each.trim())![0])
    expect(listed.slice(0, expected.length)).toEqual(expected)
  })
