import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readableText } from '#src/domain/readable-text.ts'
import { markdownReader } from '#src/imports/markdown/markdown-reader.ts'
import type { Cell, SourceRecord } from '#src/imports/source.ts'
import { Archive } from '#src/imports/zip/archive.ts'
import type { Client } from '#test/support/client.ts'
import { createSearchWorld, type SearchWorld } from '#test/support/search-world.ts'
import { startService, type Service } from '#test/support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-markdown-'))
let service: Service
let client: Client
let world: SearchWorld
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  world = await createSearchWorld(client)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

async function zipped(body: object = {}) {
  const response = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'markdown', ...body }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const path = join(folder, 'items.zip')
  writeFileSync(path, bytes)
  return { path, name: 'items.zip', size: bytes.length }
}

async function unpacked(body?: object): Promise<Record<string, string>> {
  const archive = await Archive.open(await zipped(body))
  const files: Record<string, string> = {}
  for (const [path, file] of archive.files) files[path] = await text(await file.open())
  await archive.close()
  return files
}

async function readAgain(body?: object): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  for await (const list of markdownReader.read(await zipped(body), { signal: new AbortController().signal }))
    records.push(...list)
  return records
}

describe('a Markdown zip', () => {
  it('has a note an item, with front matter that people read, and schemas and ids beside', async () => {
    const files = await unpacked()
    expect(files['Task/Water roses.md']).toBe(
      '---\ntags:\n  - Task\ntitle: water\npoints: 3\nurgent: true\ndue: 2026-02-01\nowner: "[[Bob]]"\nstate: doing\nlabels:\n  - garden\n  - home\n---\n\nEvery MORNING\n',
    )
    expect(files['Loose note.md']).toBeDefined()
    const about = JSON.parse(files['facet.json']!)
    expect(about).toMatchObject({ format: 'facet-markdown', version: 1, files: [] })
    expect(about.items).toContainEqual({
      item_id: world.ids['Bob'],
      file: 'Person/Bob.md',
      name: 'Bob',
    })
    expect(about.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['Person', 'Task', 'Thing'])
  })

  it('has the items of a filter alone, and those that they refer to by name', async () => {
    const files = await unpacked({ filter: { name: 'Water roses' } })
    expect(Object.keys(files)).toEqual(['Task/Water roses.md', 'facet.json'])
    // Another item of that name may be in the folder that it is unpacked to.
    expect(files['Task/Water roses.md']).toContain(`owner: "[[Bob ${world.ids['Bob']}]]"`)
  })

  it('gives every item a file of its own, whatever it is called', async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'a/b: *', fields: { ref: 'Reference' } })
    const names = [
      'x',
      'X',
      'x/y',
      'x:y',
      '..',
      'con',
      '/etc/passwd',
      'é',
      'e\u0301',
      '  ',
      'n'.repeat(300),
      '[[x]]|#^',
    ]
    const made = []
    for (const name of names.filter((each) => each.trim()))
      made.push(await client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: tag_id } }] }))
    const records = await readAgain({ filter: { has_tag: 'a/b: *' } })
    const rows = records.filter((each) => each.is === 'row')
    const stored = await client.ok('POST', '/api/items/search', { filter: { has_tag: 'a/b: *' } })
    const told = (id: unknown, name: unknown) => `${String(id)} ${String(name)}`
    expect(rows.map(({ cells }) => told(cells.get('item_id'), cells.get('name'))).sort()).toEqual(
      stored.map((item: { item_id: string; name: string }) => told(item.item_id, item.name)).sort(),
    )
    const files = Object.keys(await unpacked({ filter: { has_tag: 'a/b: *' } }))
    expect(new Set(files.map((path) => path.toLowerCase())).size).toBe(made.length + 1)
    expect(files.filter((path) => !/^a b\/[^/\\:*?"<>|#^[\]]+\.md$|^facet\.json$/.test(path))).toEqual([])
  })

  it('is read again with the same items, tags and values', async () => {
    const evil = {
      String: [
        '- a: b',
        '1',
        'true',
        '2026-01-01',
        '"',
        "'",
        '[[Bob]] and',
        '# x',
        'ü\n\tz',
        '\u2028\u0085',
        '{}',
        '&a *b',
        '%',
        '@x',
        '`',
        ' x',
      ],
      Number: [-0.5, 1e21, 0],
      Boolean: [true, false],
      Date: ['2026-02-28'],
      DateTime: ['2026-02-28T09:30:00.000Z'],
      Select: ['no', 'null', '~'].map((variant) => ({ variant })),
      MultiSelect: [['a, b', '- c', 'null'], []],
      Reference: [world.ids['Ada'], world.ids['Cyd']],
      MultiReference: [[world.ids['Bob'], world.ids['Ada']], []],
    }
    const fields = Object.fromEntries(
      Object.keys(evil).map((type) => [
        `f ${type}`,
        type === 'Select'
          ? { type, variants: ['no', 'null', '~'] }
          : type === 'MultiSelect'
            ? { type, variants: ['a, b', '- c', 'null'] }
            : type,
      ]),
    )
    const ids: string[] = []
    for (const name of ['Odd: one', 'tags'])
      ids.push((await client.ok('POST', '/api/tags', { name, fields: { ...fields, tags: 'String' } })).tag_id)
    const values = (i: number) =>
      Object.fromEntries(
        Object.entries(evil).map(([type, all]) => [`f ${type}`, (all as unknown[])[i % all.length]]),
      )
    for (let i = 0; i < 16; i++) {
      const tags = ids
        .slice(0, 1 + (i % 2))
        .map((Existing, t) => ({ tag_ref: { Existing }, field_values: { ...values(i + t), tags: '#x' } }))
      const description = `<h1>${i}</h1><p>a * b [[c]] #d <b>e</b></p><ul><li>f</li></ul>`
      await client.ok('POST', '/api/items', { name: `odd ${i}`, description, tags })
    }
    const filter = { has_tag: 'Odd: one' }
    const stored = await client.ok('POST', '/api/items/search', { filter })
    const read = itemsOf(await readAgain({ filter }))
    for (const { item_id, name, description, tags } of stored) {
      const own = read.get(item_id)!
      expect([own.name, readableText(own.html)]).toEqual([name, readableText(description)])
      for (const { tag_name, field_values } of Object.values<Applied>(tags))
        for (const [field, value] of Object.entries(field_values))
          expect([name, field, plain(own.tags[tag_name]!.get(field) ?? null)]).toEqual([
            name,
            field,
            meant(value),
          ])
      expect(Object.keys(own.tags).sort()).toEqual(
        Object.values<Applied>(tags)
          .map((each) => each.tag_name)
          .sort(),
      )
    }
  })
})

