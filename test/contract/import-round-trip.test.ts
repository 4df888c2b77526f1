import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readableText } from '#src/domain/readable-text.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { lookAt, mapTo, settled, uploaded } from '#test/support/imports.ts'
import { type Service, startService } from '#test/support/service.ts'

const ITEMS = 25
const TEXTS = [
  'plain',
  '10',
  'true',
  '2024-02-29',
  'a, b',
  '"quoted", and more',
  "'begins",
  '=1+1',
  'semi;colon',
  'two\nlines',
  '[[not a link]]',
  '# no heading',
  '- no list',
  'key: value',
  'Öffnen 😀',
  '~',
  'null',
  'back\\slash',
  ' lead\n',
  'tail\t ',
  '\r\nlines\r\n',
  '\u00a0nb',
  ' ',
]
const NAMES = [
  'Oak',
  'oak',
  'A/B',
  'Oak',
  'Ünï: 😀',
  'what?',
  '2024',
  '[x]',
  '.hidden',
  'a "b"',
  ' Oak',
  'Oak\t',
  '\u00a0nb\u00a0',
  '\t=x',
]
const HTML = [
  '<p>See <b>this</b></p>',
  '<h2>One</h2><ul><li>a</li><li>b</li></ul>',
  '<p>1 &lt; 2 &amp; 3</p>',
]
const LABELS = ['a', 'b', 'b, c', 'd"e', 'a;b']
const FIELDS = {
  text: 'String',
  n: 'Number',
  flag: 'Boolean',
  day: 'Date',
  at: 'DateTime',
  kind: { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: LABELS },
  ref: 'Reference',
  refs: 'MultiReference',
  papers: 'File',
}

let base: Service
let fresh: Service
let there: Client
let here: Client
const chance = new Chance(TEST_SEED)
const pick = <T>(from: readonly T[]): T => from[chance.below(from.length)]!

beforeAll(async () => {
  base = await startService()
  fresh = await startService()
  there = await base.user()
  here = await fresh.user()
})
afterAll(() => Promise.all([base.close(), fresh.close()]))

function randomValues(ids: readonly string[], files: readonly string[]) {
  const all: Record<string, unknown> = {
    text: pick(TEXTS),
    n: pick([0, -1.5, 1e21, 12]),
    flag: chance.is(0.5),
    day: pick(['2024-02-29', '0000-01-01', '9999-12-31']),
    at: '2024-02-29T12:30:00.001Z',
    labels: LABELS.filter(() => chance.is(0.5)),
    papers: files.filter(() => chance.is(0.5)).map((file_id) => ({ file_id })),
    ...(ids.length && { ref: pick(ids), refs: [...new Set([pick(ids), pick(ids)])] }),
  }
  const kind = pick(['open', 'done'])
  const chosen = Object.fromEntries(Object.entries(all).filter(() => chance.is(0.6)))
  return {
    ...chosen,
    ...(chance.is(0.6) && { kind: { variant: kind }, ...(kind === 'done' && { on: '2024-03-01' }) }),
  }
}

async function makeTags(by: Client): Promise<void> {
  await by.ok('POST', '/api/tags', { name: 'Thing', fields: FIELDS })
  await by.ok('POST', '/api/tags', { name: 'Also', fields: { text: 'String' } })
}

async function makeBase(): Promise<void> {
  const files: string[] = []
  for (const name of ['plan.txt', 'sub/odd "name".txt'])
    files.push(await uploaded(there, name, `bytes of ${name}`))
  await makeTags(there)
  const ids: string[] = []
  for (let i = 0; i < ITEMS; i++) {
    const tags = [
      ...(chance.is(0.8) ? [{ tag_ref: { Existing: 'Thing' }, field_values: randomValues(ids, files) }] : []),
      ...(chance.is(0.3) ? [{ tag_ref: { Existing: 'Also' }, field_values: { text: pick(TEXTS) } }] : []),
    ]
    const description = chance.is(0.4) ? pick(HTML) : undefined
    const { item_id } = await there.ok('POST', '/api/items', {
      name: pick(NAMES),
      tags,
      ...(description && { description }),
    })
    ids.push(item_id)
  }
}

const exported = async (body: object) => {
  const response = await there.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Items as people read them, with names in place of ids, in whatever order; what is empty is nothing. */
async function told(by: Client, without?: string): Promise<string[]> {
  const items = await by.ok('POST', '/api/items/search', {})
  const names = new Map(items.map(({ item_id, name }: { item_id: string; name: string }) => [item_id, name]))
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value
    if (!Array.isArray(value)) return value
    return value.map((each) => (each?.file_id ? [each.name, each.size, each.type] : shown(each)))
  }
  return items
    .map(({ name, description, tags }: { name: string; description: string | null; tags: object }) =>
      JSON.stringify([
        name,
        readableText(description ?? ''),
        Object.values<{ tag_name: string; field_values: object }>({ ...tags })
          .map(({ tag_name, field_values }) => [
            tag_name,
            Object.entries(field_values)
              .filter(([field, value]) => value !== null && field !== without)
              .map(([field, value]) => [field, shown(value)] as const)
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          ])
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ]),
    )
    .toSorted()
}

