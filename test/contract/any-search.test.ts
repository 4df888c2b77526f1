import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client
let tag_id: string

const ask = (search: object, more: object = {}) =>
  client.post('/api/items/search', { filter: { search: { match: 'any', ...search } }, ...more })
const named = ({ name }: { name: string }) => name
const found = async (search: object, more: object = {}): Promise<string[]> => {
  const { status, body } = await ask(search, more)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(named)
}

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  const tag = {
    name: 'Note',
    fields: { by: 'String', kind: { type: 'Select', variants: ['Decision', 'Idea'] } },
  }
  tag_id = (await client.ok('POST', '/api/tags', tag)).tag_id
  const create = (name: string, description: string | null, field_values?: object) =>
    client.ok('POST', '/api/items', {
      name,
      description,
      tags: field_values ? [{ tag_ref: { Existing: tag_id }, field_values }] : [],
    })
  await create('Query builder', '<p>We choose <b>Kysely</b> in March, for it compiles alone.</p>', {
    by: 'Ann',
    kind: { variant: 'Decision' },
  })
  await create('Lunch', 'Did we have soup?', { by: 'Kysely fan', kind: { variant: 'Idea' } })
  await create('Recipes', null)
  await create('Recipe', null)
  await create('Autopreise', 'what they cost')
  await create('東京タワー', 'สวัสดีครับ')
})
afterAll(() => service.close())

