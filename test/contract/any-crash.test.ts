import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { hasTypingError, oracleItems, oracleOrder, oracleScores } from '#test/support/any-oracle.ts'
import { TEST_SEED } from '#test/support/chance.ts'
import { Client } from '#test/support/client.ts'
import { connectPostgres } from '#test/support/postgres-base.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { TEST_ENGINE, type TestDatabase, testDatabase } from '#test/support/test-database.ts'

// The service is killed while texts are written and taken into the word index: what it then finds, and in which
// order, is what looking at each item finds (further.md §13).

const KILLS = 2
const WRITERS = 4
const [EARLIEST, LATEST] = [20, 150]
const QUESTIONS = 8
const TIMEOUT = 120_000
const ACCOUNT = { email: 'crash@example.org', password: 'never lost' }
const PLACES = ['name', 'description'] as const
const WORDS = 'recipe recipes cars carpet книга книги 東京都 كتاب 한국어 สวัสดี the of'.split(' ')

const random = new Random(TEST_SEED)
const text = (most: number) =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(WORDS)).join(' ')

let folder: string
let database: TestDatabase
let service: ServiceProcess
let client: Client

async function start(path: string): Promise<void> {
  service = new ServiceProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' } })
  client = new Client(await service.url())
  await client.ok('POST', path, ACCOUNT)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-any-crash-'))
  database = await testDatabase(folder)
  await start('/api/auth/register')
}, TIMEOUT)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

let answered = 0

/** Creates, changes, deletes and restores until the service is gone. */
async function write(killAt: number): Promise<void> {
  const items = Array.from({ length: 5 }, () => ({ name: text(3) || 'none', description: text(20) }))
  try {
    for (;;) {
      for (const { item_id } of await client.ok('POST', '/api/items/bulk', { items })) {
        const body = { name: text(2) || 'none', description: text(8) }
        await client.ok('PUT', `/api/items/${item_id}`, body)
        await client.ok('DELETE', `/api/items/${item_id}`)
        if (random.below(3)) await client.ok('POST', `/api/items/${item_id}/restore`)
        if (++answered === killAt) service.child.kill('SIGKILL')
      }
    }
  } catch (error) {
    // The connection broke.
    if (!(error instanceof TypeError)) throw error
  }
}

async function itemsOfBase() {
  if (TEST_ENGINE === 'sqlite') {
    const db = new SqliteConnection(database.url.replace('file:', ''), { readonly: true })
    const items = await oracleItems(db)
    db.close()
    return items
  }
  const { db, close } = await connectPostgres(database.url)
  const items = await oracleItems(db)
  await close()
  return items
}

it('finds the same after kill -9', { timeout: TIMEOUT }, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const killAt = answered + EARLIEST + random.below(LATEST - EARLIEST)
    await Promise.all(Array.from({ length: WRITERS }, () => write(killAt)))
    await service.ended
    await start('/api/auth/login')
    const items = await itemsOfBase()
    expect(items.length).toBeGreaterThan(EARLIEST)
    for (let i = 0; i < QUESTIONS; i++) {
      const sought = `${random.pick(WORDS)} ${text(4)}`
      if (hasTypingError(items, [sought], PLACES)) continue
      const filter = { search: { text: sought, match: 'any' } }
      const found = await client.ok('POST', '/api/items/search', {
        filter,
        limit: 1000,
        fields: ['item_id'],
      })
      const order = oracleOrder(items, oracleScores(items, [sought], PLACES))
      const ids = new Map(items.map(({ id, item_id }) => [id, item_id]))
      expect(
        found.map(({ item_id }: { item_id: string }) => item_id),
        `${sought} (TEST_SEED=${TEST_SEED})`,
      ).toEqual(order.map((id) => ids.get(id)).slice(0, 1000))
    }
  }
})
