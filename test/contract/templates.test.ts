import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { ROOT } from '#test/support/process.ts'
import { startService, type Service } from '#test/support/service.ts'
import { postgresDatabase, TEST_ENGINE } from '#test/support/test-database.ts'

const TEMPLATES = join(ROOT, 'templates')
const files = readdirSync(TEMPLATES).sort()
const read = (name: string) => JSON.parse(readFileSync(join(TEMPLATES, name), 'utf8'))
const EMPTY = { format: 'facet-template', version: 1, name: 'x', tags: [], views: [], items: [] }

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

  it('link as many items as they may have, each in little time', async () => {
    const uses = async (name: string, words: (i: number) => string) => {
      const items = Array.from({ length: 5000 }, (_, i) => ({
        ref: `item ${i}`,
        name: `${name} ${i}`,
        description: words(i),
      }))
      const began = performance.now()
      await editor.ok('POST', '/api/template', { template: { ...EMPTY, items } })
      return performance.now() - began
    }
    const plain = await uses('Plain', (i) => `<b>as long as the other text ${i + 1}</b>`)
    const linked = await uses('Linked', (i) => `<a href="/items/item%20${(i + 1) % 5000}">next</a>`)
    // As it was, when each description parsed all names anew, 9 times; others may be at work meanwhile.
    expect(linked, `${plain} ms without links`).toBeLessThan(6 * plain)
    const [last, first] = await Promise.all(
      [4999, 0].map(async (i) => {
        const [found] = await editor.ok('POST', '/api/items/search', { filter: { name: `Linked ${i}` } })
        return found
      }),
    )
    expect(last.description).toBe(`<a href="/items/${first.item_id}">next</a>`)
  })

  it('are used once under an Idempotency-Key, and say which change it was', async () => {
    const template = { ...EMPTY, items: [{ name: 'Once' }] }
    const use = () => editor.send('POST', '/api/template', { template }, { 'idempotency-key': 'once' })
    const [first, again] = [await use(), await use()]
    expect(first).toMatchObject({ status: 200, body: { items: 1 } })
    expect(first.headers.get('x-change-id')).toBe(first.body.change_id)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('are refused whole where something is there already by name', async () => {
    const before = await contents(owner)
    const again = await owner.post('/api/template', { template: read('crm.json') })
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("the tag 'Company'") },
    })
    for (const [part, says] of [
      [
        { views: [{ name: 'Open bugs', filter: {} }], tags: [{ name: 'New', fields: {} }] },
        "the view 'Open bugs'",
      ],
      [{ items: [{ name: 'Kitchen' }], tags: [{ name: 'New', fields: {} }] }, "the item 'Kitchen'"],
    ] as const)
      expect(await owner.post('/api/template', { template: { ...EMPTY, ...part } })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining(says) },
      })
    // Found only when all before it is made.
    const wrong = {
      ...EMPTY,
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
    [
      'a ref twice',
      {
        items: [
          { ref: 'a', name: 'x' },
          { ref: 'a', name: 'y' },
        ],
      },
      'template.items[1].ref',
    ],
    ['a wrong name', { tags: [{ name: 'a->b', fields: {} }] }, 'template.tags[0].name'],
    [
      'an unknown tag to extend',
      {
        tags: [
          { name: 'A', fields: {}, extends: ['B'] },
          { name: 'B', fields: {}, extends: ['None'] },
        ],
      },
      'template.tags[1].extends[0]',
    ],
    [
      'a value of another type',
      {
        tags: [{ name: 'A', fields: { n: 'Number' } }],
        items: [{ name: 'x' }, { name: 'y', tags: { A: { n: '1' } } }],
      },
      'template.items[1].tags.A.n',
    ],
    [
      'a reference twice in a list that is set later',
      {
        tags: [{ name: 'A', fields: { to: 'MultiReference' } }],
        items: [{ ref: 'x', name: 'x', tags: { A: { to: ['x', 'x'] } } }],
      },
      'template.items[0].tags.A.to[1]',
    ],
    [
      'a view of an unknown tag',
      {
        views: [
          { name: 'V', filter: { name: 'x' } },
          { name: 'W', filter: { has_tag: 'None' } },
        ],
      },
      'template.views[1].filter.has_tag',
    ],
    [
      'too long settings of a view',
      { views: [{ name: 'V', filter: { name: 'x' }, settings: { text: 'x'.repeat(70_000) } }] },
      'template.views[0].settings',
    ],
  ]
  for (const [what, part, path] of faulty)
    it(`with ${what} is refused, with its place`, async () => {
      const template = { ...EMPTY, ...part }
      expect(await owner.post('/api/template', { template })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`${path}: `), details: { errors: [{ path }] } },
      })
    })

  it('of a base with names that look like patterns, outdated values and files is taken by another', async () => {
    const [here, there] = [await startService(), await startService()]
    try {
      const [from, to] = [await here.user(), await there.user()]
      const names = ['US$$ $&', 'Do.tt.ed', 'q"uo\\te', 'a, b']
      for (const name of names) {
        const { tag_id } = await from.ok('POST', '/api/tags', { name, fields: { a: 'String', b: 'Number' } })
        const settings = {
          sort_by: `${tag_id}.a:desc,${tag_id}.b`,
          columns: { tags: [tag_id], widths: { [`${tag_id}.a`]: 90 } },
          about: `${name}. Everything`,
        }
        const filter = { [`${tag_id}.a`]: 'x' }
        await from.ok('POST', '/api/views', { name, shared: true, filter, settings })
      }
      const file = await from.ok('POST', '/api/files?name=a.txt', 'hello')
      const schema = {
        kind: { type: 'Select', variants: [{ name: 'old', fields: { sub: 'String' } }, 'new'] },
      }
      const fields = { ...schema, n: 'String', left: 'String', kept: 'String', files: 'File' }
      const { tag_id } = await from.ok('POST', '/api/tags', { name: 'Changed', fields })
      const field_values = {
        kind: { variant: 'old' },
        sub: 's',
        n: 'many',
        left: 'l',
        kept: 'k',
        files: [{ file_id: file.file_id }],
      }
      await from.ok('POST', '/api/items', {
        name: 'One',
        tags: [{ tag_ref: { Existing: tag_id }, field_values }],
      })
      const now = { kind: { type: 'Select', variants: ['new'] }, n: 'Number', kept: 'String', files: 'File' }
      await from.ok('PUT', `/api/tags/${tag_id}`, { name: 'Changed', fields: now })

      const template = await from.ok('GET', '/api/template')
      expect(template.items).toEqual([{ ref: 'item 1', name: 'One', tags: { Changed: { kept: 'k' } } }])
      await to.ok('POST', '/api/template', { template })
      expect(await to.ok('GET', '/api/template')).toEqual(template)
      const tags = new Map<string, string>(
        (await to.ok('GET', '/api/tags')).map((each: Named & { tag_id: string }) => [each.name, each.tag_id]),
      )
      for (const { name, settings } of await to.ok('GET', '/api/views'))
        expect(settings).toEqual({
          sort_by: `${tags.get(name)}.a:desc,${tags.get(name)}.b`,
          columns: { tags: [tags.get(name)], widths: { [`${tags.get(name)}.a`]: 90 } },
          about: `${name}. Everything`,
        })
      const many = Array.from({ length: 200 }, (_, i) => ({
        operation: 'createTag',
        input: { name: `Tag ${i}`, fields: {} },
      }))
      await from.ok('POST', '/api/batch', { operations: many })
      expect(await from.get('/api/template')).toMatchObject({
        status: 409,
        body: {
          message: 'The base has more than 200 tags: a template has at most 200',
          suggestion: 'Take the whole base with the command export',
        },
      })
    } finally {
      await here.close()
      await there.close()
    }
  })

  it('take links between their items along, and no link to anything else of the base', async () => {
    const [here, there] = [await startService(), await startService()]
    try {
      const [from, to] = [await here.user(), await there.user()]
      const { tag_id } = await from.ok('POST', '/api/tags', { name: 'Note', fields: {} })
      const tags = [{ tag_ref: { Existing: tag_id } }]
      const { file_id } = await from.ok('POST', '/api/files?name=a.png', 'bytes')
      const { item_id: other } = await from.ok('POST', '/api/items', { name: 'Without a tag' })
      const { item_id: one } = await from.ok('POST', '/api/items', { name: 'one', tags })
      const { item_id: two } = await from.ok('POST', '/api/items', { name: 'two', tags })
      const web = '<a href="https://example.org/items/">web</a>'
      const description = (item_id: string) =>
        `<p>See <a title="x" href="/items/${item_id}"><em>it</em></a>, `
      await from.ok('PUT', `/api/items/${one}`, { description: `${description(two)}${web}</p>` })
      await from.ok('PUT', `/api/items/${two}`, {
        description: `${description(one.toLowerCase())}<a href='/items/${other}'>the <b>other</b></a>, ${web}, <img alt="a" src="/api/files/${file_id}"><a href="/api/files/${file_id}">a.png</a></p>`,
      })
      const settings = { template: { description: `${description(one)}</p>` } }
      await from.ok('POST', '/api/views', {
        name: 'Notes',
        shared: true,
        filter: { has_tag: tag_id },
        settings,
      })

      const template = await from.ok('GET', '/api/template')
      expect(template.items.map((each: { description: string }) => each.description)).toEqual([
        `${description('item%202')}${web}</p>`,
        `${description('item%201')}the <b>other</b>, ${web}, a.png</p>`,
      ])
      const { change_id } = await to.ok('POST', '/api/template', { template })
      const made = await to.ok('POST', '/api/items/search', { fields: ['item_id', 'name', 'description'] })
      const [first, second] = made
      expect(made).toMatchObject([
        { name: 'one', description: `${description(second.item_id)}${web}</p>` },
        { name: 'two', description: `${description(first.item_id)}the <b>other</b>, ${web}, a.png</p>` },
      ])
      const [view] = await to.ok('GET', '/api/views')
      expect(view.settings).toEqual({ template: { description: `${description(first.item_id)}</p>` } })
      expect(await to.ok('GET', '/api/template')).toEqual(template)
      await to.ok('POST', '/api/changes/undo', { change_ids: [change_id] })
      expect(await contents(to)).toMatchObject({ tags: [], items: [] })
    } finally {
      await here.close()
      await there.close()
    }
  })

  const text = (items: string) =>
    `{"format": "facet-template", "version": 1, "name": "x", "tags": [{"name": "N", "fields": {"n": "Number"}}], "views": [], "items": [${items}]}`
  for (const [what, items, err] of [
    [
      'a number that would be rounded',
      '{"name": "x", "tags": {"N": {"n": 12345678901234567890}}}',
      /would be rounded/,
    ],
    ['a key twice', '{"name": "x", "name": "y"}', /^items\[0\]\.name: appears twice/],
    ['half a character', String.raw`{"name": "\ud800"}`, /well-formed Unicode/],
    [
      'a value of another type',
      '{"name": "x", "tags": {"N": {"n": "1"}}}',
      /^template\.items\[0\]\.tags\.N\.n: expected/,
    ],
  ] as const)
    it(`with ${what} in the file are refused by the command`, async () => {
      const file = join(folder, 'faulty.json')
      writeFileSync(file, text(items))
      const before = await contents(owner)
      const used = await facet(service.database_url, 'template', 'use', file)
      expect(used).toMatchObject({ code: 1, out: '', err: expect.stringMatching(err) })
      expect(used.err).toContain(`\nMend ${file}\n`)
      expect(await contents(owner)).toEqual(before)
    })

  it('may begin with a byte order mark', async () => {
    const file = join(folder, 'marked.json')
    writeFileSync(file, `\uFEFF${text('{"name": "Marked"}')}`)
    expect(await facet(service.database_url, 'template', 'use', file)).toMatchObject({ code: 0, err: '' })
  })

  it('go from base to base as a file, by command', async () => {
    const file = join(folder, 'saved.json')
    const saved = await facet(service.database_url, 'template', 'save', file, '--json')
    expect(saved).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(saved.out).file).toBe(file)
    expect(await facet(service.database_url, 'template', 'save', file)).toEqual({
      code: 1,
      out: '',
      err: `${file} exists already and is left as it is\nChoose another name, or remove it\n`,
    })
    const nowhere = join(folder, 'not-there')
    expect(await facet(service.database_url, 'template', 'save', join(nowhere, 'a.json'))).toEqual({
      code: 1,
      out: '',
      err: `There is no ${nowhere}\n`,
    })
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

  it.each([['reading-list.json'], ['crm.json', '--user', 'ada@example.org']])(
    'used by command (%s) leave a log that holds, in copies and restored ones too',
    async (name, ...words) => {
      const there = await startService()
      const other =
        TEST_ENGINE === 'postgres'
          ? await postgresDatabase()
          : { url: `file:${join(folder, `${name}.restored/facet.db`)}`, async drop() {} }
      try {
        await there.user('ada@example.org')
        const copy = join(folder, `${name}.copy`)
        for (const [database, ...command] of [
          [there.database_url, 'template', 'use', join(TEMPLATES, name), ...words],
          [there.database_url, 'audit', 'verify'],
          [there.database_url, 'backup', copy],
          [other.url, 'restore', copy, '--check'],
          [other.url, 'restore', copy],
          [other.url, 'audit', 'verify'],
        ] as const)
          expect([command, await facet(database, ...command)]).toMatchObject([command, { code: 0, err: '' }])
      } finally {
        await there.close()
        await other.drop()
      }
    },
  )
})
