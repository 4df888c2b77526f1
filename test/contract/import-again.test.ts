import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { imported, lookAt, mapTo, settled, uploaded } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'
import { zipOf } from '#test/support/zip-of.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

/** What was said before a run, and of it. */
async function takeIn(notes: Record<string, string> | Buffer, keys: Record<string, string> = {}) {
  const bytes = Buffer.isBuffer(notes) ? notes : await zipOf(notes)
  const { body } = await lookAt(client, 'vault.zip', bytes, 'markdown')
  const tables = Object.entries(keys).map(([name, key]) => ({ name, key }))
  const mapped = await mapTo(client, body.import_id, tables.length ? { tables } : {})
  await client.post(`/api/imports/${body.import_id}/run`, {})
  const done = await settled(client, body.import_id)
  expect(done).toMatchObject({ state: 'done', error: null, fault_count: 0 })
  return { mapped, done }
}

const VAULT = {
  'Garden/Roses.md':
    '---\nneighbour: "[[Lavender]]"\nnear: ["[[Sage]]", "[[Lavender]]"]\ntags: [flower]\n---\nSee [[Sage|the sage]]\n',
  'Garden/herbs/Lavender.md': '---\nneighbour: "[[Roses]]"\nplan: "[[plan.txt]]"\n---\nFor tea\n',
  'Garden/herbs/Sage.md': 'It looks so: ![[pic.png]]\n',
  'Garden/pic.png': 'a picture',
  'Garden/plan.txt': 'a plan',
}
const GARDEN = { Garden: 'name', flower: 'name' }

it('a vault with links and files that comes again by a key changes nothing, and its check and report say so', async () => {
  await takeIn(VAULT)
  const items = () => client.ok('POST', '/api/items/search', { filter: { has_tag: 'Garden' } })
  const before = await items()
  const { mapped, done } = await takeIn(VAULT, GARDEN)
  const nothing = { created: 0, changed: 0, unchanged: 3, skipped: 0 }
  expect(mapped).toMatchObject(nothing)
  expect(done).toMatchObject({ ...nothing, change_ids: [] })
  expect(await items()).toEqual(before)
})

it.each([
  ['a description', 'Garden/Roses.md', '[[Sage|', '[[Lavender|'],
  ['a reference', 'Garden/herbs/Lavender.md', '[[Roses]]', '[[Sage]]'],
  ['a list of references', 'Garden/Roses.md', '"[[Sage]]", ', ''],
  ['a note that is new', 'Garden/Roses.md', '[[Sage|', '[[New|'],
  ['a file of another name', 'Garden/herbs/Lavender.md', '[[plan.txt]]', '[[pic.png]]'],
])('a link in %s that leads elsewhere is one changed row', async (what, path, link, other) => {
  const notes: Record<string, string> = {
    ...VAULT,
    [path]: VAULT[path as keyof typeof VAULT].replace(link, other),
  }
  if (what.endsWith('new')) notes['Garden/New.md'] = 'New\n'
  const counts = { created: what.endsWith('new') ? 1 : 0, changed: 1, unchanged: 2 }
  const { mapped, done } = await takeIn(notes, GARDEN)
  expect(mapped).toMatchObject(counts)
  expect(done).toMatchObject(counts)
  await takeIn(VAULT, GARDEN)
})

it.each([
  ['a tag that others have', '---\ntags: flower\n---\n', {}],
  ['two tags that are new', '---\ntags: [herb, grey]\n---\n', { herb: 'name', grey: 'name' }],
  ['a relation', '---\nneighbour: "[[Roses]]"\n---\n', {}],
  ['a file', '---\nplan: "[[plan.txt]]"\n---\n', {}],
  ['a tag and a relation', '---\ntags: leafy\nnear: ["[[Roses]]"]\n---\n', { leafy: 'name' }],
])('a note that gains %s and is the same otherwise is one changed row', async (_, front, keys) => {
  const { done: before } = await takeIn(VAULT, GARDEN)
  const sage = 'Garden/herbs/Sage.md'
  const { mapped, done } = await takeIn({ ...VAULT, [sage]: front + VAULT[sage] }, { ...GARDEN, ...keys })
  const counts = { created: 0, changed: 1, unchanged: 2, skipped: 0 }
  expect(mapped).toMatchObject(counts)
  expect(done).toMatchObject(counts)
  for (const { import_id } of [done, before]) {
    await client.post(`/api/imports/${import_id}/undo`, {})
    await settled(client, import_id)
  }
})

