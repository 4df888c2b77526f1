import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TokenClient } from '#test/support/token-client.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let user: Client
let other: Client
let tag: string
beforeAll(async () => {
  service = await startService()
  user = await service.user()
  other = await service.user()
  tag = (await user.ok('POST', '/api/tags', { name: 'Doc', fields: { files: 'File', old: 'File' } })).tag_id
})
afterAll(() => service.close())

interface Uploaded {
  file_id: string
  name: string
  size: number
  type: string
}
let count = 0
async function upload(name: string, client = user): Promise<Uploaded> {
  const { text } = await client.exchange('POST', `/api/files?name=${encodeURIComponent(name)}`, {
    body: `content ${count++}`,
  })
  const { sha256: _, ...file } = JSON.parse(text)
  return file
}
const doc = (files: unknown, more: object = {}) => ({
  name: 'x',
  tags: [{ tag_ref: { Existing: tag }, field_values: { files } }],
  ...more,
})
const create = (files: unknown) => user.ok('POST', '/api/items', doc(files))
const created = async (files: unknown) => user.ok('GET', `/api/items/${(await create(files)).item_id}`)
const filesOf = (item: { data: Record<string, { field_values: { files: unknown } }> }) =>
  item.data[tag]!.field_values.files
const found = async (filter: object) =>
  (await user.ok('POST', '/api/items/search', { filter })).map(({ item_id }: { item_id: string }) => item_id)

