import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Archive } from '#src/imports/zip/archive.ts'
import { Chance } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { lookAt, mapTo, settled, uploaded } from '#test/support/imports.ts'
import { createSearchWorld } from '#test/support/search-world.ts'
import { startService, type Service } from '#test/support/service.ts'
import { zipOf } from '#test/support/zip-of.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

/** What all items have for their one tag, in the order of their names. */
async function valuesByName(by: Client) {
  const items = await by.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
  return items.map(({ tags }: { tags: object }) => Object.values(tags)[0].field_values)
}

async function takeIn(by: Client, name: string, bytes: Buffer, isSaid = true) {
  const looked = await lookAt(by, name, bytes, isSaid ? 'markdown' : undefined)
  expect(looked.status, JSON.stringify(looked.body)).toBe(200)
  const { import_id } = looked.body
  const mapped = await mapTo(by, import_id, {})
  await by.post(`/api/imports/${import_id}/run`, {})
  return { looked: looked.body, mapped, done: await settled(by, import_id) }
}

/** Imitates a vault of Obsidian 1.8, with its properties, links, tags and settings. */
const VAULT = {
  'Garden/.obsidian/app.json': '{}',
  'Garden/Roses.md':
    '---\nplanted: 2025-04-01\nheight: 90\nneighbour: "[[Lavender]]"\ntags: [flower]\n---\n# Roses\nWater *daily*, see [[Sage|the sage]] #todo\n',
  'Garden/herbs/Lavender.md': '---\nplanted: 2024-05-01\nheight: 60\nneighbour: "[[Roses]]"\n---\nFor #tea\n',
  'Garden/herbs/Sage.md': 'No front matter.\n',
  'Garden/map.canvas': '{}',
}

it('a vault becomes items with fields, references, links and tags', async () => {
  const { looked, done } = await takeIn(client, 'vault.zip', await zipOf(VAULT))
  expect(looked.left_out).toEqual([
    { name: '.obsidian', reason: expect.stringContaining('settings') },
    { name: 'Garden/map.canvas', reason: expect.any(String) },
  ])
  expect([done.state, done.fault_count ?? 0]).toEqual(['done', 0])
  const items = await client.ok('POST', '/api/items/search', { sort: [{ by: 'name' }], expand: true })
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Lavender', 'Roses', 'Sage'])
  const [, roses] = items
  const values = Object.fromEntries(
    Object.values<{ tag_name: string; field_values: object }>(roses.tags).map((each) => [
      each.tag_name,
      each.field_values,
    ]),
  )
  expect(values).toEqual({
    Garden: { planted: '2025-04-01', height: 90, neighbour: items[0].item_id },
    flower: {},
    todo: {},
  })
  expect(roses.description).toContain(`<a href="/items/${items[2].item_id}">the sage</a>`)
  expect(
    (await client.ok('POST', '/api/items/search', { filter: { has_tag: 'tea' } })).map(
      ({ name }: { name: string }) => name,
    ),
  ).toEqual(['Lavender'])
})

it('files that front matter links to are files of the item, or their names where others say something else', async () => {
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const vault = {
      'Films/Alien.md': '---\ncover: "[[alien.png]]"\nfrom: "[[book.pdf]]"\n---\n',
      'Films/Brazil.md': '---\ncover: "![[brazil.png]]"\nfrom: an idea\n---\n',
      'Films/alien.png': 'one',
      'Films/brazil.png': 'two',
      'Films/book.pdf': 'three',
    }
    const { looked, done } = await takeIn(here, 'films.zip', await zipOf(vault))
    expect(looked.tables[0].columns).toMatchObject([
      { name: 'name' },
      { name: 'description' },
      { name: 'cover', type: 'File' },
      { name: 'from', type: 'String' },
    ])
    expect(done).toMatchObject({ state: 'done', created: 2, fault_count: 0 })
    const values = await valuesByName(here)
    expect(values).toMatchObject([
      { cover: [{ name: 'alien.png' }], from: 'book.pdf' },
      { cover: [{ name: 'brazil.png' }], from: 'an idea' },
    ])
    const { text } = await here.exchange('GET', `/api/files/${values[1].cover[0].file_id}`)
    expect(text).toBe('two')
  } finally {
    await fresh.close()
  }
})

