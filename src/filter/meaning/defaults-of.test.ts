import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_NAME } from '#src/domain/names.ts'
import { defaultsOf } from '#src/filter/meaning/defaults-of.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'

const TIME = { now: new Date('2026-01-31T23:30:00.000Z'), time_zone: 'Europe/Vienna' }
let base: Awaited<ReturnType<typeof openBase>>
let task: string
let other: string
let item: string

beforeAll(async () => {
  base = await openBase()
  const fields = {
    title: 'String',
    effort: 'Number',
    done: 'Boolean',
    due: 'Date',
    owner: 'Reference',
    status: { type: 'Select', variants: ['open', { name: 'closed', fields: { why: 'String' } }] },
    labels: { type: 'MultiSelect', variants: ['home', 'work'] },
    starts: 'DateTime',
    people: 'MultiReference',
  }
  task = (await base.run(createTag, { name: 'Task', fields })).tag_id
  other = (await base.run(createTag, { name: 'Other', fields: { note: 'String' } })).tag_id
  item = (await base.run(createItem, { name: 'there' })).item_id
})
afterAll(() => base.close())

async function defaults(filter: unknown) {
  const bound = (await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))).filter
  return defaultsOf(bound, async (ids) => new Set(ids.filter((id) => id === item)))
}

const soft = { exists: true }

interface Case {
  filter: object
  name?: string
  values?: object
}