it.each(['jsonl', 'markdown'] as const)(
  'an item of an export as %s whose second tag gains a value, or another name, is one changed row',
  async (format) => {
    const fields = { n: 'Number' }
    const [One, Two] = [`${format} one`, `${format} two`]
    await client.ok('POST', '/api/tags', { name: One, fields })
    const { tag_id } = await client.ok('POST', '/api/tags', { name: Two, fields })
    const tags = (n: number) => [
      { tag_ref: { Existing: One }, field_values: { n } },
      { tag_ref: { Existing: Two }, field_values: { n: 5 } },
    ]
    const ids: string[] = []
    for (const n of [1, 2])
      ids.push((await client.ok('POST', '/api/items', { name: `${format} ${n}`, tags: tags(n) })).item_id)
    const exported = await client.fetch('/api/items/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format, filter: { has_tag: One } }),
    })
    const bytes = Buffer.from(await exported.arrayBuffer())
    const again = async (keys: Record<string, string>) => {
      const looked = await lookAt(client, `${format}.${format === 'jsonl' ? 'jsonl' : 'zip'}`, bytes)
      const tables = looked.body.tables.map(({ name }: { name: string }) => ({ name, key: keys[name] }))
      const mapped = await mapTo(client, looked.body.import_id, { tables })
      await client.post(`/api/imports/${looked.body.import_id}/run`, {})
      return [mapped, await settled(client, looked.body.import_id)]
    }
    const key = { [One]: 'name', [Two]: 'name' }
    for (const each of await again(key)) expect(each).toMatchObject({ changed: 0, unchanged: 2 })
    await client.ok('PUT', `/api/items/${ids[1]}/tags/${tag_id}`, { field_values: { n: 6 } })
    for (const each of await again(key)) expect(each).toMatchObject({ changed: 1, unchanged: 1 })
    for (const each of await again(key)) expect(each).toMatchObject({ changed: 0, unchanged: 2 })
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Renamed' })
    const byField = { [One]: 'n', [Two]: 'name' }
    for (const each of await again(byField)) expect(each).toMatchObject({ changed: 1, unchanged: 1 })
    const byId = { [One]: 'item_id', [Two]: 'item_id' }
    for (const each of await again(byId)) expect(each).toMatchObject({ changed: 0, unchanged: 2 })
    await client.ok('PUT', `/api/items/${ids[1]}/tags/${tag_id}`, { field_values: { n: 6 } })
    for (const each of await again(byId)) expect(each).toMatchObject({ changed: 1, unchanged: 1 })
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Renamed' })
    await client.ok('PUT', `/api/items/${ids[0]}/tags/${tag_id}`, { field_values: { n: 7 } })
    for (const each of await again(byId)) expect(each).toMatchObject({ changed: 1, unchanged: 1 })
  },
)

it('of items whose first tag is left out the other tags make one item each', async () => {
  const tags = ['Left', 'Kept', 'Kept too']
  for (const name of tags) await client.ok('POST', '/api/tags', { name, fields: { n: 'Number' } })
  const { item_id } = await client.ok('POST', '/api/items', {
    name: 'Of three tags',
    tags: tags.map((name, n) => ({ tag_ref: { Existing: name }, field_values: { n } })),
  })
  const exported = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'jsonl', filter: { has_tag: 'Kept' } }),
  })
  const lines = Buffer.from(await exported.arrayBuffer())
  for (const [key, counts] of [
    ['item_id', { created: 0, unchanged: 1 }],
    [undefined, { created: 1, unchanged: 0 }],
  ] as const) {
    const tables = tags.slice(1).map((name) => ({ name, ...(key && { key }) }))
    const { mapped, done } = await imported(client, {
      name: 'three.jsonl',
      content: lines,
      mapping: { tables },
    })
    expect(mapped).toMatchObject({ ...counts, changed: 0, fault_count: 0 })
    expect(done).toMatchObject({ ...counts, changed: 0, fault_count: 0 })
  }
  const items = await client.ok('POST', '/api/items/search', { filter: { name: 'Of three tags' } })
  expect(items.map(({ tags }: { tags: object }) => Object.keys(tags).length)).toEqual([3, 2])
  expect(items[0].item_id).toBe(item_id)
})