it('front matter has fields of any name, and codes with their zeros', async () => {
  const zip = await zipOf({
    'Team/Ada.md': '---\nposition: Forward\nzip: 01234\n---\n',
    'Team/Bob.md': '---\nposition: Goal\nzip: 12345\n---\n',
  })
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const { done } = await takeIn(here, 'team.zip', zip)
    expect([done.state, done.faults]).toEqual(['done', []])
    expect(await valuesByName(here)).toEqual([
      { position: 'Forward', zip: '01234' },
      { position: 'Goal', zip: '12345' },
    ])
  } finally {
    await fresh.close()
  }
})

it('a file that front matter lists with notes is named as left out, unless the note shows it', async () => {
  const zip = await zipOf({
    'Mixed/Oak.md': '---\nsee: [ "[[Elm]]", "[[elm.png]]", "[[shown.png]]" ]\n---\n![[shown.png]]\n',
    'Mixed/Elm.md': 'A tree.\n',
    'Mixed/elm.png': 'one',
    'Mixed/shown.png': 'two',
  })
  const { looked, done } = await takeIn(client, 'mixed.zip', zip)
  expect(looked.left_out).toEqual([
    { name: 'Mixed/elm.png', reason: 'front matter has it in a list with notes' },
  ])
  expect(done).toMatchObject({ state: 'done', created: 2, fault_count: 0 })
})

it('a note whose path another has in other code points is named as left out', async () => {
  const zip = await zipOf({ 'Cafe/e\u0301.md': 'One.\n', 'Cafe/\u00e9.md': 'Two.\n' })
  const { looked, done } = await takeIn(client, 'cafe.zip', zip)
  expect(looked.left_out).toEqual([
    { name: 'Cafe/\u00e9.md', reason: 'the zip has another file of this path, which is taken' },
  ])
  expect(done).toMatchObject({ state: 'done', created: 1, fault_count: 0 })
})

it('a link with folders leads to no note in folders that are called otherwise', async () => {
  const zip = await zipOf({
    'Links/Source.md': 'See [[b/Aim]] and [[B/Target]].\n',
    'Links/ab/Aim.md': 'Not meant.\n',
    'Links/deep/b/Target.md': 'Meant.\n',
  })
  await takeIn(client, 'links.zip', zip)
  const found = async (name: string) =>
    (await client.ok('POST', '/api/items/search', { filter: { name } }))[0]
  const { item_id } = await found('Target')
  expect((await found('Source')).description).toBe(
    `<p>See b/Aim and <a href="/items/${item_id}">B/Target</a>.</p>`,
  )
})

it('a file for a field that takes none is a fault of its note, said before anything is written', async () => {
  const zip = await zipOf({ 'Shelf/Ulysses.md': '---\ncover: "[[pic.png]]"\n---\n', 'Shelf/pic.png': 'one' })
  const { body } = await lookAt(client, 'shelf.zip', zip, 'markdown')
  const columns = { cover: { field: 'cover', type: 'Reference' } }
  const mapped = await mapTo(client, body.import_id, { tables: [{ name: 'Shelf', columns }] })
  expect(mapped.faults).toMatchObject([{ column: 'cover', message: 'a Reference cannot be made of this' }])
  expect((await client.post(`/api/imports/${body.import_id}/run`, {})).status).toBe(409)
})