describe('a search for any of some words', () => {
  it('answers a sentence, best first', async () => {
    expect(await found({ text: 'when did we choose Kysely?' })).toEqual(['Query builder', 'Lunch'])
  })

  it('is counted along with what else has to be true', async () => {
    const counted = async (filter: object) =>
      (await client.post('/api/items/search', { filter, count: true, limit: 1 })).headers.get('x-total-count')
    const search = { search: { text: 'kysely soup', match: 'any' } }
    expect(await counted(search)).toBe('2')
    expect(await counted({ and: [search, { name: 'Lunch' }] })).toBe('1')
    expect(await counted({ and: [search, { name: 'Recipe' }] })).toBe('0')
    expect(await counted({ and: [search, { name: 'Lunch' }, { name: { neq: 'Lunch' } }] })).toBe('0')
  })

  it('finds what fulfils all that else has to be true, whatever the page', async () => {
    const both = (...names: string[]) => ({
      and: [{ search: { text: 'kysely soup', match: 'any' } }, ...names.map((neq) => ({ name: { neq } }))],
    })
    const page = async (filter: object, limit: number) =>
      (await client.ok('POST', '/api/items/search', { filter, limit })).map(named)
    for (const limit of [1, 10]) {
      expect(await page(both('Recipe', 'Lunch'), limit)).toEqual(['Query builder'])
      expect(await page(both('Lunch', 'Query builder'), limit)).toEqual([])
    }
    const matching = { and: [both('Recipe'), { name: { matches: '^Lu' } }] }
    expect(await page(matching, 10)).toEqual(['Lunch'])
  })

  it('puts a word itself before another that begins alike', async () => {
    expect(await found({ text: 'recipe' })).toEqual(['Recipe', 'Recipes'])
    expect(await found({ text: 'recipes' })).toEqual(['Recipes', 'Recipe'])
  })

  it.each([
    [{ text: 'KYSELY' }, ['Query builder']],
    [{ text: 'kysely', in: ['values'] }, ['Lunch']],
    [{ text: 'decision', in: ['values'] }, ['Query builder']],
    [{ text: 'decision' }, []],
    [{ text: '東京' }, ['東京タワー']],
    [{ text: '京' }, ['東京タワー']],
    [{ text: 'ครับ' }, ['東京タワー']],
    [{ text: ['car price', 'Autopreis'] }, ['Autopreise']],
  ])('finds %j', async (search, names) => expect(await found(search)).toEqual(names))

  it.each([
    ['', `'any' requires a text with a word in it`],
    ['?! — 🎉', `'any' requires a text with a word in it`],
    ['a\ud800', 'must be well-formed Unicode'],
    ['a'.repeat(10_001), `'any' takes a text of at most 10000 characters`],
    [['a', '!'], `'any' requires a text with a word in it`],
    [[], `'text' takes a list of 1 to 20 strings, other words for the same`],
    [
      Array.from({ length: 21 }, () => 'a'),
      `'text' takes a list of 1 to 20 strings, other words for the same`,
    ],
  ])('refuses %j', async (text, message) => {
    const { status, body } = await ask({ text })
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })

  it.each([
    ['a thousand words', Array.from({ length: 1000 }, (_, i) => `word${i}`).join(' ') + ' soup', ['Lunch']],
    ['ten thousand characters', `soup ${'🎉'.repeat(9_995)}`, ['Lunch']],
    ['marks alone behind a letter', `soup a${'\u0301'.repeat(9_000)}`, ['Lunch']],
  ])('takes %s', async (_, text, names) => expect(await found({ text })).toEqual(names))

  it('takes a list in every match', async () => {
    const texts = async (match: string, text: unknown) =>
      (await client.ok('POST', '/api/items/search', { filter: { search: { text, match } } })).map(named)
    expect(await texts('phrase', ['have soup', 'recipe'])).toEqual(['Lunch', 'Recipes', 'Recipe'])
    expect(await texts('words', ['soup have', 'kysely we'])).toEqual(['Query builder', 'Lunch'])
    const ranked = { filter: { search: { text: ['recipe', 'soup'] } }, sort: [{ by: 'relevance' }] }
    expect((await client.ok('POST', '/api/items/search', ranked)).map(named)).toEqual([
      'Recipe',
      'Recipes',
      'Lunch',
    ])
  })

  it('does not rank within not, and another sort stays', async () => {
    expect(await found({ text: 'recipe' }, { sort: [{ by: 'created_at' }] })).toEqual(['Recipes', 'Recipe'])
    const not = { filter: { not: { search: { text: 'recipe soup', match: 'any' } } } }
    expect((await client.ok('POST', '/api/items/search', not)).map(named)).toEqual([
      'Query builder',
      'Autopreise',
      '東京タワー',
    ])
    const { status } = await client.post('/api/items/search', { ...not, sort: [{ by: 'relevance' }] })
    expect(status).toBe(400)
  })

  it('ranks what is equal in other keys, and has equals in their order, over pages too', async () => {
    const search = { text: 'we kysely recipe soup', match: 'any' }
    const searched = (body: object) => client.post('/api/items/search', { filter: { search }, ...body })
    const ranked = (await searched({})).body.map(named)
    expect((await searched({ sort: [{ by: 'relevance' }, { by: 'name' }] })).body.map(named)).toEqual(ranked)
    const byKind = (await searched({ sort: [{ by: 'Note.kind' }, { by: 'relevance' }] })).body.map(named)
    expect(byKind).toEqual([
      'Query builder',
      'Lunch',
      ...ranked.filter((name: string) => name.startsWith('Recipe')),
    ])
    const sort = [{ by: 'name', direction: 'desc' }, { by: 'relevance' }]
    const paged: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await searched({ sort, limit: 2, ...(after !== undefined && { after }) })
      paged.push(...page.body.map(named))
      after = page.headers.get('x-next-cursor')
    }
    expect(paged).toEqual(ranked.toSorted().toReversed())
  })

  it('ranks along with other conditions, and adds up', async () => {
    const any = (text: string) => ({ search: { text, match: 'any' } })
    const search = async (filter: object) =>
      (await client.ok('POST', '/api/items/search', { filter, sort: [{ by: 'relevance' }] })).map(named)
    expect(await search({ and: [any('we kysely recipe'), { has_tag: 'Note' }] })).toEqual([
      'Query builder',
      'Lunch',
    ])
    expect(await search({ or: [any('soup'), { name: 'Recipe' }] })).toEqual(['Lunch', 'Recipe'])
    expect(await search({ and: [any('we'), any('soup')] })).toEqual(['Lunch'])
    expect(await search({ or: [any('recipe'), any('recipes')] })).toEqual(['Recipe', 'Recipes'])
    expect(await search({ and: [any('recipe'), { search: 'recipes' }] })).toEqual(['Recipes'])
  })

  it('comes in pages, counted, with what was weighed at first', async () => {
    const text = 'we soup recipe cost'
    const names = await found({ text })
    const seen: string[] = []
    let after: string | undefined
    for (;;) {
      const { body, headers } = await ask({ text }, { limit: 1, count: true, ...(after && { after }) })
      expect(headers.get('x-total-count')).toBe(String(names.length))
      seen.push(...body.map(named))
      after = headers.get('x-next-cursor') ?? undefined
      if (!after) break
    }
    expect(seen).toEqual(names)
    expect(await found({ text }, { limit: 2, skip: 1 })).toEqual(names.slice(1, 3))
    const first = await ask({ text }, { limit: 1 })
    const other = await ask({ text: 'soup' }, { limit: 1, after: first.headers.get('x-next-cursor') })
    expect(other.status).toBe(400)
    for (const broken of [
      'x',
      Buffer.from('[]').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ])
      expect((await ask({ text }, { limit: 1, after: broken })).status).toBe(400)
    const written = Buffer.from(first.headers.get('x-next-cursor')!, 'base64url').toString()
    for (const change of [
      (cursor: unknown[]) => (cursor[3] = [null]),
      (cursor: unknown[]) => (cursor[3] = []),
      (cursor: unknown[]) => (cursor[1] = 'first'),
      (cursor: unknown[][]) => (cursor[2]![3] = -1),
    ]) {
      const cursor = JSON.parse(written)
      change(cursor)
      const after = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      expect((await ask({ text }, { limit: 1, after })).status).toBe(400)
    }
  })

  it('is counted and grouped, and finds what is in the trash', async () => {
    const filter = { search: { text: 'we recipe', match: 'any' } }
    const { total_items } = await client.ok('POST', '/api/items/aggregate', { filter })
    expect(total_items).toBe(4)
    const [item] = await client.ok('POST', '/api/items/search', { filter: { name: 'Recipes' } })
    await client.ok('DELETE', `/api/items/${item.item_id}`)
    expect(await found({ text: 'recipe' })).toEqual(['Recipe'])
    const deleted = await client.ok('POST', '/api/items/deleted/search', { filter })
    expect(deleted.map(named)).toEqual(['Recipes'])
    await client.ok('POST', `/api/items/${item.item_id}/restore`)
    expect(await found({ text: 'recipe' })).toEqual(['Recipe', 'Recipes'])
  })

  it('finds no other word whose last of six characters has a sign more, in the trash neither', async () => {
    const [word, other] = ['क'.repeat(6), `${'क'.repeat(5)}कि`]
    const ids: string[] = []
    for (const name of [word, other]) ids.push((await client.ok('POST', '/api/items', { name })).item_id)
    expect(await found({ text: word })).toEqual([word])
    for (const id of ids) await client.ok('DELETE', `/api/items/${id}`)
    const filter = { search: { text: word, match: 'any' } }
    const deleted = await client.ok('POST', '/api/items/deleted/search', { filter })
    expect(deleted.map(named)).toEqual([word])
  })

  it.each([
    ['Kyseyl', 'kyseyl', "'kysely…'", ['Query builder']],
    ['Kyely', 'kyely', "'kysely…'", ['Query builder']],
    ['Autpreise', 'autpreise', "'autopr…'", ['Autopreise']],
    ['recieps', 'recieps', "'recipe…'", ['Recipe', 'Recipes']],
    ['Xutopreise', '', '', []],
    ['kyse', '', '', []],
  ])('mends %s', async (text, word, others, names) => {
    const { body, headers } = await ask({ text })
    expect(body.map(named)).toEqual(names)
    const warning = names.length ? `No item has '${word}': looked for ${others}` : null
    expect(headers.get('x-filter-warnings')).toEqual(
      warning && expect.stringContaining(encodeURIComponent(word)),
    )
  })

  it.each([{}, { sort: [{ by: 'name' }] }, { sort: [{ by: 'created_at' }] }])(
    'mends on all pages as on the first, whatever is written meanwhile: %j',
    async (order) => {
      const names = ['umbrella', 'umbrella stand', 'umbrellas', 'umbrellas, mended']
      const filter = { search: { text: 'unbrella', match: 'any' } }
      const page = (after?: string | null) =>
        client.post('/api/items/search', { filter, limit: 2, ...order, ...(after && { after }) })
      const ids: string[] = []
      const add = async (name: string) => ids.push((await client.ok('POST', '/api/items', { name })).item_id)
      for (const name of names) await add(name)
      const first = await page()
      await add('unbrella')
      const second = await page(first.headers.get('x-next-cursor'))
      expect([...first.body, ...second.body].map(named).toSorted()).toEqual(names)
      expect(second.headers.get('x-filter-warnings')).toBe(first.headers.get('x-filter-warnings'))
      // What is found by the word itself goes on so, too.
      await add('unbrella, mended')
      const own = await page()
      expect(own.body.map(named).toSorted()).toEqual(['unbrella', 'unbrella, mended'])
      for (const broken of ['.x', `.${deflateRawSync('[[0,"x",[7]]]').toString('base64url')}`])
        expect((await page(first.headers.get('x-next-cursor')!.split('.')[0] + broken)).status).toBe(200)
      for (const id of ids) await client.ok('DELETE', `/api/items/${id}`)
    },
  )

  it('mends counts, groups and what is explained, and nothing that is changed by it', async () => {
    const filter = { search: { text: 'Kyseyl', match: 'any' } }
    const counted = await client.post('/api/items/search', { filter, limit: 0, count: true })
    expect(counted.headers.get('x-total-count')).toBe('1')
    expect((await client.ok('POST', '/api/items/aggregate', { filter })).total_items).toBe(1)
    const [{ item_id }] = await client.ok('POST', '/api/items/search', { filter })
    expect(await client.ok('POST', '/api/filters/explain', { filter, item_id })).toMatchObject({
      matched_count: 1,
      warnings: ["No item has 'kyseyl': looked for 'kysely…'"],
      conditions: [{ matched_count: 1 }],
      item: { matches: true, conditions: [{ matches: true }] },
    })
    const gone = await client.ok('POST', '/api/items/bulk-delete', { filter, dry_run: true })
    expect(gone.affected_count).toBe(0)
  })

  it('shows where it met: a snippet with marks', async () => {
    const snippets = async (search: object) =>
      (await client.ok('POST', '/api/items/search', { filter: { search }, snippets: true })).map(
        ({ snippet }: { snippet: unknown }) => snippet,
      )
    expect(await snippets({ text: 'choose kyselys', match: 'any' })).toEqual([
      {
        text: 'We choose Kysely in March, for it compiles alone.',
        marks: [
          [3, 9],
          [10, 16],
        ],
        place: 'description',
      },
    ])
    expect(await snippets({ text: 'kysely FAN', in: ['values'] })).toEqual([
      { text: 'Kysely fan', marks: [[0, 10]], place: 'Note.by' },
    ])
    expect(await snippets({ text: '京タ', match: 'any' })).toEqual([
      { text: '東京タワー', marks: [[1, 3]], place: 'name' },
    ])
    expect(await snippets({ text: '' })).toEqual(Array.from({ length: 6 }, () => null))
    const only = { filter: { search: 'soup' }, snippets: true, fields: ['name'] }
    expect(await client.ok('POST', '/api/items/search', only)).toEqual([
      { name: 'Lunch', snippet: { text: 'Did we have soup?', marks: [[12, 16]], place: 'description' } },
    ])
    const none = { filter: { name: 'Lunch' }, snippets: true, fields: ['name'] }
    expect(await client.ok('POST', '/api/items/search', none)).toEqual([{ name: 'Lunch', snippet: null }])
  })

  it('is best first through a tool, which names the nearest where words find nothing', async () => {
    const key = (await client.ok('POST', '/api/keys', { name: 'k', scope: 'read' })).key
    const call = async (args: object) => {
      const answer = await fetch(`${service.url}/api/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_items', arguments: args },
        }),
      })
      const text = await answer.text()
      const { result } = JSON.parse(text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)![1]!)
      return result.content.map((block: { text: string }) => JSON.parse(block.text))
    }
    const [items] = await call({ filter: { search: { text: 'recipe', match: 'any' } } })
    expect(items.map(named)).toEqual(['Recipe', 'Recipes'])
    const search = { text: 'choose kysely today', match: 'words' }
    // What is known after 50 ms: on a busy machine another time.
    let [nothing, beside] = await call({ filter: { search } })
    for (let i = 0; i < 20 && !beside?.nearest; i++) [nothing, beside] = await call({ filter: { search } })
    expect(nothing).toEqual([])
    expect(beside.nearest[0]).toEqual({
      item_id: expect.any(String),
      name: 'Query builder',
      snippet: expect.objectContaining({ place: 'description' }),
    })
  })

  it('finds what all items have in a text however long', async () => {
    const short = Array.from({ length: 1500 }, (_, i) => ({ name: `n${i}`, description: 'common' }))
    const long = { name: 'long', description: `common ${'other '.repeat(600)}` }
    await client.ok('POST', '/api/items/bulk', { items: [...short, long] })
    const filter = { search: { text: 'common', match: 'any' } }
    expect((await client.ok('POST', '/api/items/aggregate', { filter })).total_items).toBe(1501)
    const last = await client.ok('POST', '/api/items/search', { filter, limit: 10, skip: 1500 })
    expect(last.map(named)).toEqual(['long'])
  })

  it('is said in words', async () => {
    const explain = (text: unknown) =>
      client.ok('POST', '/api/filters/explain', { filter: { search: { text, match: 'any' } } })
    expect((await explain('a b')).words).toBe('name or description has words of "a b"')
    expect((await explain(['a', 'b'])).words).toBe('name or description has words of "a" or "b"')
  })

  it('says how many items it was looked up for', async () => {
    const filter = { search: { text: 'kysely soup', match: 'any' } }
    const { plan } = await client.ok('POST', '/api/filters/explain', { filter, plan: true })
    expect(plan[0]).toBe('looked up beforehand, as a list: 2 items')
  })

  it('has up to 10,000 characters, whatever they are made of', async () => {
    expect((await ask({ text: '\u{1d41a}'.repeat(10_000) })).status).toBe(200)
    expect((await ask({ text: '\u{1d41a}'.repeat(10_001) })).status).toBe(400)
  })
})
