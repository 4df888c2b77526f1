import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Archive } from '#src/imports/zip/archive.ts'
import type { Client } from '#test/support/client.ts'
import { lookAt, mapTo, settled, uploaded } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'
import { zipOf } from '#test/support/zip-of.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

/** The Markdown export of a tag, its notes edited. */
async function editedExport(tag: string, edit: (note: string) => string): Promise<Buffer> {
  const exported = await client.fetch('/api/items/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'markdown', filter: { has_tag: tag } }),
  })
  const bytes = Buffer.from(await exported.arrayBuffer())
  const path = join(service.folder, 'exported.zip')
  writeFileSync(path, bytes)
  const archive = await Archive.open({ path, name: 'exported.zip', size: bytes.length })
  const files: Record<string, string> = {}
  for (const [name, file] of archive.files) {
    const text = String(await file.read())
    files[name] = name.endsWith('.md') ? edit(text) : text
  }
  await archive.close()
  return zipOf(files)
}

it('an exported note that gets another tag has it, and properties that no tag has are named', async () => {
  await client.ok('POST', '/api/tags', { name: 'Film', fields: { year: 'Number' } })
  await client.ok('POST', '/api/tags', { name: 'Seen', fields: {} })
  const { item_id } = await client.ok('POST', '/api/items', {
    name: 'Alien',
    tags: [{ tag_ref: { Existing: 'Film' }, field_values: { year: 1978 } }],
  })
  const bytes = await editedExport('Film', (note) =>
    note
      .replace('  - Film\n', '  - film\n  - Seen\n  - horror\n  - Horror\n')
      .replace('1978', '1979\nrating: 5'),
  )
  const looked = await lookAt(client, 'films.zip', bytes)
  expect(looked.body.left_out).toEqual([
    { name: "property 'rating'", reason: 'no tag of its note, or more than one, has such a field' },
  ])
  const tables = looked.body.tables.map(({ name }: { name: string }) => ({ name, key: 'item_id' }))
  const mapped = await mapTo(client, looked.body.import_id, { tables })
  expect(mapped).toMatchObject({ created: 0, fault_count: 0 })
  await client.post(`/api/imports/${looked.body.import_id}/run`, {})
  expect(await settled(client, looked.body.import_id)).toMatchObject({ state: 'done', created: 0 })
  const [{ tags }] = await client.ok('POST', '/api/items/search', { filter: { id: item_id } })
  const values = Object.values<{ tag_name: string; field_values: object }>(tags).map((each) => [
    each.tag_name,
    each.field_values,
  ])
  expect(Object.fromEntries(values)).toEqual({ Film: { year: 1979 }, Seen: {}, horror: {} })
})

it('notes of an export that nobody edited change nothing, whatever HTML their items have', async () => {
  const file_id = await uploaded(client, 'pic.png', 'a picture')
  // Of the same bytes and name, which its item calls otherwise.
  const again = await uploaded(client, 'pic.png', 'a picture')
  await client.ok('POST', '/api/tags', { name: 'Note', fields: { files: 'File' } })
  const files = [[{ file_id }], [{ file_id: again }], [{ file_id: again, name: 'Title' }], [], []]
  const texts = [
    'plain',
    '<p>See <b>this</b>, <i>that</i><br>and more</p>',
    '<h2 class="x">One</h2><ul><li><p>a</p></li><li>b</li></ul><pre><code>x\ny</code></pre>',
    '<table><tr><th>a</th></tr><tr><td>b</td></tr></table>',
    `<p><img src="/api/files/${again}" alt="a" width="30"> <a href="/api/files/${file_id}">it</a></p>`,
  ]
  const ids: string[] = []
  for (const [i, text] of texts.entries()) {
    const link = ids.length ? `<div>After <a href="/items/${ids.at(-1)}">the <b>last</b></a></div>` : ''
    const { item_id } = await client.ok('POST', '/api/items', {
      name: `Note ${i}`,
      description: text + link,
      tags: [{ tag_ref: { Existing: 'Note' }, field_values: { files: files[i] } }],
    })
    ids.push(item_id)
  }
  const items = () =>
    client.ok('POST', '/api/items/search', { filter: { has_tag: 'Note' }, sort: [{ by: 'name' }] })
  const before = await items()
  const takeIn = async (edit: (note: string) => string) => {
    const { body } = await lookAt(client, 'notes.zip', await editedExport('Note', edit))
    const tables = body.tables.map(({ name }: { name: string }) => ({ name, key: 'item_id' }))
    const mapped = await mapTo(client, body.import_id, { tables })
    await client.post(`/api/imports/${body.import_id}/run`, {})
    return [mapped, await settled(client, body.import_id)]
  }
  for (const each of await takeIn((note) => note))
    expect(each).toMatchObject({ created: 0, changed: 0, unchanged: 5, fault_count: 0 })
  expect(await items()).toEqual(before)
  for (const each of await takeIn((note) => note.replace('and more', 'and less')))
    expect(each).toMatchObject({ created: 0, changed: 1, unchanged: 4, fault_count: 0 })
  const descriptions = async () => (await items()).map((each: { description: string }) => each.description)
  const [, edited, ...others] = await descriptions()
  expect(edited).toContain('and less')
  expect(others).toEqual(before.slice(2).map((each: { description: string }) => each.description))
})