interface Applied {
  tag_name: string
  field_values: Record<string, unknown>
}

interface ReadItem {
  name: unknown
  html: string
  tags: Record<string, ReadonlyMap<string, Cell>>
}

/** By item id. */
function itemsOf(records: readonly SourceRecord[]): Map<unknown, ReadItem> {
  const items = new Map<unknown, ReadItem>()
  for (const record of records) {
    if (record.is !== 'row') continue
    const { cells, table } = record
    const html = cells.get('description')
    const item = items.get(cells.get('item_id')) ?? { name: cells.get('name'), html: '', tags: {} }
    if (typeof html === 'object' && html && 'html' in html) item.html = html.html
    item.tags[table] = cells
    items.set(cells.get('item_id'), item)
  }
  return items
}

/** Names in place of links; an empty list is none. */
function plain(cell: Cell): unknown {
  if (typeof cell === 'object' && cell && 'stored' in cell) return cell.stored
  if (typeof cell === 'object' && cell && 'links' in cell)
    return cell.links.length ? cell.links.map(({ name }) => name) : null
  return Array.isArray(cell) && !cell.length ? null : cell
}

/** A value as the reader says it: names of items, of variants. */
function meant(value: unknown): unknown {
  if (typeof value === 'object' && value && 'variant' in value) return value.variant
  const list = [value].flat()
  if (!list.length) return null
  const id = /^[0-7][0-9A-Z]{25}$/
  if (!list.every((each) => typeof each === 'string' && id.test(each))) return value
  const names = Object.entries(world.ids)
  return list.map((each) => names.find(([, item_id]) => item_id === each)![0])
}
