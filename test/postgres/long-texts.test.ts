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

/** Some of them twice, and in no order. */
const ITEMS = [...TEXTS, LONG, TEXTS[3]!, TEXTS[8]!, FOUR_BYTES, `${LONG}1`]
/** Each longer than an index entry, in the order that a Select gives them. */
const VARIANTS = [`${LONG}z`, 'short', `${LONG}b`, `${LONG}a`]

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

const SORTS = ['asc', 'desc'].flatMap((direction) =>
  [
    ['Text.text'],
    ['name'],
    ['Text.variant'],
    ['Text.half', 'Text.text'],
    ['Text.half', 'name'],
    ['Text.text', 'Text.half'],
    ['Text.other', 'Text.text'],
    ['name', 'Text.other', 'Text.half'],
    ['Text.variant', 'Text.other', 'name'],
  ].map((keys) => keys.map((by, i) => ({ by, direction: i === 1 ? 'desc' : direction }))),
)

let folder: string
let services: Service[]
/** On PostgreSQL, and on SQLite, which says what is right. */
let users: Client[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-long-texts-'))
  services = await Promise.all([
    startService(),
    startService({ env: { DATABASE_URL: `file:${join(folder, 'facet.db')}` } }),
  ])
  users = await Promise.all(services.map((service) => service.user()))
  for (const user of users) {
    await user.ok('POST', '/api/tags', { name: 'Text', fields: FIELDS })
    await user.ok('POST', '/api/items/bulk', {
      items: ITEMS.map((text, i) => ({
        // At most 1,000 characters.
        name: Array.from(text).slice(0, 1000).join(''),
        description: `number ${i}: ${text}`,
        tags: [{ tag_ref: { Existing: 'Text' }, field_values: valuesOf(text, i) }],
      })),
    })
  }
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()))
  rmSync(folder, { recursive: true, force: true })
})

const FIELDS = {
  text: 'String',
  other: 'String',
  half: 'Number',
  variant: { type: 'Select', variants: VARIANTS },
  variants: { type: 'MultiSelect', variants: VARIANTS },
}
/** The last of them lacks what the others have. */
const valuesOf = (text: string, i: number) => ({
  text,
  ...(i < ITEMS.length - 1 && {
    other: TEXTS[(i * 7) % 4] + LONG,
    half: i % 2,
    variant: { variant: VARIANTS[i % 4] },
    variants: VARIANTS.slice(i % 3, (i % 4) + 1),
  }),
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
    expect(await same({ filter: { 'Text.text': LONG } })).toEqual(['number 9', 'number 15'])
  })

  it('are compared whole as names', async () => {
    for (const filter of [...FIELD_FILTERS, ...OTHER_FILTERS])
      if (JSON.stringify(filter).length < 2500) await same({ filter: { name: filter } })
    expect(await same({ filter: { name: FOUR_BYTES } })).toEqual(['number 14', 'number 18'])
  })

  it('are distinguished as variants', async () => {
    for (const variant of VARIANTS) {
      for (const operator of ['eq', 'neq', 'gt', 'lte'])
        await same({ filter: { 'Text.variant': { [operator]: variant } } })
      expect(await same({ filter: { 'Text.variant': variant } })).not.toHaveLength(0)
      for (const operator of ['match', 'eq', 'neq'])
        await same({ filter: { 'Text.variants': { [operator]: variant } } })
    }
    await same({ filter: { 'Text.variants': { eq: VARIANTS.slice(2) } } })
    await same({ filter: { 'Text.variant': { in: VARIANTS.slice(1, 3) } } })
  })

  for (const [name, filter] of Object.entries({ walked: undefined, few: { has_tag: 'Text' } }))
    it(`stand in the order of their ends, ${name}`, async () => {
      for (const sort of SORTS) {
        const all = await same({ sort, filter })
        expect(all).toHaveLength(ITEMS.length)
        for (const limit of [1, 7])
          expect(await inPages(users[0]!, { sort, filter, limit }), JSON.stringify({ sort, limit })).toEqual(
            all,
          )
      }
    })

  it('stand in that order between bounds of their field', async () => {
    for (const direction of ['asc', 'desc'])
      for (const bound of [{ gt: 'a'.repeat(500) }, { lt: `${LONG}2` }, { gte: LONG }, { starts_with: 'a' }])
        for (const by of ['name', 'Text.text']) {
          const search = { filter: { [by]: bound }, sort: [{ by, direction }] }
          const all = await same(search)
          expect(await inPages(users[0]!, { ...search, limit: 2 })).toEqual(all)
        }
  })

  it('hold the place of a page when their item is deleted meanwhile', async () => {
    const search = { sort: [{ by: 'Text.text' }, { by: 'name' }], limit: 8 }
    for (const user of users) {
      const all = await user.ok('POST', '/api/items/search', { ...search, limit: 16 })
      const first = await user.post('/api/items/search', search)
      await user.ok('DELETE', `/api/items/${first.body.at(-1).item_id}`)
      const next = { ...search, after: first.headers.get('x-next-cursor') }
      expect(numbersOf(await user.ok('POST', '/api/items/search', next))).toEqual(numbersOf(all).slice(8))
      await user.ok('POST', `/api/items/${first.body.at(-1).item_id}/restore`)
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
    expect(await same({ filter: { search: 'needle' } })).toEqual(['number 7', 'number 8', 'number 17'])
  })
})

const numbersOf = (items: { description: string }[]) =>
  items.map(({ description }) => description.split(':')[0]!)

async function inPages(user: Client, search: object): Promise<string[]> {
  const seen: string[] = []
  let after: string | null = null
  do {
    const answer = await user.post('/api/items/search', { ...search, ...(after && { after }) })
    expect(answer.status).toBe(200)
    seen.push(...numbersOf(answer.body))
    expect(seen.length).toBeLessThanOrEqual(ITEMS.length)
    after = answer.headers.get('x-next-cursor')
  } while (after)
  return seen
}
