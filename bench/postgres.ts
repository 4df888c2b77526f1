import { once } from 'node:events'
import { chownSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { IndexEntry } from '#src/domain/index-values.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { type PostgresServer, startPostgres } from '#test/support/postgres.ts'

const FOLDER = resolve('.bench/postgres')
const UNPRIVILEGED = 65534
/** What a machine of a few gigabytes is given; durable, with every other setting as it comes. */
const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
}
/** Tables that the bench fills, those that others refer to first. */
const TABLES = ['item', 'tag', 'field', 'item_tag', 'item_text', 'audit_event']
const WORDS = ['word_item', 'word_part', 'word_part_data', 'word_block']

/** A PostgreSQL whose data outlives it, in `.bench/`. */
export function startBenchPostgres(): Promise<PostgresServer> {
  if (!existsSync(FOLDER)) mkdirSync(FOLDER, { mode: 0o700, recursive: true })
  if (process.getuid?.() === 0) chownSync(FOLDER, UNPRIVILEGED, UNPRIVILEGED)
  return startPostgres({ data: FOLDER, settings: SETTINGS, durable: true })
}

/**
 * A fresh database with everything that a data file of `dataFile` holds; its URL. What was copied once is kept beside
 * it as a template.
 */
export async function postgresCopy(server: PostgresServer, file: string, name: string): Promise<string> {
  const template = basename(file, '.db').replaceAll('-', '_')
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  try {
    const { rows } = await admin.query('select 1 from pg_database where datname = $1', [template])
    if (!rows.length) {
      await admin.query(`drop database if exists growing`)
      await admin.query(`create database growing`)
      await fill(server.url.replace(/postgres$/, 'growing'), file)
      await admin.query(`alter database growing rename to ${template}`)
    }
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template ${template} strategy file_copy`)
    await admin.query('checkpoint')
  } finally {
    await admin.end()
  }
  return server.url.replace(/postgres$/, name)
}

/** Without indexes, which are made at the end: many times faster. */
async function fill(url: string, file: string): Promise<void> {
  await preparePostgres(url)
  const source = new Database(file, { readonly: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The rows fit together as they do in the data file: to look each reference up takes longer than to copy it.
    await client.query(`set session_replication_role = replica`)
    await client.query(`set synchronous_commit = off`)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select i.indexname as name, i.indexdef as definition from pg_indexes i
       where i.schemaname = 'public' and i.tablename = any($1)
         and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
      [[...TABLES, 'field_value']],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const table of TABLES) await copyTable(client, source, table)
    for (const table of WORDS) {
      await client.query(`delete from ${table}`)
      await copyTable(client, source, table)
    }
    await client.query('delete from word_pending')
    await copyValues(client, source)
    for (const { definition } of indexes) await client.query(definition)
    for (const statement of postgresDialect.afterLoading) await client.query(statement)
  } finally {
    source.close()
    await client.end()
  }
}

async function copyTable(client: pg.Client, source: Database.Database, table: string): Promise<void> {
  const rows = source.prepare(`select * from ${table}`).raw()
  const columns = rows.columns().map((each) => each.name)
  await copyRows(client, table, columns, rows.iterate() as Iterable<unknown[]>)
  if (columns[0] !== 'id' || table === 'item_text') return
  const { last } = source.prepare(`select max(id) as last from ${table}`).get() as { last: number }
  await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, last])
}

async function copyValues(client: pg.Client, source: Database.Database): Promise<void> {
  const references = new Set(
    source.prepare(`select id from field where kind = 'Reference'`).pluck().all() as number[],
  ).add(HAS_TAG)
  const values = source.prepare('select field, val, item from field_value').raw().iterate()
  const { columns, encode } = postgresDialect.fieldValue
  function* rows() {
    for (const [field, val, item] of values as Iterable<[number, unknown, number]>)
      yield [field, ...encode(entryOf(val, references.has(field))), item]
  }
  await copyRows(client, 'field_value', ['field', ...columns, 'item'], rows())
}

function entryOf(val: unknown, isReference: boolean): IndexEntry {
  if (typeof val === 'string') return { as: 'text', text: val }
  if (typeof val === 'number')
    return isReference ? { as: 'reference', item: val } : { as: 'number', number: val }
  return (val as Uint8Array).length ? { as: 'type_mismatch' } : { as: 'empty' }
}

/** Through a file in the text format of COPY. */
async function copyRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<unknown[]>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'facet-bench-'))
  if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED)
  const file = join(folder, table)
  const out = createWriteStream(file, { highWaterMark: 1 << 20 })
  for (const row of rows) if (!out.write(copyLine(row))) await once(out, 'drain')
  out.end()
  await once(out, 'close')
  await client.query(`copy ${table} (${columns.join(', ')}) from '${file}'`)
  rmSync(folder, { recursive: true })
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyField(value: unknown): string {
  if (value === null) return '\\N'
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`
  return `${value as string | number}`.replaceAll(/[\\\t\n\r]/g, (each) => ESCAPES[each]!)
}

const copyLine = (row: readonly unknown[]) => `${row.map(copyField).join('\t')}\n`