it('what a base exports is the same in another one: items, tags, values, references', async () => {
  const other = await startService()
  try {
    const there = await other.user()
    await createSearchWorld(there)
    const { tag_id } = await there.ok('POST', '/api/tags', { name: 'Also', fields: { why: 'String' } })
    const [water] = await there.ok('POST', '/api/items/search', { filter: { name: 'Water roses' } })
    await there.ok('POST', `/api/items/${water.item_id}/tags`, {
      tag: { tag_ref: { Existing: tag_id }, field_values: { why: 'thirst' } },
    })
    const exported = await there.fetch('/api/items/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'markdown', filter: { not: { name: 'Orphan' } } }),
    })
    const before = await told(there)
    const fresh = await startService()
    try {
      const here = await fresh.user()
      const { done } = await takeIn(here, 'items.zip', Buffer.from(await exported.arrayBuffer()))
      expect([done.state, done.faults]).toEqual(['done', []])
      expect(await told(here)).toEqual(before.filter(([name]) => name !== 'Orphan'))
    } finally {
      await fresh.close()
    }
  } finally {
    await other.close()
  }
})

it('texts come back to the letter, tags that begin with a # too, and files by the name that a value gives them, also *.md', async () => {
  const fresh = await startService()
  try {
    const odd = { '#1': 'String', one: 'String', two: 'String', papers: 'File', tags: 'Number' }
    for (const name of ['#odd', 'odd', 'odd, too'])
      await client.ok('POST', '/api/tags', { name, fields: name === '#odd' ? odd : {} })
    const names = ['own [1] | "x" 100%.txt', 'plan.txt', '%41#2.txt', 'notes.md', 'MD.Markdown']
    const papers = await Promise.all(
      names.map(async (name) => ({
        file_id: await uploaded(client, /m/i.test(name) ? name : 'plan.txt', name),
        name,
      })),
    )
    const field_values = { '#1': ' in between\t', one: '', two: 'line\r\n', papers }
    await client.ok('POST', '/api/items', {
      name: 'Odd',
      description: `<p>See <a href="/api/files/${papers[3]!.file_id}">the notes</a></p>`,
      tags: [{ tag_ref: { Existing: '#odd' }, field_values }, { tag_ref: { Existing: 'odd, too' } }],
    })
    const exported = await client.fetch('/api/items/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'markdown', filter: { name: 'Odd' } }),
    })
    const here = await fresh.user()
    const { done } = await takeIn(here, 'items.zip', Buffer.from(await exported.arrayBuffer()))
    expect([done.state, done.faults]).toEqual(['done', []])
    const items = await here.ok('POST', '/api/items/search', {})
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Odd'])
    const [{ tags, description }] = items
    expect(description).toMatch(/^<p>See <a href="\/api\/files\/\w{26}">the notes<\/a><\/p>$/)
    const entries = Object.values<{ tag_name: string; field_values: typeof field_values }>(tags)
    expect(entries.map(({ tag_name }) => tag_name).sort()).toEqual(['#odd', 'odd, too'])
    const values = entries.find(({ tag_name }) => tag_name === '#odd')!.field_values
    expect(values).toEqual({
      ...field_values,
      papers: names.map((name) => expect.objectContaining({ name })),
    })
    const bytes = values.papers.map(({ file_id }) => here.exchange('GET', `/api/files/${file_id}`))
    expect((await Promise.all(bytes)).map(({ text }) => text)).toEqual(names)
  } finally {
    await fresh.close()
  }
})

