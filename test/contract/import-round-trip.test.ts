import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readableText } from '#src/domain/readable-text.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { lookAt, settled, uploaded } from '#test/support/imports.ts'
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
]
const NAMES = ['Oak', 'oak', 'A/B', 'Oak', 'Ünï: 😀', 'what?', '2024', '[x]', '.hidden', 'a "b"']
const HTML = [
  '<p>See <b>this</b></p>',
  '<h2>One</h2><ul><li>a</li><li>b</li></ul>',
  '<p>1 &lt; 2 &amp; 3</p>',
]
const FIELDS = {
  text: 'String',
  n: 'Number',
  flag: 'Boolean',
  day: 'Date',
  at: 'DateTime',
  kind: { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: ['a', 'b, c', 'd"e'] },
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
    day: '2024-02-29',
    at: '2024-02-29T12:30:00.001Z',
    labels: ['a', 'b, c', 'd"e'].filter(() => chance.is(0.5)),
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

async function makeBase(): Promise<void> {
  const files: string[] = []
  for (const name of ['plan.txt', 'sub/odd "name".txt'])
    files.push(await uploaded(there, name, `bytes of ${name}`))
  await there.ok('POST', '/api/tags', { name: 'Thing', fields: FIELDS })
  await there.ok('POST', '/api/tags', { name: 'Also', fields: { text: 'String' } })
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
async function told(by: Client): Promise<string[]> {
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
              .map(([field, value]) => [field, shown(value)] as const)
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          ])
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ]),
    )
    .toSorted()
}

describe(`TEST_SEED=${TEST_SEED}`, () => {
  it('a random base comes back from its exports as it was', async () => {
    await makeBase()
    const zip = await lookAt(here, 'base.zip', await exported({ format: 'markdown' }))
    expect(zip.status, JSON.stringify(zip.body)).toBe(200)
    const { import_id } = zip.body
    const mapped = await here.ok('PUT', `/api/imports/${import_id}`, {})
    expect(mapped.faults).toEqual([])
    await here.post(`/api/imports/${import_id}/run`, {})
    expect(await settled(here, import_id)).toMatchObject({ state: 'done', error: null, fault_count: 0 })
    expect(await told(here)).toEqual(await told(there))

    // A CSV file has what a reader sees: by the ids of its items it changes nothing.
    const fields = ['text', 'n', 'flag', 'day', 'at', 'kind', 'on', 'labels', 'refs']
    const csv = await exported({
      format: 'csv',
      filter: { has_tag: 'Thing' },
      fields: fields.map((field) => `Thing.${field}`),
    })
    const looked = await lookAt(there, 'Thing.csv', csv)
    expect(looked.status, JSON.stringify(looked.body)).toBe(200)
    const columns = Object.fromEntries(
      fields.map((field) => [`Thing.${field}`, field === 'refs' ? null : { field }]),
    )
    const tables = [
      { name: 'Thing', tag: { id: 'Thing' }, key: 'item_id', columns: { ...columns, description: null } },
    ]
    const again = await there.ok('PUT', `/api/imports/${looked.body.import_id}`, { tables })
    expect(again.faults).toEqual([])
    expect(again).toMatchObject({ created: 0, changed: 0 })
  }, 60_000)
})
