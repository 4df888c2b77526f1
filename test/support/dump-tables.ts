import Database from 'better-sqlite3'
import { Client } from 'pg'
import { vi } from 'vitest'
import type { Service } from '#test/support/service.ts'

const TABLES = [
  'item',
  'purged_item',
  'item_text',
  'item_tag',
  'tag',
  'tag_base',
  'field',
  'field_value',
  'audit_event',
] as const

type Row = Record<string, unknown>

/** Runs SQL on the database of a service, past the service. */
export async function queryDatabase(service: Pick<Service, 'database_url'>, sql: string): Promise<Row[]> {
  return (await queryAll(service, [sql]))[0]!
}

async function queryAll({ database_url }: Pick<Service, 'database_url'>, texts: string[]): Promise<Row[][]> {
  return database_url.startsWith('file:')
    ? querySqlite(database_url, texts)
    : queryPostgres(database_url, texts)
}

function querySqlite(url: string, texts: string[]): Row[][] {
  const db = new Database(url.slice('file:'.length))
  try {
    return texts.map((sql) => {
      const statement = db.prepare(sql)
      return statement.reader ? (statement.all() as Row[]) : (statement.run(), [])
    })
  } finally {
    db.close()
  }
}

async function queryPostgres(url: string, texts: string[]): Promise<Row[][]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const all: Row[][] = []
    for (const sql of texts) all.push((await client.query<Row>(sql)).rows)
    return all
  } finally {
    await client.end()
  }
}

/**
 * Every row of the knowledge base as it is in the database, to be compared before and after a call; what earlier calls
 * have left to be entered is waited for.
 */
export async function dumpTables(service: Pick<Service, 'database_url'>): Promise<Record<string, string[]>> {
  await vi.waitUntil(
    async () =>
      Number((await queryDatabase(service, 'select count(*) as n from waiting_text'))[0]!['n']) === 0,
    { timeout: 20_000, interval: 50 },
  )
  const all = await queryAll(
    service,
    TABLES.map((table) => `select * from ${table}`),
  )
  return Object.fromEntries(
    all.map((rows, i) => [TABLES[i], rows.map((row) => JSON.stringify(row)).toSorted()]),
  )
}

/** Sizes of what is derived from items and tags, beside what it is derived from. */
export async function countIndexRows(service: Pick<Service, 'database_url'>) {
  const count = async (sql: string) =>
    Number((await queryDatabase(service, `select count(*) as n ${sql}`))[0]!['n'])
  return {
    liveItems: await count('from item where deleted_at is null'),
    texts: await count('from item_text'),
    tagsOnLiveItems: await count('from item_tag join item on item.id = item where deleted_at is null'),
    hasTag: await count('from field_value where field = 0'),
    valuesOfDeleted: await count(
      'from field_value where item not in (select id from item where deleted_at is null)',
    ),
  }
}