describe('defaultsOf', () => {
  for (const { filter, name, values } of [
    { filter: { name: 'x' }, name: 'x' },
    { filter: { name: { eq: 'x' } }, name: 'x' },
    { filter: { name: { in: ['', 'y', 'z'] } }, name: 'y' },
    { filter: { name: { contains: 'x' } } },
    { filter: { search: 'x' } },
    { filter: { description: 'x' } },
    { filter: { has_tag: 'Task' }, values: {} },
    { filter: { has_tag: null } },
    { filter: { 'Task.title': 'a' }, values: { title: 'a' } },
    { filter: { 'Task.effort': { eq: 2 } }, values: { effort: 2 } },
    { filter: { 'Task.effort': 'a' }, values: {} },
    { filter: { 'Task.effort': { gt: 2 } }, values: {} },
    { filter: { 'Task.done': false }, values: { done: false } },
    { filter: { 'Task.due': '2024-02-29' }, values: { due: '2024-02-29' } },
    { filter: { 'Task.due': '2024-02-29T00:00:00' }, values: { due: '2024-02-29' } },
    { filter: { 'Task.due': '2024-02-30' }, values: {} },
    {
      filter: { 'Task.starts': '2024-02-29T01:30:00+02:00' },
      values: { starts: '2024-02-28T23:30:00.000Z' },
    },
    { filter: { 'Task.starts': '2024-02-29' }, values: { starts: '2024-02-29T00:00:00.000Z' } },
    { filter: { 'Task.starts': 'soon' }, values: {} },
    { filter: { 'Task.starts': { gt: '2024-02-29' } }, values: {} },
    { filter: { 'Task.people->name': 'x' }, values: {} },
    { filter: { 'Task.due': { eq: { today: 7 } } }, values: { due: '2026-02-08' } },
    { filter: { 'Task.due': { in: [{ today: 0 }] } }, values: { due: '2026-02-01' } },
    { filter: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } },
    { filter: { 'Task.status': 'open' }, values: { status: { variant: 'open' } } },
    { filter: { 'Task.status': { match: 'open' } }, values: { status: { variant: 'open' } } },
    { filter: { 'Task.status': { eq: { variant: 'gone' } } }, values: {} },
    {
      filter: { 'Task.status': { in: ['gone', 'closed', 'open'] } },
      values: { status: { variant: 'closed' } },
    },
    { filter: { 'Task.why': 'y' }, values: { why: 'y', status: { variant: 'closed' } } },
    {
      filter: { and: [{ 'Task.status': 'open' }, { 'Task.why': 'y' }] },
      values: { status: { variant: 'open' } },
    },
    { filter: { 'Task.labels': { eq: ['work', 'home'] } }, values: { labels: ['work', 'home'] } },
    {
      filter: { and: [{ 'Task.labels': { match: 'home' } }, { 'Task.labels': { match: 'work' } }] },
      values: { labels: ['home', 'work'] },
    },
    { filter: { 'Task.owner->name': 'x' }, values: {} },
    { filter: { 'Task.zzz': 'x' } },
    { filter: { not: { has_tag: 'Task' } } },
    { filter: { 'Task.title': { neq: 'a' } } },
    { filter: { 'Task.title': null } },
    { filter: { 'Task.title': { exists: false } } },
    { filter: { 'Task.title': { is_null: true } } },
    { filter: { 'Task.title': { exists: true } }, values: {} },
    {
      filter: { and: [{ name: 'x' }, { 'Task.effort': 1 }, { 'Task.effort': 2 }] },
      name: 'x',
      values: { effort: 1 },
    },
    {
      filter: { or: [{ search: 'x' }, { 'Task.title': soft }, { 'Task.effort': 2 }, { name: 'x' }] },
      values: { effort: 2 },
    },
    { filter: { or: [{ search: 'x' }, { 'Task.title': soft }] }, values: {} },
    { filter: { or: [{ name: { contains: 'x' } }, { 'Task.title': 'a' }] }, values: { title: 'a' } },
    { filter: { or: [{ 'Task.owner->name': 'x' }, { 'Task.title': 'a' }] }, values: { title: 'a' } },
    ...[
      ['title', 'a'],
      ['effort', 7],
      ['done', true],
      ['due', '2024-02-29'],
      ['starts', '2024-02-29T00:00:00.000Z'],
    ].map(([field, value]) => ({
      // The first that the field takes.
      filter: { [`Task.${field}`]: { in: [null, { variant: 'x' }, value] } },
      values: { [field as string]: value },
    })),
  ] as Case[])
    it(JSON.stringify(filter), async () => {
      const tags = values && [{ tag_ref: { Existing: task }, field_values: values }]
      expect(await defaults(filter)).toEqual({ ...(name && { name }), tags: tags ?? [] })
    })

  it('fills only references to live items, their id in upper case', async () => {
    expect((await defaults({ 'Task.owner': item.toLowerCase() })).tags).toMatchObject([
      { field_values: { owner: item } },
    ])
    const gone = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    expect((await defaults({ 'Task.owner': gone })).tags).toMatchObject([{ field_values: {} }])
    expect((await defaults({ or: [{ 'Task.owner': gone }, { has_tag: 'Other' }] })).tags).toEqual([
      { tag_ref: { Existing: other }, field_values: {} },
    ])
    for (const filter of [
      { or: [{ 'Task.owner': gone }, { 'Task.owner': item }] },
      { 'Task.owner': { in: [null, 5, 'x', gone, item] } },
    ])
      expect((await defaults(filter)).tags).toMatchObject([{ field_values: { owner: item } }])
  })

  it('asks which items live for the ids of References alone, and not for none', async () => {
    const asked: (readonly string[])[] = []
    const askFor = async (filter: unknown) => {
      const { filter: bound } = await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))
      await defaultsOf(bound, async (ids) => (asked.push(ids), new Set()))
    }
    await askFor({ and: [{ name: item }, { 'Task.title': item }, { 'Task.owner': 'x' }] })
    expect(asked).toEqual([])
    await askFor({ or: [{ 'Task.owner': { in: [5, 'x', item, null] } }, { 'Task.title': 'a' }] })
    expect(asked).toEqual([[item]])
  })

  it('takes a name as long as one may be', async () => {
    const named = async (...names: string[]) => (await defaults({ name: { in: names } })).name
    const { item_id } = await base.run(createItem, { name: '𝒳'.repeat(MAX_NAME) })
    expect(item_id).toHaveLength(26)
    await expect(base.run(createItem, { name: '𝒳'.repeat(MAX_NAME + 1) })).rejects.toThrow(/name/)
    expect(await named('𝒳'.repeat(MAX_NAME + 1), ' ', '𝒳'.repeat(MAX_NAME), 'x')).toBe('𝒳'.repeat(MAX_NAME))
  })

  it('fills a MultiReference where all of the items live', async () => {
    const gone = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    const people = async (test: unknown) =>
      (await defaults({ 'Task.people': test })).tags[0]?.field_values.people
    expect(await people(item)).toEqual([item])
    expect(await people({ match: item.toLowerCase() })).toEqual([item])
    expect(await people({ eq: [item, item] })).toEqual([item])
    expect(await people({ in: [gone, item] })).toEqual([item])
    expect(await people({ in: [null, 5, item] })).toEqual([item])
    expect(await people({ eq: [item, gone] })).toBeUndefined()
  })

  it('gives what POST /api/items takes, so that the new item is found', async () => {
    const filter = {
      and: [{ 'Task.why': 'y' }, { 'Task.labels': 'home' }, { 'Task.owner': item }, { 'Other.note': 'n' }],
    }
    const made = await base.run(createItem, { name: 'new', ...(await defaults(filter)) })
    const { plan } = await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))
    expect(made.item_id).toMatch(/^[0-9A-Z]{26}$/)
    expect(plan.kind).toBe('and')
  })
})
