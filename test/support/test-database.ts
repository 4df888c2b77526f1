import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

/** The engine that the contract tests of this project run on. */
export const TEST_ENGINE = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

/** DATABASE_URL of a new, empty database of that engine, and how to be rid of it. */
export async function testDatabase(folder: string): Promise<{ url: string; drop(): Promise<void> }> {
  if (TEST_ENGINE === 'sqlite') return { url: `file:${join(folder, 'facet.db')}`, async drop() {} }
  const { url, template } = inject('postgres')
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