it('a file whose bytes are lost is left out of an export and named there, and no fault where that is taken in', async () => {
  const fresh = await startService()
  try {
    await client.ok('POST', '/api/tags', { name: 'Paper', fields: { papers: 'File', title: 'String' } })
    const [lost, kept] = [
      await uploaded(client, 'lost [1].txt', 'LOST BYTES'),
      await uploaded(client, 'kept.txt', 'KEPT BYTES'),
    ]
    for (const [name, ids] of [
      ['Both', [lost, kept]],
      ['Lost', [lost]],
    ] as const)
      await client.ok('POST', '/api/items', {
        name,
        description: `<p>See <a href="/api/files/${ids[0]}">the paper</a></p>`,
        tags: [
          {
            tag_ref: { Existing: 'Paper' },
            field_values: { papers: ids.map((file_id) => ({ file_id })), title: name },
          },
        ],
      })
    const store = join(service.folder, 'files')
    for (const path of readdirSync(store, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(store, path)).isFile() && readFileSync(join(store, path), 'utf8') === 'LOST BYTES')
        rmSync(join(store, path))
    const exported = await client.fetch('/api/items/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'markdown', filter: { has_tag: 'Paper' } }),
    })
    const bytes = Buffer.from(await exported.arrayBuffer())
    const path = join(service.folder, 'lost.zip')
    writeFileSync(path, bytes)
    const archive = await Archive.open({ path, name: 'lost.zip', size: bytes.length })
    const about = JSON.parse((await archive.files.get('facet.json')!.read()).toString())
    await archive.close()
    const file = expect.stringContaining(`files/${lost} lost`)
    expect(about.left_out).toEqual([{ file_id: lost, file, name: 'lost [1].txt' }])
    expect(about.files.map(({ file_id }: { file_id: string }) => file_id)).toEqual([kept])

    const here = await fresh.user()
    const { looked, done } = await takeIn(here, 'items.zip', bytes)
    expect([done.state, done.faults]).toEqual(['done', []])
    expect(looked.left_out).toEqual([{ name: 'lost [1].txt', reason: expect.stringContaining('not there') }])
    const items = await here.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
    const values = items.map(({ tags }: { tags: Record<string, { field_values: object }> }) =>
      Object.values(tags).map(({ field_values }) => field_values),
    )
    expect(values).toEqual([
      [{ papers: [expect.objectContaining({ name: 'kept.txt' })], title: 'Both' }],
      [{ title: 'Lost' }],
    ])
    for (const { description } of items) expect(description).toContain('the paper')
  } finally {
    await fresh.close()
  }
})

it('a description comes back in its form, whatever is next to its emphases', async () => {
  const file_id = await uploaded(client, 'plan.txt', 'the plan')
  const description =
    `<h2>Title</h2>\n<p><strong>Note:</strong>text of 10<sup>6</sup></p>\n<p><img src="/api/files/${file_id}" alt="[a] plan"></p>\n` +
    '<ul>\n<li>one</li>\n<li><strong>注意：</strong>二</li>\n</ul>'
  await client.ok('POST', '/api/items', { name: 'In form', description })
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const { done } = await takeIn(here, 'items.zip', await notesOf(client, { name: 'In form' }))
    expect([done.state, done.faults]).toEqual(['done', []])
    const [item] = await here.ok('POST', '/api/items/search', {})
    const [, kept = ''] = /\/api\/files\/(\w{26})/.exec(item.description) ?? []
    expect(item.description).toBe(description.replace(file_id, kept))
    expect((await here.exchange('GET', `/api/files/${kept}`)).text).toBe('the plan')
  } finally {
    await fresh.close()
  }
})

it.each([
  ['markdown', 'Told.md', 'a.md', "it's b.md"],
  ['notion', `Told ${'1'.repeat(32)}.md`, `a ${'2'.repeat(32)}.md`, `it's b ${'3'.repeat(32)}.md`],
])('addresses of an import mean nothing in a note of %s, nor do settings', async (format, told, a, b) => {
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const zip = await zipOf({
      '.obsidian/secret.json': '{}',
      'pic.png': 'one',
      'pic.png.txt': 'two',
      [told]:
        '![x](import-file:nope.png) <img src="import-file:.obsidian/secret.json"> [r](import-row:0) ![s](.obsidian/secret.json)\n\n' +
        'In docs: `import-file:zz`, src="import-file:pic.png", `import-row:1` <p title=\'x href="import-row:0"\'>p</p>\n\n' +
        `[a](<${a}>) [b](<${b}>) ![p](pic.png) [t](pic.png.txt)\n`,
      [a]: 'a',
      [b]: 'b',
    })
    const { body } = await lookAt(here, 'notes.zip', zip, format)
    const mapped = await mapTo(here, body.import_id, {})
    expect([mapped.created, mapped.faults]).toEqual([3, []])
    await here.post(`/api/imports/${body.import_id}/run`, {})
    expect(await settled(here, body.import_id)).toMatchObject({ state: 'done', error: null })
    const items = await here.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
    const { description } = items.find(({ name }: { name: string }) => name === 'Told')
    const id = (name: string) =>
      items.find((item: { name: string }) => item.name === name.replace(/(?: \d{32})?\.md$/, '')).item_id
    const files = [...description.matchAll(/\/api\/files\/(\w{26})/g)].map(([, file_id]) => file_id)
    const bytes = await Promise.all(files.map((file_id) => here.exchange('GET', `/api/files/${file_id}`)))
    expect(bytes.map(({ text }) => text)).toEqual(['one', 'two'])
    expect(description).toContain('<code>import-file:zz</code>, src=&quot;import-file:pic.png&quot;')
    expect(description).toContain('<code>import-row:1</code>')
    expect(description).toContain(`<a href="/items/${id(a)}">a</a> <a href="/items/${id(b)}">b</a>`)
    expect(description).toContain(
      '<p><img alt="x"> <img> <a>r</a> <img src=".obsidian/secret.json" alt="s"></p>',
    )
  } finally {
    await fresh.close()
  }
})

