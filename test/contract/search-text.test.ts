import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client

const found = async (search: unknown, more: object = {}): Promise<string[]> => {
  const items = await client.ok('POST', '/api/items/search', { filter: { search }, ...more })
  return items.map(({ name }: { name: string }) => name)
}
const refused = async (search: unknown) => {
  const { status, body } = await client.post('/api/items/search', { filter: { search } })
  return [status, body.message, body.details?.errors?.[0]?.path]
}

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  const { tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Place',
    fields: { note: 'String', kind: { type: 'Select', variants: ['Café', 'Library'] }, size: 'Number' },
  })
  const create = (name: string, description: string | null, field_values?: object) =>
    client.ok('POST', '/api/items', {
      name,
      description,
      tags: field_values ? [{ tag_ref: { Existing: tag_id }, field_values }] : [],
    })
  await create('The Dispossessed', '<p>An <em>ambiguous</em> utopia</p><p>by Le&nbsp;Guin</p>')
  await create('São Tomé', null, { note: 'Harbour of Príncipe', kind: { variant: 'Café' } })
  await create('Sa\u0303o Paulo', 'R&amp;D <b class="ambiguous">un</b>believable', { note: 'X', size: 42 })
  await create('Two  blanks', 'one\n\n two', { note: 'Big <b>harbour</b>', kind: { variant: 'Library' } })
})

afterAll(() => service.close())

describe('search', () => {
  it.each([
    ['ambiguous utopia', ['The Dispossessed']],
    ['utopia by le guin', ['The Dispossessed']],
    ['<em>', []],
    ['class', []],
    ['r&d unbel', ['Sa\u0303o Paulo']],
    ['sao', ['São Tomé', 'Sa\u0303o Paulo']],
    ['sao tome', ['São Tomé']],
    ['SÃO TOMÉ', ['São Tomé']],
    ['Sa\u0303o', ['São Tomé', 'Sa\u0303o Paulo']],
    ['one two', ['Two  blanks']],
    ['two blanks', ['Two  blanks']],
    ['harbour', []],
    ['\u0301', ['The Dispossessed', 'São Tomé', 'Sa\u0303o Paulo', 'Two  blanks']],
  ])('finds %s', async (text, names) => expect(await found(text)).toEqual(names))

  it.each([
    [{ text: 'harbour', in: ['values'] }, ['São Tomé', 'Two  blanks']],
    [{ text: 'cafe', in: ['values'] }, ['São Tomé']],
    [{ text: '42', in: ['values'] }, []],
    [{ text: '<b>', in: ['values'] }, ['Two  blanks']],
    [{ text: 'two', in: ['name'] }, ['Two  blanks']],
    [{ text: 'utopia', in: ['name', 'values'] }, []],
    [{ text: 'utopia ambiguous' }, []],
    [{ text: 'utopia ambiguous', match: 'words' }, ['The Dispossessed']],
    [{ text: ' dispossessed   UTOPIA ', match: 'words' }, ['The Dispossessed']],
    [{ text: 'dispossessed utopia', match: 'words', in: ['name'] }, []],
    [{ text: 'tome principe', match: 'words', in: ['name', 'description', 'values'] }, ['São Tomé']],
    [{ text: 'ambiguous utopia', match: 'phrase' }, ['The Dispossessed']],
  ])('takes %j', async (form, names) => expect(await found(form)).toEqual(names))

  it('leaves `contains` to the letter', async () => {
    const names = async (filter: object) =>
      (await client.ok('POST', '/api/items/search', { filter })).map((item: { name: string }) => item.name)
    expect(await names({ description: { contains: '<em>ambiguous</em>' } })).toEqual(['The Dispossessed'])
    expect(await names({ name: { contains: 'São' } })).toEqual(['São Tomé'])
    expect(await names({ name: { contains: 'sao' } })).toEqual([])
  })

  it('follows changes', async () => {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Bóoks', description: '<i>o</i>ld' })
    expect(await found('books')).toEqual(['Bóoks'])
    await client.ok('PUT', `/api/items/${item_id}`, { description: 'n<i>ew</i>&eacute;' })
    expect([await found('old'), await found('newe')]).toEqual([[], ['Bóoks']])
    await client.ok('DELETE', `/api/items/${item_id}`)
    expect(await found('newe')).toEqual([])
  })

  it.each([
    [5, `'search' requires a string`, 'filter.search'],
    [['x'], `'search' requires a string`, 'filter.search'],
    [{}, `'text' requires a string`, 'filter.search.text'],
    [{ text: 'x', on: ['name'] }, `Unknown property 'on'. Expected: text, in, match`, 'filter.search.on'],
    [
      { text: 'x', in: ['title'] },
      `'in' requires a list of at least one of name, description, values`,
      'filter.search.in',
    ],
    [
      { text: 'x', in: [] },
      `'in' requires a list of at least one of name, description, values`,
      'filter.search.in',
    ],
    [{ text: 'x', match: 'all' }, `'match' is one of phrase, words, any`, 'filter.search.match'],
    [{ text: 'x '.repeat(101), match: 'words' }, `'search' takes at most 100 words`, 'filter.search.text'],
  ])('refuses %j', async (form, message, path) => expect(await refused(form)).toEqual([400, message, path]))

  it('is said in words, and stored in a view', async () => {
    const filter = { search: { text: 'big harbour', in: ['values'], match: 'words' } }
    const { words } = await client.ok('POST', '/api/filters/explain', { filter })
    const { filter: kept } = await client.ok('POST', '/api/filters/validate', { filter })
    expect([words, kept]).toEqual(['values contain all words of "big harbour" in any case', filter])
  })

  it('leaves tags as they are', async () => {
    const names = async (search: unknown) => client.post('/api/tags/search', { filter: { search } })
    expect((await names('PLACE')).body).toHaveLength(1)
    expect((await names({ text: 'x' })).status).toBe(400)
  })
})