it('items of two tags are written by portions, and not one by one', async () => {
  const tags = ['Portion one', 'Portion two']
  for (const name of tags) await client.ok('POST', '/api/tags', { name, fields: { n: 'Number' } })
  const line = (i: number) =>
    JSON.stringify({
      item_id: `01K${String(i).padStart(23, '0')}`,
      name: `Portion ${i}`,
      tags: Object.fromEntries(tags.map((tag_name) => [tag_name, { tag_name, field_values: { n: i } }])),
    })
  const { done } = await imported(client, {
    name: 'portions.jsonl',
    content: Array.from({ length: 100 }, (_, i) => line(i)).join('\n'),
  })
  expect(done).toMatchObject({ created: 100, changed: 0 })
  expect(done.change_ids.length).toBeLessThan(10)
})

it('a CSV export with files and names that several items have leaves all as it is, or says what it cannot', async () => {
  const fields = { papers: 'File', by: 'Reference', with: 'MultiReference' }
  await client.ok('POST', '/api/tags', { name: 'Paper', fields })
  const files: { file_id: string }[] = []
  for (const name of ['plan.txt', 'a, b.txt'])
    files.push({ file_id: await uploaded(client, name, `bytes of ${name}`) })
  const make = async (name: string, field_values: object): Promise<string> => {
    const tags = [{ tag_ref: { Existing: 'Paper' }, field_values }]
    return (await client.ok('POST', '/api/items', { name, tags })).item_id
  }
  const first = await make('Twin', { papers: files })
  const second = await make('Twin', { by: first })
  await make('Zoe', { by: second, with: [second, first], papers: files.slice(0, 1) })
  const exported = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'csv', filter: { has_tag: 'Paper' }, sort: [{ by: 'name' }] }),
  })
  const csv = await exported.text()
  const table = { tag: { id: 'Paper' }, key: 'item_id' }
  const { mapped, done } = await imported(client, { name: 'papers.csv', content: csv, table })
  expect(mapped).toMatchObject({ created: 0, changed: 0, unchanged: 3, fault_count: 0 })
  expect(done).toMatchObject({ unchanged: 3, change_ids: [] })
  const edited = csv.replace(/(?<=Zoe,,).*/, 'Twin,"Twin, Zoe",other.txt')
  const again = await imported(client, { name: 'papers.csv', content: edited, table, on_fault: 'skip' })
  expect(again.mapped.faults).toMatchObject([
    { line: 4, message: expect.stringMatching(/is no file|2 items are/) },
  ])
})

it('a second tag with a fault is a row that is skipped, in the check and in the report', async () => {
  const kind = { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] }
  for (const name of ['Fine', 'Faulty'])
    await client.ok('POST', '/api/tags', { name, fields: { n: 'Number', kind } })
  const line = (i: number, values: object) =>
    JSON.stringify({
      item_id: `01J${String(i).padStart(23, '0')}`,
      name: `Faulty ${i}`,
      tags: {
        a: { tag_name: 'Fine', field_values: { n: i } },
        b: { tag_name: 'Faulty', field_values: values },
      },
    })
  const given = [{ n: 1 }, { n: 'many' }, { kind: { variant: 'open' }, on: '2026-01-31' }]
  const { mapped, done } = await imported(client, {
    name: 'faulty.jsonl',
    content: given.map((values, i) => line(i, values)).join('\n'),
    mapping: {},
    on_fault: 'skip',
  })
  const counts = { created: 3, changed: 0, unchanged: 0, skipped: 2, fault_count: 2 }
  expect(mapped).toMatchObject(counts)
  expect(done).toMatchObject(counts)
  expect(await client.ok('POST', '/api/items/search', { filter: { has_tag: 'Faulty' } })).toHaveLength(1)
})

