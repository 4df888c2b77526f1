import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { ROOT } from '#test/support/process.ts'
import { startService, type Service } from '#test/support/service.ts'

const TEMPLATES = join(ROOT, 'templates')
const files = readdirSync(TEMPLATES).sort()
const read = (name: string) => JSON.parse(readFileSync(join(TEMPLATES, name), 'utf8'))

interface Named {
  name: string
}
/** How much there is of everything, and when it was last changed. */
async function contents(client: Client) {
  const tags: Named[] = await client.ok('GET', '/api/tags')
  const views: Named[] = await client.ok('GET', '/api/views?shared=true')
  const items: Named[] = await client.ok('POST', '/api/items/search', { limit: 1000 })
  const names = (of: Named[]) => of.map(({ name }) => name).sort()
  return { tags: names(tags), views: names(views), items: names(items) }
}

describe('templates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-templates-'))
  let service: Service
  let owner: Client
  let editor: Client
  beforeAll(async () => {
    service = await startService()
    owner = await service.user('ada@example.org')
    editor = await service.user('bob@example.org')
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are six at least, each with views and sample items, and all find their place in one base', async () => {
    expect(files).toEqual(
      expect.arrayContaining(
        ['bugs', 'crm', 'household', 'incidents', 'reading-list', 'research-notes'].map(
          (each) => `${each}.json`,
        ),
      ),
    )
    for (const file of files) {
      const template = read(file)
      const made = await owner.ok('POST', '/api/template', { template })
      const { tags, views, items } = template
      expect([file, made]).toMatchObject([
        file,
        { tags: tags.length, views: views.length, items: items.length, change_id: expect.any(String) },
      ])
      expect(Math.min(tags.length, views.length, items.length)).toBeGreaterThan(1)
    }
    const [book] = await owner.ok('POST', '/api/items/search', {
      filter: { 'Book.author->Author.born': 1923 },
    })
    expect(book.name).toBe('Invisible Cities')
    const [bug] = await owner.ok('POST', '/api/items/search', {
      filter: { 'Bug.blocked by': { exists: true } },
    })
    expect(bug.name).toBe('The caret jumps while typing')
    const views = await editor.ok('GET', '/api/views?shared=true')
    const reading = views.find(({ name }: Named) => name === 'Reading now')
    expect(reading).toMatchObject({ shared: true })
    const found = await editor.ok('POST', '/api/items/search', { view_id: reading.view_id })
    expect(found.map(({ name }: Named) => name)).toEqual(['The Dispossessed'])
  })

  it('are refused whole where something is there already by name', async () => {
    const before = await contents(owner)
    const again = await owner.post('/api/template', { template: read('crm.json') })
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("the tag 'Company'") },
    })
    const base = { format: 'facet-template', version: 1, name: 'x', tags: [], views: [], items: [] }
    for (const [part, says] of [
      [
        { views: [{ name: 'Open bugs', filter: {} }], tags: [{ name: 'New', fields: {} }] },
        "the view 'Open bugs'",
      ],
      [{ items: [{ name: 'Kitchen' }], tags: [{ name: 'New', fields: {} }] }, "the item 'Kitchen'"],
    ] as const)
      expect(await owner.post('/api/template', { template: { ...base, ...part } })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining(says) },
      })
    // Found only when all before it is made.
    const wrong = {
      ...base,
      tags: [{ name: 'New', fields: { n: 'Number' } }],
      items: [
        { name: 'Fits', tags: { New: { n: 1 } } },
        { name: 'Does not', tags: { New: { n: 'one' } } },
      ],
    }
    expect((await owner.post('/api/template', { template: wrong })).status).toBe(400)
    expect(await contents(owner)).toEqual(before)
  })

  const faulty: [what: string, part: object, path: string][] = [
    [
      'a tag twice',
      {
        tags: [
          { name: 'A', fields: {} },
          { name: 'A', fields: {} },
        ],
      },
      'template.tags[1].name',
    ],
    [
      'values of another tag',
      { items: [{ name: 'x', tags: { Other: {} } }] },
      'template.items[0].tags.Other',
    ],
    [
      'a reference to nothing',
      {
        tags: [{ name: 'A', fields: { to: 'Reference' } }],
        items: [{ name: 'x', tags: { A: { to: 'y' } } }],
      },
      'template.items[0].tags.A.to',
    ],
    ...([{ $: 5 }, { $: 'i0' }, [{ $: 5 }], [{ file_id: { $: 'i0' } }]] as const).map(
      (value): [what: string, part: object, path: string] => [
        `${JSON.stringify(value)} in place of a text`,
        { tags: [{ name: 'A', fields: { s: 'String' } }], items: [{ name: 'x', tags: { A: { s: value } } }] },
        'template.items[0].tags.A.s',
      ],
    ),
    ['another format', { format: 'x' }, 'template.format'],
  ]
  for (const [what, part, path] of faulty)
    it(`with ${what} is refused, with its place`, async () => {
      const template = {
        format: 'facet-template',
        version: 1,
        name: 'x',
        tags: [],
        views: [],
        items: [],
        ...part,
      }
      expect(await owner.post('/api/template', { template })).toMatchObject({
        status: 400,
        body: { details: { errors: [{ path }] } },
      })
    })

  it('go from base to base as a file, by command', async () => {
    const file = join(folder, 'saved.json')
    const saved = await facet(service.database_url, 'template', 'save', file, '--json')
    expect(saved).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(saved.out).file).toBe(file)
    expect(await facet(service.database_url, 'template', 'save', file)).toMatchObject({ code: 1, out: '' })
    const there = await startService()
    try {
      expect(await facet(there.database_url, 'template', 'use', file)).toMatchObject({
        code: 1,
        err: expect.stringContaining('no owner yet'),
      })
      const client = await there.user('eve@example.org')
      await there.user('finn@example.org')
      const used = await facet(there.database_url, 'template', 'use', file, '--user', 'finn@example.org')
      expect(used).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/tags, \d+ views and \d+ items are made/),
      })
      const [here, now] = [await contents(owner), await contents(client)]
      expect({ tags: now.tags, views: now.views }).toEqual({ tags: here.tags, views: here.views })
      const template = await client.ok('GET', '/api/template')
      expect(template.tags).toEqual(JSON.parse(readFileSync(file, 'utf8')).tags)
      const again = await facet(there.database_url, 'template', 'use', file)
      expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('already') })
      expect(await contents(client)).toEqual(now)
      expect((await facet(there.database_url, 'template', 'use', join(folder, 'none.json'))).code).toBe(1)
    } finally {
      await there.close()
    }
  })
})