describe('what is in a text and not shown', () => {
  const names = [
    'Daten\u00adbank',
    'Software\u200b\u2060liste',
    '\ufeffUTF\ufeffmark',
    'می\u200cخواهم',
    'I ❤\ufe0f it',
  ]
  beforeAll(async () => {
    for (const name of names) await client.ok('POST', '/api/items', { name })
    await client.ok('POST', '/api/items', {
      name: 'Entities',
      description: '<p>Zu&shy;ge&#8203;h&ouml;rig&zwnj;keit und Wert&#xFEFF;marke</p>',
    })
    await client.ok('POST', '/api/items', {
      name: 'Value',
      tags: [
        {
          tag_ref: { New: { name: 'Noted', fields: { text: 'String' } } },
          field_values: { text: 'Grund\u00adbuch' },
        },
      ],
    })
  })

  it.each([
    ['datenbank', 'Daten\u00adbank'],
    ['soft\u00adwareliste', names[1]],
    ['utfmark', names[2]],
    ['میخواهم', names[3]],
    ['❤ it', names[4]],
    ['❤\ufe0f', names[4]],
    ['zugehörigkeit', 'Entities'],
    ['wertmarke', 'Entities'],
    [{ text: 'grundbuch', in: ['values'] }, 'Value'],
    [{ text: 'bank\ufeff daten\u2060', match: 'words' }, 'Daten\u00adbank'],
    [{ text: 'datenbanks', match: 'any' }, 'Daten\u00adbank'],
    [{ text: 'grundbuch', match: 'any', in: ['values'] }, 'Value'],
    [{ text: '❤\ufe0f it', match: 'any', in: ['name'] }, names[4]],
  ])('does not count: %j', async (search, name) => {
    expect(await found(search)).toEqual([name])
    expect(await found(search, { sort: [{ by: 'relevance' }], limit: 5 })).toEqual([name])
  })

  it('is no word', async () =>
    expect((await refused({ text: '⚠\ufe0f \u200b\u200d', match: 'any' }))[1]).toBe(
      `'any' requires a text with a word in it`,
    ))

  it('is marked with what it stands in', async () => {
    const [item] = await client.ok('POST', '/api/items/search', {
      filter: { search: 'tenban' },
      snippets: true,
    })
    expect(item.snippet).toEqual({ text: 'Daten\u00adbank', marks: [[2, 9]], place: 'name' })
  })
})