it.each([
  ['front matter', 'Garden/plan.txt'],
  ['a description', 'Garden/pic.png'],
])('a file in %s that has other bytes under its name is one changed row, once', async (_, path) => {
  await takeIn(VAULT, GARDEN)
  for (const counts of [
    { changed: 1, unchanged: 2 },
    { changed: 0, unchanged: 3 },
  ]) {
    const { mapped, done } = await takeIn({ ...VAULT, [path]: 'others' }, GARDEN)
    expect(mapped).toMatchObject(counts)
    expect(done).toMatchObject(counts)
  }
  await takeIn(VAULT, GARDEN)
})

it('what leads to a row that a later one of the same key overtakes leads to the item of both', async () => {
  const notes = {
    'Twice/a/Note.md': '---\nto: "[[Other]]"\n---\nfirst\n',
    'Twice/b/Note.md': '---\nto: "[[Other]]"\n---\nsecond\n',
    'Twice/Other.md': '---\nto: "[[a/Note]]"\n---\nSee [[a/Note]]\n',
  }
  for (const counts of [
    { created: 2, unchanged: 0, skipped: 1 },
    { created: 0, unchanged: 2, skipped: 1 },
  ]) {
    const { done } = await takeIn(notes, { Twice: 'name' })
    expect(done).toMatchObject({ ...counts, changed: 0 })
  }
  const [note, other] = await client.ok('POST', '/api/items/search', {
    filter: { has_tag: 'Twice' },
    sort: [{ by: 'name' }],
  })
  expect(Object.values<object>(other.tags)).toMatchObject([{ field_values: { to: note.item_id } }])
  expect(other.description).toBe(`<p>See <a href="/items/${note.item_id}">a/Note</a></p>`)
})

it('an export as Markdown that comes back by its ids changes nothing', async () => {
  const exported = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      format: 'markdown',
      filter: { or: [{ has_tag: 'Garden' }, { has_tag: 'Twice' }] },
    }),
  })
  const keys = { Garden: 'item_id', Twice: 'item_id', flower: 'item_id' }
  const { mapped, done } = await takeIn(Buffer.from(await exported.arrayBuffer()), keys)
  expect(mapped).toMatchObject({ created: 0, changed: 0, fault_count: 0 })
  expect(done).toMatchObject({ created: 0, changed: 0, change_ids: [] })
})

it('a CSV export with tags and times that comes back by its ids changes nothing, and makes no fields of them', async () => {
  await client.ok('POST', '/api/tags', { name: 'Task', fields: { due: 'Date', by: 'Reference' } })
  const { item_id } = await client.ok('POST', '/api/items', { name: 'Ada' })
  const field_values = { due: '2026-02-01', by: item_id }
  await client.ok('POST', '/api/items', {
    name: 'Write',
    tags: [{ tag_ref: { Existing: 'Task' }, field_values }],
  })
  const exported = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      format: 'csv',
      filter: { has_tag: 'Task' },
      fields: ['Task.due', 'Task.by', 'Task.by->name', 'tags', 'created_at', 'updated_at'],
    }),
  })
  const { mapped } = await imported(client, {
    name: 'tasks.csv',
    content: await exported.text(),
    table: { tag: { id: 'Task' }, key: 'item_id' },
  })
  expect(mapped).toMatchObject({ created: 0, changed: 0, unchanged: 1, fault_count: 0 })
  const tags = await client.ok('GET', '/api/tags')
  expect(tags.find(({ name }: { name: string }) => name === 'Task').fields).toEqual({
    due: 'Date',
    by: 'Reference',
  })
})