it('addresses in HTML of a note lead where those of Markdown do', async () => {
  const zip = await zipOf({
    'Shop/notes/Told.md':
      'See <a href="../Other note.md">other</a>, <A HREF="/items/x">x</A> and [it](../Other%20note.md).\n\n' +
      '<p><img src="pictures/a.png" width="300"> <img src=\'https://example.org/b.png\'> <a href="#top">up</a></p>\n',
    'Shop/notes/pictures/a.png': 'a picture',
    'Shop/Other note.md': 'Other\n',
  })
  const { looked, done } = await takeIn(client, 'shop.zip', zip)
  expect(looked.left_out).toEqual([])
  expect(done).toMatchObject({ state: 'done', created: 2, fault_count: 0 })
  const items = await client.ok('POST', '/api/items/search', {
    filter: { has_tag: 'Shop' },
    sort: [{ by: 'name' }],
  })
  const [{ item_id }, { description }] = items
  const address = `/items/${item_id}`
  expect(description.replace(/\/api\/files\/\w{26}/, 'FILE')).toBe(
    `<p>See <a href="${address}">other</a>, <a href="/items/x">x</a> and <a href="${address}">it</a>.</p>\n` +
      '<p><img src="FILE" width="300"> <img src="https://example.org/b.png"> <a href="#top">up</a></p>',
  )
})

it('a link to a note that is left out is its text', async () => {
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const zip = await zipOf({
      'Told.md': 'to [it *now*](out.md "why"), [[out]] and [A](A.md)\n',
      'A.md': 'a',
      'out.md': 'a\0',
    })
    const { body } = await lookAt(here, 'notes.zip', zip, 'markdown')
    await mapTo(here, body.import_id, {})
    await here.post(`/api/imports/${body.import_id}/run`, { on_fault: 'skip' })
    expect(await settled(here, body.import_id)).toMatchObject({ state: 'done', created: 2 })
    const [a, told] = await here.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
    expect(told.description).toBe(`<p>to it <em>now</em>, out and <a href="/items/${a.item_id}">A</a></p>`)
  } finally {
    await fresh.close()
  }
})

it('a note whose front matter links to a note with a fault is left out with it, and said to be before', async () => {
  const fresh = await startService()
  try {
    const here = await fresh.user()
    const zip = await zipOf({
      'Ash.md': '---\nkind: x\nsize: wide\n---\nAsh\n',
      'Box.md': '---\nkind: x\nsize: 1\nnear: "[[Ash]]"\n---\nBox\n',
      'Elm.md': '---\nkind: x\nsize: 2\nnear: "[[Fir]]"\n---\nElm, by [[Ash]]\n',
      'Fir.md': '---\nkind: x\nsize: 3\n---\nFir\n',
    })
    const { import_id, tables } = (await lookAt(here, 'trees.zip', zip, 'markdown')).body
    const columns = { size: { field: 'size', type: 'Number' } }
    const mapped = await mapTo(here, import_id, { tables: [{ name: tables[0].name, columns }] })
    const faults = [
      { file: 'Ash.md', column: 'size' },
      { file: 'Box.md', column: 'near', message: "the row that 'Ash' leads to was left out" },
    ]
    expect(mapped).toMatchObject({ created: 2, skipped: 2, fault_count: 2, faults })
    await here.post(`/api/imports/${import_id}/run`, { on_fault: 'skip' })
    expect(await settled(here, import_id)).toMatchObject({ created: 2, skipped: 2, fault_count: 2, faults })
    const items = await here.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
    expect(items).toMatchObject([{ name: 'Elm', description: '<p>Elm, by Ash</p>' }, { name: 'Fir' }])
  } finally {
    await fresh.close()
  }
})

