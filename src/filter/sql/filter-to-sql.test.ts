import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterToSql, tagFilterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { MAX_LEAVES, MAX_NESTING } from '#src/filter/language/parse-filter.ts'
import { readFilter, readTagFilter } from '#src/filter/meaning/read-filter.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'

const ITEMS = [
  { name: 'Élan', description: '<p>100% "sure"</p>' },
  { name: 'ΟΔΥΣΣΕΥΣ', description: null },
  { name: 'a_b', description: "it's" },
  { name: 'long', description: `${'lorem '.repeat(20)}ipsum${' dolor'.repeat(20)}` },
  { name: '😀😁😂', description: 'x\ny' },
]

const TIME = { now: new Date('2026-01-31T23:30:00.000Z'), time_zone: 'Europe/Vienna' }
let base: Awaited<ReturnType<typeof openBase>>

beforeAll(async () => {
  base = await openBase()
  for (const { name, description } of ITEMS) await base.run(createItem, { name, description })
  await base.run(createTag, { name: 'Straße', description: 'Ways & means', fields: { len: 'Number' } })
  await base.run(createTag, { name: 'River', fields: {} })
})
afterAll(() => base.close())

async function find(filter: unknown): Promise<string[]> {
  const { plan } = await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))
  const { dialect } = base.db
  const rows = dialect.builder
    .selectFrom('item')
    .select('name')
    .where(filterToSql(plan, dialect))
    .orderBy('id')
  return (await base.db.select(rows)).map(({ name }) => name)
}

const names = ITEMS.map(({ name }) => name)

describe('a filter as SQL', () => {
  for (const { filter, finds } of [
    { filter: { search: 'éLAN' }, finds: ['Élan'] },
    { filter: { search: 'σευς' }, finds: ['ΟΔΥΣΣΕΥΣ'] },
    { filter: { search: 'ÉL' }, finds: ['Élan'] },
    { filter: { search: 'el' }, finds: ['Élan'] },
    { filter: { search: '%' }, finds: ['Élan'] },
    { filter: { search: '"SURE"' }, finds: ['Élan'] },
    { filter: { search: '_b' }, finds: ['a_b'] },
    { filter: { search: "it's" }, finds: ['a_b'] },
    { filter: { search: '* OR long' }, finds: [] },
    { filter: { search: '😁' }, finds: ['😀😁😂'] },
    { filter: { search: '😀😁😂' }, finds: ['😀😁😂'] },
    { filter: { search: `${'LOREM '.repeat(20)}ipsum` }, finds: ['long'] },
    { filter: { search: `${'lorem '.repeat(20)}IPSUM?` }, finds: [] },
    { filter: { search: 'x'.repeat(100_000) }, finds: [] },
    { filter: { description: { contains: '' } }, finds: ['Élan', 'a_b', 'long', '😀😁😂'] },
    { filter: { not: { description: { contains: '' } } }, finds: ['ΟΔΥΣΣΕΥΣ'] },
    { filter: { description: { neq: 'x' } }, finds: ['Élan', 'a_b', 'long', '😀😁😂'] },
    { filter: { description: null }, finds: ['ΟΔΥΣΣΕΥΣ'] },
    { filter: { name: { regex: '^.{3}$' } }, finds: ['a_b', '😀😁😂'] },
    { filter: { name: { regex: '(?i)é' } }, finds: ['Élan'] },
    { filter: { description: { matches: '(?s)x.y' } }, finds: ['😀😁😂'] },
    { filter: { description: { matches: 'x.y' } }, finds: [] },
    { filter: { name: { starts_with: '\u{10ffff}' } }, finds: [] },
    { filter: { name: { starts_with: '😀' } }, finds: ['😀😁😂'] },
    { filter: { name: { gt: '\uffff' } }, finds: ['😀😁😂'] },
    { filter: { name: { in: names.slice(1, 3) } }, finds: names.slice(1, 3) },
  ])
    it(`finds ${JSON.stringify(finds)} with ${JSON.stringify(filter).slice(0, 60)}`, async () =>
      expect(await find(filter)).toEqual(finds))

  it('may have as many leaves as the language allows, and as many values as fit', async () => {
    const leaves = Array.from({ length: MAX_LEAVES }, (_, i) => ({ description: { neq: `${i}` } }))
    expect(await find({ and: leaves })).toHaveLength(4)
    expect(await find({ or: leaves })).toHaveLength(4)
    const values = Array.from({ length: 100_000 }, (_, i) => `${i}`)
    expect(await find({ name: { in: [...values, 'long'] } })).toEqual(['long'])
  })

  it('may be nested as deep as the language allows', async () => {
    let filter: unknown = { name: 'long' }
    for (let depth = 0; depth < MAX_NESTING; depth++)
      filter = depth % 2 ? { not: filter } : { or: [filter, { and: [{ name: 'x' }, { name: 'y' }] }] }
    await expect(find(filter)).rejects.toThrow('max nesting')
    filter = { name: 'long' }
    for (let depth = 0; depth < MAX_NESTING; depth++)
      filter = depth % 2 ? { not: filter } : { or: [filter, { name: 'x' }] }
    expect(await find(filter)).toHaveLength(names.length - 1)
  })

  it('through as many hops as the language allows', async () => {
    const { tag_id } = await base.run(createTag, { name: 'Link', fields: { to: 'Reference' } })
    let to: string | null = null
    for (const name of ['last', '5', '4', '3', '2', 'first'])
      to = (
        await base.run(createItem, { name, tags: [{ tag_ref: { Existing: tag_id }, field_values: { to } }] })
      ).item_id
    expect(await find({ [`${'Link.to->'.repeat(5)}name`]: 'last' })).toEqual(['first'])
    expect(await find({ [`${'Link.to->'.repeat(4)}Link.to`]: { exists: true } })).toEqual(['first'])
  })
})