/** What is imported as it is suggested, and is to be taken without a fault. */
async function taken(by: Client, name: string, content: Buffer, mapping: object = {}) {
  const looked = await lookAt(by, name, content)
  expect(looked.status, JSON.stringify(looked.body)).toBe(200)
  const { import_id } = looked.body
  const mapped = await mapTo(by, import_id, mapping)
  expect(mapped.faults).toEqual([])
  await by.post(`/api/imports/${import_id}/run`, {})
  const done = await settled(by, import_id)
  expect(done).toMatchObject({ state: 'done', error: null, fault_count: 0 })
  const { created, changed, unchanged, skipped } = mapped
  expect(done).toMatchObject({ created, changed, unchanged, skipped })
  return done
}

const PLAIN = ['text', 'n', 'flag', 'day', 'at', 'kind', 'on', 'labels']

/** What a reader sees of a tag's items in a table, without references and files. */
async function seen(by: Client, tag: string): Promise<string[]> {
  const items: Record<string, unknown>[] = await by.ok('POST', '/api/items/search', {
    filter: { has_tag: tag },
    fields: ['name', 'description', ...PLAIN.map((field) => `${tag}.${field}`)],
  })
  const told = items.map(({ name, description, ...values }) => [
    name,
    description,
    ...PLAIN.map((field) => values[`${tag}.${field}`] ?? null).map((each) =>
      Array.isArray(each) && !each.length ? null : each,
    ),
  ])
  return told.map((each) => JSON.stringify(each)).toSorted()
}

