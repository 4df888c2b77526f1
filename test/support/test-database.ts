import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { TEST_ALL } from '#test/support/runs.ts'

/** The engine that the contract tests of this project run on. */
export const TEST_ENGINE = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

/**
 * Whether cases whose behaviour is decided above the engine are put to this one: a text refused before any statement, a
 * stream that a client does not read. To SQLite always, to PostgreSQL by `npm run test:all`.
 */
export const ABOVE_ENGINE = TEST_ALL || TEST_ENGINE === 'sqlite'

export interface TestDatabase {
  /** DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/** A new database of that engine, without any data, its schema up to date. */
export async function testDatabase(folder: string): Promise<TestDatabase> {
  if (TEST_ENGINE === 'sqlite') {
    const file = join(folder, 'facet.db')
    copyFileSync(await migratedFile(), file)
    return { url: `file:${file}`, async drop() {} }
  }
  return postgresDatabase(inject('postgres').template)
}

let migrated: Promise<string> | undefined
/** Migrated once in a process, then copied: what the migrations do has tests of its own. */
export function migratedFile(): Promise<string> {
  return (migrated ??= migrate())
}

async function migrate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'facet-migrated-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { file, release } = await prepareSqliteFile(join(folder, 'facet.db'))
  release()
  return file
}

/** A copy of a database, or one without a single table. */
export async function postgresDatabase(template = 'template0'): Promise<TestDatabase> {
  const { url } = inject('postgres')
  const name = `facet_${randomUUID().replaceAll('-', '')}`
  await administer(url, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: url.replace(/\/postgres$/, `/${name}`),
    drop: () => administer(url, `drop database if exists ${name} with (force)`),
  }
}

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