describe('a tag filter as SQL', () => {
  for (const { filter, finds } of [
    { filter: { search: 'STRAẞE' }, finds: ['Straße'] },
    { filter: { search: 'means' }, finds: ['Straße'] },
    { filter: { name: { contains: 'iv' } }, finds: ['River'] },
    { filter: { name: 'River' }, finds: ['River'] },
    { filter: { and: [{ description: { exists: false } }, { not: { name: 'Link' } }] }, finds: ['River'] },
    { filter: { or: [{ name: { regex: '^S' } }, { description: { starts_with: 'x' } }] }, finds: ['Straße'] },
  ])
    it(`finds ${JSON.stringify(finds)} with ${JSON.stringify(filter)}`, async () => {
      const { dialect } = base.db
      const rows = dialect.builder
        .selectFrom('tag')
        .select('name')
        .where(tagFilterToSql(readTagFilter(filter).plan, dialect))
      expect((await base.db.select(rows)).map(({ name }) => name)).toEqual(finds)
    })
})

describe('values kept from an older schema', () => {
  const left = (value: unknown) => ({ left: value })
  for (const { from, kept, to, is } of [
    { from: 'Number', kept: 5, to: 'String', is: 'type_mismatch' },
    { from: 'String', kept: '2024-02-29', to: 'Date', is: '2024-02-29' },
    { from: 'String', kept: '2024-02-30', to: 'Date', is: 'type_mismatch' },
    { from: 'Date', kept: '2024-02-29', to: 'String', is: '2024-02-29' },
    { from: 'Boolean', kept: true, to: 'Number', is: 'type_mismatch' },
  ])
    it(`a ${from} ${kept} is ${is} under ${to}`, async () => {
      const name = `${from} to ${to} ${kept}`
      const { tag_id } = await base.run(createTag, { name, fields: left(from) })
      const tags = [{ tag_ref: { Existing: tag_id }, field_values: left(kept) }]
      await base.run(createItem, { name: 'kept', tags })
      await base.run(updateTag, { tag_id, fields: left(to) })
      const found = async (test: unknown) => (await find({ [`${tag_id}.left`]: test })).length === 1
      expect(await found({ exists: true })).toBe(true)
      expect(await found({ neq: 'x' })).toBe(true)
      expect(await found(kept)).toBe(is !== 'type_mismatch')
      const others = [
        { gte: '' },
        { lte: '~' },
        { gt: -1e9 },
        { lt: 1e9 },
        { contains: '' },
        { starts_with: '' },
        { regex: '' },
      ]
      const matched = await Promise.all(others.map(found))
      expect(matched.includes(true)).toBe(is !== 'type_mismatch')
    })
})