it('references to what is not in an export are left out and named, or found in the base', async () => {
  await client.ok('POST', '/api/tags', {
    name: 'Referring',
    fields: { text: 'String', one: 'Reference', many: 'MultiReference', gone: 'MultiReference' },
  })
  const make = async (name: string, field_values?: object): Promise<string> => {
    const tags = field_values && [{ tag_ref: { Existing: 'Referring' }, field_values }]
    return (await client.ok('POST', '/api/items', { name, ...(tags && { tags }) })).item_id
  }
  const [deleted, outside, inside] = [await make('Deleted one'), await make('Out: side'), await make('Twice')]
  const values = { text: 'kept', one: deleted, many: [outside, inside, deleted], gone: [deleted] }
  await make('From', values)
  await make('Deleted one')
  await client.ok('DELETE', `/api/items/${deleted}`)
  const filter = { or: [{ name: 'From' }, { name: 'Twice' }] }
  const zip = await notesOf(client, filter)

  const fresh = await startService()
  try {
    const here = await fresh.user()
    const { looked, done } = await takeIn(here, 'items.zip', zip)
    expect([done.state, done.faults]).toEqual(['done', []])
    const reason = expect.stringContaining('not in the export')
    expect(looked.left_out).toEqual([
      { name: 'Deleted one', reason },
      { name: 'Out side', reason },
    ])
    const [from, twice] = await here.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
    expect(Object.values<{ field_values: object }>(from.tags)[0]!.field_values).toEqual({
      text: 'kept',
      many: [twice.item_id],
    })
  } finally {
    await fresh.close()
  }

  const { body } = await lookAt(client, 'items.zip', zip, 'markdown')
  const tables = body.tables.map(({ name }: { name: string }) => ({ name, key: 'item_id' }))
  const mapped = await mapTo(client, body.import_id, { tables })
  expect(mapped).toMatchObject({ created: 0, faults: [] })
  await client.post(`/api/imports/${body.import_id}/run`, {})
  expect(await settled(client, body.import_id)).toMatchObject({ state: 'done', fault_count: 0 })
  const [{ tags }] = await client.ok('POST', '/api/items/search', { filter: { name: 'From' } })
  expect(Object.values<{ field_values: object }>(tags)[0]!.field_values).toEqual(values)
})

it('items may be called as files are: what refers to them goes on meaning them', async () => {
  const names = ['Plan', 'Plan.md', 'Plan.MD_', 'README.md', 'facet.json', 'notes.markdown', 'pic.png']
  const here = await startService()
  const there = await startService()
  try {
    const from = await here.user()
    await from.ok('POST', '/api/tags', { name: 'Reader', fields: { reads: 'Reference' } })
    for (const name of names) {
      const { item_id } = await from.ok('POST', '/api/items', { name })
      await from.ok('POST', '/api/items', {
        name: `Of ${name}`,
        description: `<p><a href="/items/${item_id}">it</a></p>`,
        tags: [{ tag_ref: { Existing: 'Reader' }, field_values: { reads: item_id } }],
      })
    }
    const to = await there.user()
    const { looked, done } = await takeIn(to, 'items.zip', await notesOf(from, { name: { contains: '' } }))
    expect([looked.left_out, done.state, done.faults]).toEqual([[], 'done', []])
    expect(await told(to)).toEqual(await told(from))
    const items = await to.ok('POST', '/api/items/search', { filter: { has_tag: 'Reader' } })
    for (const { tags, description } of items)
      expect(description).toContain(
        Object.values<{ field_values: { reads: string } }>(tags)[0]!.field_values.reads,
      )
  } finally {
    await there.close()
    await here.close()
  }
})

