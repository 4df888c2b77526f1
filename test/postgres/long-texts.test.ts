import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

/** PostgreSQL keeps the beginning of a long text in its indexes; answers must not show it. */

const LONG = 'long '.repeat(200)
/** Of four bytes each in UTF-8, and two units each in UTF-16. */
const FOUR_BYTES = '\u{1f600}'.repeat(1000)
/** Alike in their first 500 characters and more, or around that length. */
const TEXTS = [
  'short',
  'a'.repeat(499),
  'a'.repeat(500),
  'a'.repeat(501),
  `${'a'.repeat(500)}b`,
  `${'a'.repeat(500)}B`,
  `${'a'.repeat(500)}\u{10ffff}`,
  `${'a'.repeat(5000)}needle`,
  `${'a'.repeat(5000)}Needle`,
  LONG,
  `${LONG}1`,
  `${LONG}2`,
  '\u{1f600}'.repeat(500),
  FOUR_BYTES.slice(0, -2) + 'z',
  FOUR_BYTES,
]

const operands = [...TEXTS, 'a', 'a'.repeat(600), LONG.slice(0, 700), '\u{1f600}'.repeat(700), 'needle', '']
const FIELD_FILTERS = operands.flatMap((text) =>
  ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'starts_with', 'contains'].map((operator) => ({
    [operator]: text,
  })),
)
const OTHER_FILTERS = [
  { in: [TEXTS[3], TEXTS[7], LONG, 'short'] },
  { regex: 'a{501,}b?$' },
  { regex: '(?i)NEEDLE$' },
  { exists: true },
]

let folder: string
let services: Service[]
let users: Client[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-long-texts-'))
  services = await Promise.all([
    startService(),
    startService({ env: { DATABASE_URL: `file:${join(folder, 'facet.db')}` } }),
  ])
  users = await Promise.all(services.map((service) => service.user()))
  for (const user of users) {
    await user.ok('POST', '/api/tags', { name: 'Text', fields: { text: 'String' } })
    await user.ok('POST', '/api/items/bulk', {
      items: TEXTS.map((text, i) => ({
        // At most 1,000 characters.
        name: Array.from(text).slice(0, 1000).join(''),
        description: `number ${i}: ${text}`,
        tags: [{ tag_ref: { Existing: 'Text' }, field_values: { text } }],
      })),
    })
  }
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()))
  rmSync(folder, { recursive: true, force: true })
})

/** Numbers of the items found, on PostgreSQL and on SQLite. */
async function found(body: object): Promise<[string[], string[]]> {
  const answers = await Promise.all(users.map((user) => user.ok('POST', '/api/items/search', body)))
  return answers.map(numbersOf) as [string[], string[]]
}

async function same(body: object): Promise<string[]> {
  const [postgres, sqlite] = await found(body)
  expect(postgres, JSON.stringify(body).slice(0, 200)).toEqual(sqlite)
  return postgres
}

describe('texts longer than an index entry', () => {
  it('are compared whole', async () => {
    let matches = 0
    for (const filter of [...FIELD_FILTERS, ...OTHER_FILTERS]) {
      matches += (await same({ filter: { 'Text.text': filter } })).length
    }
    expect(matches).toBeGreaterThan(FIELD_FILTERS.length)
    expect(await same({ filter: { 'Text.text': LONG } })).toEqual(['number 9'])
  })

  it('are compared whole as names', async () => {
    for (const filter of [...FIELD_FILTERS, ...OTHER_FILTERS])
      if (JSON.stringify(filter).length < 2500) await same({ filter: { name: filter } })
    expect(await same({ filter: { name: FOUR_BYTES } })).toEqual(['number 14'])
  })

  it('come once each in pages of a sorted search', async () => {
    for (const by of ['name', 'Text.text'])
      for (const direction of ['asc', 'desc'])
        for (const user of users) {
          const sort = [{ by, direction }]
          const all = numbersOf(await user.ok('POST', '/api/items/search', { sort }))
          expect(all).toHaveLength(TEXTS.length)
          expect(await inPages(user, sort)).toEqual(all)
        }
  })

  it('are found by a part of them', async () => {
    for (const search of [
      'needle',
      'NEEDLE',
      'long long',
      '\u{1f600}\u{1f600}\u{1f600}',
      'aaaab',
      'g 1',
      'z',
    ])
      await same({ filter: { search } })
    expect(await same({ filter: { search: 'needle' } })).toEqual(['number 7', 'number 8'])
  })
})

const numbersOf = (items: { description: string }[]) =>
  items.map(({ description }) => description.split(':')[0]!)

async function inPages(user: Client, sort: object[]): Promise<string[]> {
  const seen: string[] = []
  let after: string | null = null
  do {
    const answer = await user.post('/api/items/search', { sort, limit: 4, ...(after && { after }) })
    expect(answer.status).toBe(200)
    seen.push(...numbersOf(answer.body))
    expect(seen.length).toBeLessThanOrEqual(TEXTS.length)
    after = answer.headers.get('x-next-cursor')
  } while (after)
  return seen
}
