import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { emptyDatabase, withDatabase } from '#test/support/bare-database.ts'
import type { Client } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'
import { ABOVE_ENGINE } from '#test/support/test-database.ts'

// Normalizing takes linear time and bounded room (additions §7), whatever the text.

const MARKS = '\u0301\u0323'
const LIGATURE = '\ufdfa'

let service: Awaited<ReturnType<typeof startService>>
let writer: Client
let other: Client
beforeAll(async () => {
  service = await startService()
  writer = await service.user()
  other = await service.user()
})
afterAll(() => service.close())

/** Milliseconds that all threads of this process have computed: the clock's would count what else the machine does. */
function worked(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The answer, and the longest that another account waited meanwhile: to create an item, and for the health. */
async function beside<T>(request: Promise<T>): Promise<{ answer: T; waited: number }> {
  let waited = 0
  const answered = new AbortController()
  const look = async (ask: () => Promise<unknown>) => {
    while (!answered.signal.aborted) {
      const start = worked()
      await ask()
      waited = Math.max(waited, worked() - start)
    }
  }
  const looks = [
    look(() => other.ok('POST', '/api/items', { name: 'x' })),
    look(() => other.ok('GET', '/api/health')),
  ]
  const answer = await request.finally(() => answered.abort())
  await Promise.all(looks)
  return { answer, waited }
}

/** Milliseconds, with what other tests do meanwhile. What is kept out took 20 s and more. */
const SHORT = 10_000

describe('texts that normalizing makes costly or long', () => {
  for (const [what, path, body] of [
    ['marks in a description', '/api/items', { name: 'a', description: `a${MARKS.repeat(500_000)}` }],
    ['ligatures in a description', '/api/items', { name: 'a', description: LIGATURE.repeat(1_000_000) }],
    [
      'marks in many names',
      '/api/items/bulk',
      { items: Array.from({ length: 2000 }, (_, i) => `${MARKS.repeat(450)}${i}`) },
    ],
    [
      'ligatures in two descriptions',
      '/api/items/bulk',
      {
        items: Array.from({ length: 10 }, (_, i) => ({
          name: `n${i}`,
          description: LIGATURE.repeat(1_000_000),
        })),
      },
    ],
    ['a search', '/api/items/search', { filter: { search: `a${MARKS.repeat(4999)}` }, limit: 10 }],
    [
      'many searches',
      '/api/items/search',
      {
        filter: { or: Array.from({ length: 60 }, (_, i) => ({ search: `${i}${MARKS.repeat(4990)}` })) },
        limit: 10,
      },
    ],
  ] as const)
    it(`keep nobody waiting: ${what}`, async () => {
      const { answer, waited } = await beside(writer.send('POST', path, body))
      expect(answer.status).toBe(200)
      expect(waited).toBeLessThan(SHORT)
    })

  if (ABOVE_ENGINE)
    it('are refused where one call would grow by too much, and nothing of it is stored', async () => {
      const items = Array.from({ length: 10_000 }, (_, i) => `Grown ${i} ${LIGATURE.repeat(950)}`)
      const { answer, waited } = await beside(writer.send('POST', '/api/items/bulk', { items }))
      expect(answer.status).toBe(413)
      expect(answer.body).toMatchObject({
        error: 'PayloadTooLarge',
        suggestion: expect.stringContaining('several calls'),
      })
      expect(waited).toBeLessThan(SHORT)
      expect(await writer.ok('POST', '/api/items/search', { filter: { search: 'Grown' } })).toEqual([])
    })
})

describe('a search', () => {
  const found = (search: string) =>
    writer.ok('POST', '/api/items/search', { filter: { search }, fields: ['name'], limit: 10 })

  it('minds the first 30 of a run of marks', async () => {
    await writer.ok('POST', '/api/items', { name: `Ring ${'\u20d0'.repeat(40)}end` })
    expect(await found(`ring ${'\u20d0'.repeat(31)}end`)).toHaveLength(1)
    expect(await found(`ring ${'\u20d0'.repeat(30)}end`)).toHaveLength(1)
    expect(await found(`ring ${'\u20d0'.repeat(29)}end`)).toEqual([])
  })

  it('reads the first million characters of a description, folded', async () => {
    const filler = (length: number) => 'lorem-ipsum-'.repeat(90_000).slice(0, length)
    await writer.ok('POST', '/api/items', { name: 'Within', description: `${filler(999_990)} zyzzyva999` })
    await writer.ok('POST', '/api/items', { name: 'Within', description: `${filler(999_989)} zyzzyva999` })
    expect(await found('zyzzyva99')).toHaveLength(2)
    expect(await found('zyzzyva999')).toHaveLength(1)
  })
})

it('texts of a base from before are folded again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-folding-'))
  const { url, drop } = await emptyDatabase(folder)
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0029'))
  const waiting = () =>
    withDatabase(
      url,
      async (db) =>
        (await sql<{ done: number; last: number }>`select done, last from text_folding`.execute(db)).rows,
    )
  try {
    await withDatabase(url, async (db, schema) => {
      await migrate(db, schema, { list: older })
      const texts = [
        'plain',
        'naïve “quotes” 日本語',
        `x${'\u20d0'.repeat(99)}y`,
        'a'.repeat(1_048_576),
        '😀 plain',
      ]
      for (const [i, description] of texts.entries())
        await sql`insert into item_text (id, name, description) values (${i + 1}, 'n', ${description})`.execute(
          db,
        )
      await migrate(db, schema)
    })
    expect(await waiting()).toEqual([{ done: 2, last: 4 }])
  } finally {
    await drop()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('texts of a base from before are found without what is not shown of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-folding-'))
  const { url, drop } = await emptyDatabase(folder)
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0055'))
  const names = ['plain', 'Daten\u00adbank', 'naïve 😀', '\ufeffmark', 'value']
  try {
    const found = await withDatabase(url, async (db, schema) => {
      await migrate(db, schema, { list: older })
      const at = '2026-01-01T00:00:00.000Z'
      for (const [i, name] of names.entries()) {
        await sql`insert into item (id, item_id, name, created_at, updated_at) values (${i + 1}, ${`0${i}`}, ${name}, ${at}, ${at})`.execute(
          db,
        )
        const folded = name.replace('\ufeff', ' ').toLowerCase()
        await sql`insert into item_text (id, name) values (${i + 1}, ${folded})`.execute(db)
      }
      await sql`insert into tag (id, tag_id, name, fields, schema_version, folded_name, created_at, updated_at) values (1, 'T', 'T', '{}', 1, 't', ${at}, ${at})`.execute(
        db,
      )
      await sql`insert into item_tag (item, tag, schema_version, field_values) values (5, 1, 1, ${'{"a":"x\u00ady"}'}), (1, 1, 1, '{"a":"b"}')`.execute(
        db,
      )
      await migrate(db, schema)
      const rows = <Row>(query: string) => sql<Row>`${sql.raw(query)}`.execute(db).then((each) => each.rows)
      return [await rows('select done, last from text_folding'), await rows('select item from word_pending')]
    })
    expect(found).toEqual([[{ done: 1, last: 4 }], [{ item: 5 }]])
  } finally {
    await drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