describe('values of a File', () => {
  it('are read whole, in their order, under the names that they were given', async () => {
    const [a, b] = [await upload('a.txt'), await upload('b.txt')]
    const given = [
      { file_id: b.file_id.toLowerCase(), size: 7, type: 'x/y' },
      { file_id: a.file_id, name: 'dir/other.md' },
    ]
    const item = await created(given)
    expect(filesOf(item)).toEqual([b, { ...a, name: 'other.md' }])
    expect(filesOf(await user.ok('GET', `/api/items/${item.item_id}`))).toEqual([
      b,
      { ...a, name: 'other.md' },
    ])
    expect(filesOf(await created([]))).toEqual([])
    // What was read can be sent back.
    const again = await user.ok('PUT', `/api/items/${item.item_id}/tags/${tag}`, {
      field_values: { files: filesOf(item) },
    })
    expect(filesOf(again)).toEqual(filesOf(item))
  })

  it.each([
    ['a text', 'x', 'expected an array of {"file_id", "name"?}'],
    ['ids', ['01JJXZ5T7GQ3M8K4B9R2C6D0EF'], 'expected {"file_id", "name"?} of a file that was uploaded'],
    [
      'an unknown file',
      [{ file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' }],
      `file '01JJXZ5T7GQ3M8K4B9R2C6D0EF' not found`,
    ],
    [
      'one file twice',
      [{ file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' }, { file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', name: 'b' }],
      `the file '01JJXZ5T7GQ3M8K4B9R2C6D0EF' appears here twice`,
    ],
    ['another property', [{ file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', url: 'x' }], 'unknown property'],
    ['a blank name', [{ file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', name: ' ' }], 'must not be blank'],
    ['too many', Array.from({ length: 101 }, () => ({})), 'expected at most 100 files, not 101'],
  ])('are not %s', async (_, files, message) => {
    const { status, body } = await user.post('/api/items', doc(files))
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('name no file that somebody else has uploaded and nobody has shown', async () => {
    const secret = await upload('secret.txt', other)
    expect((await user.post('/api/items', doc([{ file_id: secret.file_id }]))).status).toBe(400)
    await other.ok('POST', '/api/items', doc([{ file_id: secret.file_id }]))
    expect((await user.post('/api/items', doc([{ file_id: secret.file_id }]))).status).toBe(200)
  })

  it('take and give up files where values are merged', async () => {
    const [a, b, c] = [await upload('a'), await upload('b'), await upload('c')]
    const { item_id } = await create([a, b])
    const change = async (files: unknown) =>
      user.put(`/api/items/${item_id}/tags/${tag}`, { merge: true, field_values: { files } })
    expect(
      filesOf((await change({ add: [{ file_id: c.file_id, name: 'C' }], remove: [a.file_id] })).body),
    ).toEqual([b, { ...c, name: 'C' }])
    expect(filesOf((await change({ add: [{ file_id: b.file_id, name: 'not taken' }] })).body)).toEqual([
      b,
      { ...c, name: 'C' },
    ])
    const wrong = await change({ add: [{ file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' }] })
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('files.add[0]: file ')])
    const [one, two] = [await create([a]), await create([b])]
    const bulk = await user.ok('POST', '/api/items/bulk-update-fields', {
      filter: { id: { in: [one.item_id, two.item_id] } },
      tag_id: tag,
      merge: true,
      field_values: {
        files: { add: [{ file_id: c.file_id }], remove: [a.file_id] },
        old: { from: 'Doc.files' },
      },
    })
    expect(bulk.affected_count).toBe(2)
    const values = async (id: string) => (await user.ok('GET', `/api/items/${id}`)).data[tag].field_values
    expect(await values(one.item_id)).toEqual({ files: [c], old: [a] })
    expect(await values(two.item_id)).toEqual({ files: [b, c], old: [b] })
  })

  it('are put in the place of others by a migration, whole, if there are such files', async () => {
    const [kept, mine, secret] = [await upload('kept'), await upload('mine'), await upload('s', other)]
    const made = await user.ok('POST', '/api/tags', {
      name: 'Scan',
      fields: { page: 'String', more: 'File' },
    })
    const scan = (page: string) =>
      user.ok('POST', '/api/items', {
        name: page,
        tags: [{ tag_ref: { Existing: made.tag_id }, field_values: { page, more: [kept] } }],
      })
    const [one, two] = [await scan('one'), await scan('two')]
    await user.ok('PUT', `/api/tags/${made.tag_id}`, { fields: { page: 'File', more: 'File' } })
    const migrate = (map: object, dry_run = false) =>
      user.post(`/api/tags/${made.tag_id}/migrate`, { map, dry_run })
    const none = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    for (const dry_run of [true, false]) {
      const unknown = {
        one: [{ file_id: mine.file_id }, { file_id: none }],
        two: [{ file_id: secret.file_id }],
      }
      const { status, body } = await migrate({ page: unknown }, dry_run)
      expect([status, body.details?.errors]).toEqual([
        400,
        [
          { path: 'map.page.one[1]', message: `file '${none}' not found` },
          { path: 'map.page.two[0]', message: `file '${secret.file_id}' not found` },
        ],
      ])
    }
    const by = { one: [{ file_id: mine.file_id.toLowerCase(), name: 'first', size: 9 }], two: null }
    expect(await migrate({ page: by })).toMatchObject({ status: 200, body: { migrated: 2, unfitting: [] } })
    const values = async ({ item_id }: { item_id: string }) =>
      (await user.ok('GET', `/api/items/${item_id}`)).data[made.tag_id].field_values
    expect(await values(one)).toEqual({ page: [{ ...mine, name: 'first' }], more: [kept] })
    expect(await values(two)).toEqual({ page: null, more: [kept] })
    expect((await other.get(`/api/files/${mine.file_id}`)).status).toBe(200)
    expect((await user.get(`/api/files/${secret.file_id}`)).status).toBe(404)
  })

  it('are united where items become one', async () => {
    const [a, b, c] = [await upload('a'), await upload('b'), await upload('c')]
    const [one, two] = [await create([a, b]), await create([{ ...b, name: 'B' }, c])]
    await user.ok('POST', `/api/items/${one.item_id}/merge`, { from: [two.item_id] })
    expect(filesOf(await user.ok('GET', `/api/items/${one.item_id}`))).toEqual([a, b, c])
  })

  it('come back by undo, and as they were', async () => {
    const a = await upload('a')
    const { item_id } = await create([a])
    const before = new Date().toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const changed = await user.put(`/api/items/${item_id}/tags/${tag}`, { field_values: { files: [] } })
    expect(filesOf(await user.ok('GET', `/api/items/${item_id}?as_of=${before}`))).toEqual([a])
    await user.ok('POST', '/api/changes/undo', { change_ids: [changed.headers.get('x-change-id')] })
    expect(filesOf(await user.ok('GET', `/api/items/${item_id}`))).toEqual([a])
    expect((await other.get(`/api/files/${a.file_id}`)).status).toBe(200)
  })
})

describe('filters on files', () => {
  let items: Record<string, string>
  beforeAll(async () => {
    const [pdf, png] = [await upload('Plan 2026.pdf'), await upload('photo.png')]
    items = {
      both: (await create([pdf, png])).item_id,
      plan: (await create([{ ...pdf, name: 'plan.pdf' }])).item_id,
      none: (await create([])).item_id,
    }
  })
  it.each([
    [{ eq: 'plan.pdf' }, ['plan']],
    ['photo.png', ['both']],
    [{ contains: 'lan' }, ['both', 'plan']],
    [{ starts_with: 'p' }, ['both', 'plan']],
    [{ ends_with: '.pdf' }, ['both', 'plan']],
    [{ ends_with: '.PDF' }, []],
    [{ ends_with: '2026.pdf' }, ['both']],
    [{ regex: '(?i)^PLAN' }, ['both', 'plan']],
    [{ exists: true }, ['both', 'plan', 'none']],
    [{ is_null: true }, []],
    [{ neq: 'plan.pdf' }, []],
    [{ neq: null }, ['both', 'plan', 'none']],
    [{ eq: null }, []],
    [null, []],
    [{ in: ['plan.pdf'] }, []],
  ] as const)('find by %j', async (test, wanted) => {
    const all = await found({ 'Doc.files': test })
    const names = Object.entries(items).flatMap(([name, id]) => (all.includes(id) ? [name] : []))
    expect(names).toEqual(wanted)
  })

  it('count each name', async () => {
    const { groups } = await user.ok('POST', '/api/items/aggregate', {
      filter: { id: { in: Object.values(items) } },
      group_by: ['Doc.files'],
    })
    expect(
      Object.fromEntries(groups.map(({ key, count }: { key: string[]; count: number }) => [key[0], count])),
    ).toEqual({
      'Plan 2026.pdf': 1,
      'photo.png': 1,
      'plan.pdf': 1,
      null: 1,
    })
  })

  it('match no item by its files, nor put any in order by them', async () => {
    const upsert = await user.post('/api/items/bulk', { items: [doc([])], match_by: 'Doc.files' })
    expect([upsert.status, upsert.body.message]).toEqual([
      400,
      expect.stringContaining('not matched by the files'),
    ])
    expect(
      (await user.post('/api/items/search', { sort: [{ by: 'Doc.files', direction: 'asc' }] })).status,
    ).toBe(400)
  })
})

describe('a key that sees a part of the base', () => {
  const keyWith = async (more: object) => {
    const { key } = await user.ok('POST', '/api/keys', { name: 'part', scope: 'write', ...more })
    return new TokenClient(service.url, key)
  }

  it('reads the files of items in its sight, and comes to no others by their ids', async () => {
    const [seen, hidden] = [await upload('seen.txt'), await upload('hidden.txt')]
    const other_tag = (await user.ok('POST', '/api/tags', { name: 'Other', fields: { files: 'File' } }))
      .tag_id
    await create([seen])
    await user.ok('POST', '/api/items', {
      name: 'y',
      tags: [{ tag_ref: { Existing: other_tag }, field_values: { files: [{ file_id: hidden.file_id }] } }],
    })
    const part = await keyWith({ limit: { tag_ids: [tag] } })
    const read = async ({ file_id }: Uploaded) => (await part.get(`/api/files/${file_id}`)).status
    expect([await read(seen), await read(hidden)]).toEqual([200, 404])
    expect((await part.post('/api/items', doc([{ file_id: hidden.file_id }]))).status).toBe(400)
    const own = await upload('own.txt', part)
    await part.ok('POST', '/api/items', doc([{ file_id: own.file_id }]))
    expect(await read(own)).toBe(200)
  })

  it('does not come to read a file by what others change in a text that names it', async () => {
    const { file_id } = await upload('private.txt')
    const text = `<img src="/api/files/${file_id}">`
    // Of somebody else's file: it counts for nobody.
    const { item_id } = await other.ok('POST', '/api/items', doc([], { description: text }))
    const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Hiding', fields: { files: 'File' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { files: [{ file_id }] } }]
    await user.ok('POST', '/api/items', { name: 'z', tags })
    const part = await keyWith({ limit: { tag_ids: [tag] } })
    const read = async (client: Client) => (await client.get(`/api/files/${file_id}`)).status
    expect([await read(other), await read(part)]).toEqual([200, 404])
    await user.ok('PUT', `/api/items/${item_id}`, { description: `${text}<p>and a word</p>` })
    expect(await read(part)).toBe(404)
    await user.ok('PUT', `/api/items/${item_id}`, { description: null })
    await user.ok('PUT', `/api/items/${item_id}`, { description: text })
    expect(await read(part)).toBe(200)
  })

  it('names no file anew that it does not read, in any text', async () => {
    const fields = { note: 'String', link: 'Reference' }
    const page = (await user.ok('POST', '/api/tags', { name: 'Page', fields })).tag_id
    const vault = (await user.ok('POST', '/api/tags', { name: 'Vault', fields: { files: 'File' } })).tag_id
    const extra = (await user.ok('POST', '/api/tags', { name: 'Extra', fields: { text: 'String' } })).tag_id
    const shown = (file_id: string) => `<p>see <img src="/api/files/${file_id}"></p>`
    const [F, G] = [(await upload('F.txt')).file_id, (await upload('G.txt')).file_id]
    const on = (Existing: string, field_values: object) => ({ tag_ref: { Existing }, field_values })
    const add = async (by: Client, given: object) => (await by.ok('POST', '/api/items', given)).item_id
    // Of somebody else's file: it counts for nobody.
    const told = await add(other, {
      name: 'told',
      description: shown(F),
      tags: [on(page, { note: shown(F) })],
    })
    const x = await add(user, {
      name: 'x',
      tags: [on(page, { note: '', link: told }), on(vault, { files: [{ file_id: F }] })],
    })
    await add(user, { name: 'hidden', tags: [on(vault, { files: [{ file_id: G }] })] })
    const part = await keyWith({ limit: { tag_ids: [page, extra] } })
    const proposer = await keyWith({ limit: { tag_ids: [page, extra] }, scope: 'propose' })
    const read = async (file_id: string) => (await part.get(`/api/files/${file_id}`)).status

    const [item, entry] = [`/api/items/${x}`, `/api/items/${x}/tags/${page}`]
    const filter = { name: 'x' }
    const never = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    type Request = readonly [method: 'POST' | 'PUT', path: string, body: object]
    const doors = (text: string): Request[] => [
      ['PUT', item, { description: text }],
      ['PUT', item, { name: text }],
      ['PUT', entry, { field_values: { note: text } }],
      ['PUT', entry, { field_values: { note: { append: text } }, merge: true }],
      ['POST', '/api/items', { name: 'new', description: text, tags: [on(page, {})] }],
      ['POST', '/api/items', { name: 'new', tags: [on(page, { note: text })] }],
      ['POST', '/api/items/bulk', { items: [{ name: text, tags: [on(page, {})] }] }],
      ['PUT', '/api/items/upsert', { match: { name: 'x' }, description: text }],
      ['PUT', '/api/items/upsert', { match: { name: 'x' }, tags: [on(page, { note: text })] }],
      ['PUT', '/api/items/upsert', { match: { name: 'new' }, description: text, tags: [on(page, {})] }],
      ['POST', '/api/items/bulk-update-fields', { filter, tag_id: page, field_values: { note: text } }],
      ['POST', `${item}/tags`, { tag: on(extra, { text }) }],
      ['POST', '/api/items/bulk-apply-tag', { filter, tag: on(extra, { text }) }],
      [
        'POST',
        '/api/batch',
        { operations: [{ operation: 'updateItem', input: { item_id: x, description: text } }] },
      ],
    ]
    for (const client of [part, proposer])
      for (const [i] of doors('').entries()) {
        const answers = []
        for (const file_id of [F, G, never]) {
          const [method, path, body] = doors(shown(file_id))[i]!
          const { status, body: answer } = await client.send(method, path, body)
          expect([path, status, answer.message]).toEqual([
            path,
            400,
            expect.stringContaining(`file '${file_id}' not found`),
          ])
          answers.push(JSON.stringify(answer).replaceAll(file_id, 'ID'))
          expect([path, await read(file_id)]).toEqual([path, 404])
        }
        expect(new Set(answers).size).toBe(1)
      }
    const note = { from: `Page.link->Page.note` }
    const copied = { filter, tag_id: page, field_values: { note }, merge: true }
    expect((await part.post('/api/items/bulk-update-fields', copied)).status).toBe(400)
    // Two halves of an address are one.
    const halves = [shown(F).slice(0, 30), shown(F).slice(30)].map((append) => ({ note: { append } }))
    const appended = []
    for (const field_values of halves)
      appended.push((await part.put(entry, { field_values, merge: true })).status)
    expect(appended).toEqual([200, 400])
    expect([await read(F), await read(G)]).toEqual([404, 404])

    // What is named there already stays, and does not count.
    await part.ok('PUT', `/api/items/${told}`, { description: `${shown(F)}<p>and more</p>` })
    expect(await read(F)).toBe(404)
    const own = (await upload('own.txt', part)).file_id
    await part.ok('PUT', item, { description: shown(own) })
    await part.ok('PUT', entry, { field_values: { note: shown(own) } })
    expect(await read(own)).toBe(200)
  })
})
