import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

/** The engine that the contract tests of this project run on. */
export const TEST_ENGINE = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

export interface TestDatabase {
  /** DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/** A new database of that engine, without any data. */
export async function testDatabase(folder: string): Promise<TestDatabase> {
  if (TEST_ENGINE === 'sqlite') return { url: `file:${join(folder, 'facet.db')}`, async drop() {} }
  return postgresDatabase(inject('postgres').template)
}

/** A copy of a database, or one without a single table. */
export async function postgresDatabase(template = 'template0'): Promise<TestDatabase> {
  const { url } = inject('postgres')
  const name = `facet_${randomUUID().replaceAll('-', '')}`
  await administer(url, `create database ${name} template ${template}`)
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