it('tags may be called as what an import or a system calls its own', async () => {
  const names = ['Items without a tag', 'Items no tag', '__MACOSX', 'con', 'files', 'facet.json']
  const items = ['Aside', ...names.map((tag) => `Of ${tag}`)]
  for (const name of names) await client.ok('POST', '/api/tags', { name, fields: { x: 'String' } })
  for (const [i, name] of items.entries()) {
    const tags = i ? [{ tag_ref: { Existing: names[i - 1] }, field_values: { x: 'v' } }] : []
    await client.ok('POST', '/api/items', { name, tags })
  }
  const wanted = items
    .toSorted()
    .map((name) => [name, name === 'Aside' ? [] : [[name.slice(3), [['x', 'v']]]]])
  const filter = { or: items.map((name) => ({ name })) }
  for (const format of ['markdown', 'jsonl']) {
    const fresh = await startService()
    try {
      const here = await fresh.user()
      const file = format === 'markdown' ? 'items.zip' : 'items.jsonl'
      const { done } = await takeIn(here, file, await notesOf(client, filter, format), false)
      expect([format, done.state, done.faults]).toEqual([format, 'done', []])
      expect(await told(here)).toEqual(wanted)
    } finally {
      await fresh.close()
    }
  }
})

async function notesOf(by: Client, filter: object, format = 'markdown'): Promise<Buffer> {
  const response = await by.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format, filter }),
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** By name, with names in place of ids; a null is nothing. */
async function told(by: Client): Promise<unknown[][]> {
  const items = await by.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
  const names = new Map(items.map(({ item_id, name }: { item_id: string; name: string }) => [item_id, name]))
  return items.map(({ name, tags }: { name: string; tags: object }) => [
    name,
    Object.values<{ tag_name: string; field_values: object }>({ ...tags })
      .map(({ tag_name, field_values }) => [
        tag_name,
        Object.entries(field_values)
          .filter(([, value]) => value !== null)
          .map(([field, value]) => [field, names.get(value) ?? value])
          .sort(([a], [b]) => String(a).localeCompare(String(b))),
      ])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
  ])
}

it('embedded files come along when the one who began it signs out meanwhile', async () => {
  const leaving = await service.user('leaving@example.org')
  const notes = Array.from({ length: 60 }, (_, i) => [`Note ${i}.md`, `![[pic ${i}.txt]]\n`])
  const files = Array.from({ length: 60 }, (_, i) => [`pic ${i}.txt`, `picture ${i}`])
  const vault = await zipOf(Object.fromEntries([...notes, ...files]))
  const { body } = await lookAt(leaving, 'album.zip', vault, 'markdown')
  await mapTo(leaving, body.import_id, {})
  await leaving.post(`/api/imports/${body.import_id}/run`, {})
  await leaving.ok('POST', '/api/auth/logout')
  await leaving.ok('POST', '/api/auth/login', {
    email: 'leaving@example.org',
    password: 'correct horse',
  })
  const done = await settled(leaving, body.import_id)
  expect([done.state, done.created, done.error]).toEqual(['done', 60, null])
})

it('a link of combining marks takes no longer than another', async () => {
  const random = new Chance(5)
  const marks = Array.from({ length: 100_000 }, () => (random.is(0.5) ? '\u0301' : '\u0323')).join('')
  const notes = { 'a.md': `---\nabout: "[[a${marks}]]"\n---\n![b](a${marks})\n`, 'b.md': 'B' }
  const start = performance.now()
  const looked = await lookAt(client, 'marks.zip', await zipOf(notes), 'markdown')
  expect(looked.body).toMatchObject({ state: 'ready', total: 2 })
  expect(performance.now() - start).toBeLessThan(15_000) // as they were normalized, 30 seconds where nothing else went on, and 3 now
})