describe(`TEST_SEED=${TEST_SEED}`, () => {
  beforeAll(makeBase)

  it('a random base comes back from its notes as it was', async () => {
    await taken(here, 'base.zip', await exported({ format: 'markdown' }))
    expect(await told(here)).toEqual(await told(there))
  })

  it('a random base comes back from its lines of JSON, but for bytes of files, which they lack', async () => {
    const withTags = await startService()
    const withoutTags = await startService()
    try {
      const lines = await exported({ format: 'jsonl' })
      const wanted = await told(there, 'papers')
      for (const service of [withTags, withoutTags]) {
        const other = await service.user()
        if (service === withTags) await makeTags(other)
        const done = await taken(other, 'base.jsonl', lines)
        expect(await told(other, 'papers')).toEqual(wanted)
        const left: { name: string; reason: string }[] = done.left_out
        expect(left.map(({ name }) => name).toSorted()).toEqual(['odd "name".txt', 'plan.txt'])
        expect(left[0]!.reason).toContain('Markdown')
      }
    } finally {
      await Promise.all([withTags.close(), withoutTags.close()])
    }
  })

  it('by the ids of its items a file of lines changes nothing, or what is not as it says any more', async () => {
    const lines = await exported({ format: 'jsonl' })
    const looked = await lookAt(there, 'base.jsonl', lines)
    expect(looked.body).toMatchObject({ format: 'json', left_out: [] })
    const tables = looked.body.tables.map(({ name }: { name: string }) => ({ name, key: 'item_id' }))
    const before = await told(there)
    expect(await mapTo(there, looked.body.import_id, { tables })).toMatchObject({
      created: 0,
      changed: 0,
      faults: [],
    })
    const [first] = await there.ok('POST', '/api/items/search', {
      filter: { and: [{ has_tag: 'Thing' }, { 'Thing.ref': { exists: true } }] },
      limit: 1,
    })
    const tag_id = Object.keys(first.tags).find((id) => first.tags[id].tag_name === 'Thing')
    const has = first.tags[tag_id!].field_values
    const changes = Object.fromEntries(
      ['ref', 'papers', 'text'].filter((field) => field in has).map((field) => [field, null]),
    )
    await there.ok('PUT', `/api/items/${first.item_id}/tags/${tag_id}`, { field_values: changes })
    expect(await told(there)).not.toEqual(before)
    expect(await taken(there, 'base.jsonl', lines, { tables })).toMatchObject({ created: 0, changed: 1 })
    expect(await told(there)).toEqual(before)
  })

  it('without a key its items are there twice, with their values, references and files', async () => {
    const before = await told(there)
    const { import_id } = await taken(there, 'base.jsonl', await exported({ format: 'jsonl' }))
    expect(await told(there)).toEqual(before.flatMap((each) => [each, each]))
    await there.post(`/api/imports/${import_id}/undo`, {})
    expect(await settled(there, import_id)).toMatchObject({ undone: true })
    expect(await told(there)).toEqual(before)
  })

  it('a CSV file has what a reader sees: by the ids of its items it changes nothing, elsewhere it is the same', async () => {
    const csv = await exported({
      format: 'csv',
      filter: { has_tag: 'Thing' },
      fields: [...PLAIN, 'refs'].map((field) => `Thing.${field}`),
    })
    const columns = {
      ...Object.fromEntries(PLAIN.map((field) => [`Thing.${field}`, { field }])),
      'Thing.refs': null,
    }
    const looked = await lookAt(there, 'Thing.csv', csv)
    expect(looked.status, JSON.stringify(looked.body)).toBe(200)
    const again = await mapTo(there, looked.body.import_id, {
      tables: [
        {
          name: 'Thing',
          tag: { id: 'Thing' },
          key: 'item_id',
          columns: { ...columns, description: null },
        },
      ],
    })
    expect(again.faults).toEqual([])
    expect(again).toMatchObject({ created: 0, changed: 0 })

    const { ref: _, refs: _refs, papers: _papers, ...fields } = FIELDS
    const tag = { new: { name: 'Sheet', fields } }
    await taken(here, 'Thing.csv', csv, { tables: [{ name: 'Thing', tag, columns }] })
    expect(await seen(here, 'Sheet')).toEqual(await seen(there, 'Thing'))
  })

  it('lists with `;` in their elements come back by CSV, also where no other sign is in their column', async () => {
    const name = `Parts ${chance.below(1e9)}`
    const fields = {
      marks: { type: 'MultiSelect', variants: ['a;b', 'a', 'b', 'c'] },
      refs: 'MultiReference',
    }
    await there.ok('POST', '/api/tags', { name, fields })
    const make = (called: string, field_values: object) =>
      there.ok('POST', '/api/items', {
        name: called,
        tags: [{ tag_ref: { Existing: name }, field_values }],
      })
    const { item_id } = await make('Smith; Sons', { marks: ['a;b'] })
    await make('Other', { marks: ['c'], refs: [item_id] })
    const csv = await exported({ format: 'csv', filter: { has_tag: name } })
    const looked = await lookAt(there, 'parts.csv', csv)
    const again = { tables: [{ name: 'parts', tag: { id: name }, key: 'item_id' }] }
    expect(await mapTo(there, looked.body.import_id, again)).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
      faults: [],
    })
    // And what a new tag gets, without a word of what its fields are.
    const columns = { [`${name}.marks`]: { field: 'marks', type: 'MultiSelect', make: true } }
    const tag = { new: { name: `${name} again` } }
    await taken(here, 'parts.csv', csv, { tables: [{ name: 'parts', tag, columns }] })
    const items = await here.ok('POST', '/api/items/search', {
      filter: { has_tag: tag.new.name },
      fields: [`${tag.new.name}.marks`],
      sort: [{ by: 'name' }],
    })
    expect(items.map((item: Record<string, unknown>) => item[`${tag.new.name}.marks`])).toEqual([
      ['c'],
      ['a;b'],
    ])
  })

  it('texts, references and choices come back by CSV with the blanks at their ends', async () => {
    const name = `Blanks ${chance.below(1e9)}`
    const fields = {
      text: 'String',
      code: 'String',
      kind: { type: 'Select', variants: ['x', ' x'] },
      ref: 'Reference',
    }
    await there.ok('POST', '/api/tags', { name, fields })
    const make = (called: string, field_values: object) =>
      there.ok('POST', '/api/items', {
        name: called,
        tags: [{ tag_ref: { Existing: name }, field_values }],
      })
    const values = [
      { text: ' lead\n', code: ' a', kind: { variant: ' x' } },
      { text: 'tail ', code: 'a', kind: { variant: 'x' } },
      { text: '\n', code: 'a ' },
    ]
    const ids: string[] = []
    for (const [i, each] of values.entries())
      ids.push(
        (await make([`${name} b`, ` ${name} b`, `${name} c`][i]!, { ...each, ref: ids.at(-1) })).item_id,
      )
    const csv = await exported({ format: 'csv', filter: { has_tag: name } })
    for (const key of ['item_id', `${name}.code`]) {
      const looked = await lookAt(there, 'blanks.csv', csv)
      const again = { tables: [{ name: 'blanks', tag: { id: name }, key }] }
      expect(await mapTo(there, looked.body.import_id, again)).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: 3,
        faults: [],
      })
    }
  })
})
