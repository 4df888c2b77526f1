import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fold } from '#src/domain/fold.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { emptyDatabase, withDatabase } from '#test/support/bare-database.ts'

// A base of a version that folded texts by case alone: while they are folded again the service is killed again and
// again, and every answer is right all the time.

const ITEMS = 4000
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idOf = (i: number) =>
  `01J${ALPHABET[i >> 10]}${ALPHABET[(i >> 5) & 31]}${ALPHABET[i & 31]}`.padEnd(26, '0')

/** Every third is found by its accent, every fifth behind its markup, and some by neither. */
const items = Array.from({ length: ITEMS }, (_, i) => ({
  item_id: idOf(i),
  name: i % 3 ? `Plain ${i}` : `São Tomé ${i}`,
  description: i % 5 ? null : `<p>An <em>ambiguous</em> utopia</p>`,
}))
const named = (holds: (i: number) => boolean) => items.filter((_, i) => holds(i)).length

let folder: string
let url: string
let drop: () => Promise<void>
let child: ChildProcess
let origin: string
let log = ''
let cookie = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-folding-'))
  ;({ url, drop } = await emptyDatabase(folder))
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0007'))
  await withDatabase(url, async (db, schema) => {
    await migrate(db, schema, { list: older })
    const time = '2026-01-01T00:00:00.000Z'
    for (let from = 0; from < ITEMS; from += 500) {
      const some = items.slice(from, from + 500)
      await db
        .insertInto('item')
        .values(some.map((item) => ({ ...item, created_at: time, updated_at: time })))
        .execute()
      await db
        .insertInto('item_text')
        .values(
          some.map(({ name, description }, i) => ({
            id: from + i + 1,
            name: fold(name),
            description: description === null ? null : fold(description),
          })),
        )
        .execute()
    }
  })
})
afterAll(async () => {
  child.kill('SIGKILL')
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  child = spawn(process.execPath, ['scripts/start.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', DATABASE_URL: url, LOG_LEVEL: 'info' },
  })
  child.stderr!.on('data', (text) => (log += text))
  for await (const line of createInterface({ input: child.stdout! })) {
    const found = /at (http\S+)$/.exec(line)
    if (!found) continue
    origin = found[1]!
    return
  }
  throw new Error(`it did not start: ${log}`)
}

const send = (method: string, path: string, body?: unknown) =>
  fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function waiting(): Promise<number> {
  const text = await (await send('GET', '/metrics')).text()
  return Number(/^facet_search_texts_waiting (\d+)$/m.exec(text)![1])
}

async function count(filter: unknown): Promise<number> {
  const answer = await send('POST', '/api/items/search', { filter, limit: 0, count: true })
  expect(answer.status).toBe(200)
  return Number(answer.headers.get('x-total-count'))
}

async function answersAreRight(): Promise<void> {
  expect(await count({ search: 'sao tome' })).toBe(named((i) => i % 3 === 0))
  expect(await count({ search: 'ambiguous utopia' })).toBe(named((i) => i % 5 === 0))
  expect(await count({ and: [{ search: 'plain' }, { not: { search: 'tome' } }] })).toBe(
    named((i) => i % 3 !== 0),
  )
  expect(await count({ and: [{ search: 'sao' }, { search: { text: 'utopia', in: ['description'] } }] })).toBe(
    named((i) => i % 15 === 0),
  )
  const ranked = await send('POST', '/api/items/search', {
    filter: { search: 'tome' },
    sort: [{ by: 'relevance' }],
    limit: 3,
  })
  expect(((await ranked.json()) as { name: string }[]).map(({ name }) => name)).toEqual([
    'São Tomé 9',
    'São Tomé 6',
    'São Tomé 3',
  ])
}

it('folds the texts of an older base during its work, through kills, and answers right meanwhile', async () => {
  await start()
  const registered = await send('POST', '/api/auth/register', {
    email: 'a@example.org',
    password: 'correct horse',
  })
  cookie = registered.headers.get('set-cookie')!.split(';')[0]!
  let left = await waiting()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(ITEMS)
  for (let kill = 0; kill < 2 && left > 0; kill++) {
    await answersAreRight()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await start()
    const now = await waiting()
    expect(now, 'it goes on where it was').toBeLessThanOrEqual(left)
    left = now
  }
  // What is written meanwhile is folded as it should be at once.
  const made = await send('POST', '/api/items', { name: 'Água Grande', description: null })
  expect(made.status).toBe(200)
  expect(await count({ search: 'agua' })).toBe(1)
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
  await answersAreRight()
  expect(log).toContain('texts for search are being folded')
  expect(log).toContain('the texts for search are folded')
  child.kill('SIGTERM')
  await once(child, 'exit')
  await withDatabase(url, async (db) => {
    const rows = await db.selectFrom('item_text').selectAll().where('id', '<=', ITEMS).orderBy('id').execute()
    expect(rows.map(({ name, description }) => [name, description])).toEqual(
      items.map(({ name, description }) => [
        foldForSearch(name),
        description === null ? null : foldDescription(description),
      ]),
    )
    expect((await sql`select * from text_folding`.execute(db)).rows).toEqual([])
  })
})
