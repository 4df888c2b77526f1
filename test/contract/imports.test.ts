import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { imported, lookAt, mapTo, settled, uploaded } from '#test/support/imports.ts'
import { type Service, startService } from '#test/support/service.ts'
import { workbook } from '#test/support/workbook.ts'
import { zipOf } from '#test/support/zip-of.ts'
import { ABOVE_ENGINE } from '#test/support/test-database.ts'

let service: Service
let client: Client
let other: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  other = await service.user()
})
afterAll(() => service.close())

/** The items of a tag, by name, with their values. */
async function itemsOf(tag: string) {
  const items = await client.ok('POST', '/api/items/search', {
    filter: { has_tag: tag },
    sort: [{ by: 'name' }],
  })
  return items.map(
    ({ name, description, tags }: { name: string; description: string | null; tags: object }) => {
      const entry = Object.values(tags).find((each) => each.tag_name === tag)
      return { name, ...(description !== null && { description }), ...entry.field_values }
    },
  )
}
const itemNamed = async (name: string) => {
  const [item] = await client.ok('POST', '/api/items/search', { filter: { name: { eq: name } } })
  return item
}

describe('the row of the headings', () => {
  const table = { name: 'Deal', tag: { new: { name: 'Deal' } } }
  const REPORT = 'Deals,2026\nof the north,\nname,sum\nOak,1\nElm,much\nAsh,2\n'

  it('is that which is said, for each time the file is read', async () => {
    const file_id = await uploaded(client, 'Deal.csv', REPORT)
    const guessed = await client.ok('POST', '/api/imports', { file_id })
    expect(guessed.tables[0]).toMatchObject({ header_row: 1, columns: [{ name: 'Deals' }, { name: '2026' }] })
    const { import_id, tables } = await client.ok('POST', '/api/imports', { file_id, header_row: 3 })
    expect(tables[0]).toMatchObject({
      header_row: 3,
      rows: 3,
      columns: [{ name: 'name' }, { name: 'sum' }],
    })
    const columns = { sum: { field: 'sum', type: 'Number' } }
    const mapped = await mapTo(client, import_id, { tables: [{ ...table, columns }] })
    expect(mapped).toMatchObject({ created: 2, faults: [{ line: 5, column: 'sum' }] })
    const faulty = await client.get(`/api/imports/${import_id}/faults`)
    expect(faulty.body).toMatch(/^name,sum,Line,What is wrong\r\nElm,much,5,/)
    await client.post(`/api/imports/${import_id}/run`, { on_fault: 'skip' })
    expect(await settled(client, import_id)).toMatchObject({ state: 'done', created: 2 })
    expect(await itemsOf('Deal')).toEqual([
      { name: 'Ash', sum: 2 },
      { name: 'Oak', sum: 1 },
    ])
  })

  it('is the same of each sheet of a workbook; one that has none is left out', async () => {
    const row = (r: number, text: string) => `<row r="${r}"><c r="A${r}" t="str"><v>${text}</v></c></row>`
    const sheets = { One: [row(1, 'x'), row(2, 'Name'), row(3, 'Ada')], Two: [row(1, 'y')] }
    const file_id = await uploaded(client, 'book.xlsx', await workbook(sheets))
    const looked = await client.ok('POST', '/api/imports', { file_id, header_row: 2 })
    expect(looked.tables).toMatchObject([
      { name: 'One', header_row: 2, columns: [{ name: 'Name' }], rows: 1 },
    ])
    expect(looked.left_out).toEqual([
      { name: 'Two', reason: 'nothing is in line 2, which is to have the headings' },
    ])
    const none = await client.post('/api/imports', { file_id, header_row: 7 })
    expect(none).toMatchObject({ status: 400, body: { message: expect.stringContaining('line 7') } })
  })

  it.each([
    ['a.json', 1],
    ['a.csv', 0],
    ['a.csv', 1.5],
  ])('is none of %s: %d', async (name, header_row) => {
    const file_id = await uploaded(client, name, '[{"name":"Ada"}]')
    const { status, body } = await client.post('/api/imports', { file_id, header_row })
    expect(status).toBe(400)
    expect(body.details.errors[0].path).toBe('header_row')
  })
})

describe('a CSV file', () => {
  const PEOPLE =
    'Name,Born,Height,Active,Status,Likes,Description\n' +
    'Ada,1815-12-10,1.65,yes,open,"tea, maths",First\n' +
    'Bob,1990-01-02,1.8,no,done,tea,\n' +
    '"Cleo ""C""",2001-05-06,1.7,yes,open,"maths, chess",\n'

  it('whose names are longer than those of tags and fields proposes shorter ones, each once', async () => {
    const long = 'h'.repeat(200)
    const headings = ['Name', `${long}a`, `${long}b`, `${'x'.repeat(199)}😀y`, `${'z'.repeat(199)} z`]
    const file = `${'t'.repeat(199)} 😀.csv`
    const { body } = await lookAt(client, file, `${headings.join()}\nAda,1,2,3,4\n`)
    const [{ name, columns }] = body.tables
    expect(name).toBe('t'.repeat(199))
    const fields = columns.slice(1).map(({ to }: { to: { field: string } }) => to.field)
    expect(fields).toEqual([long, `${'h'.repeat(198)} 2`, `${'x'.repeat(199)}😀`, 'z'.repeat(199)])
    const mapped = await client.put(`/api/imports/${body.import_id}`, {})
    expect(mapped).toMatchObject({ status: 200, body: { created: 1, faults: [] } })
    // Where another column is the name, the one that was it goes to a field.
    const other = await lookAt(client, 'texts.csv', `${long}c,Title 2\n1,Ada\n`)
    const named = { tables: [{ name: 'texts', columns: { 'Title 2': 'name' } }] }
    expect((await client.put(`/api/imports/${other.body.import_id}`, named)).status).toBe(200)
  })

  it('with a column called __proto__ has one that can be mapped', async () => {
    const table = { tag: { new: { name: 'Odd' } }, columns: { Name: 'name', 'Column 2': { field: 'Odd' } } }
    const { done } = await imported(client, { content: 'Name,__proto__\nOddity,x\n', table })
    expect(done).toMatchObject({ created: 1, fault_count: 0 })
    expect(await itemsOf('Odd')).toEqual([{ name: 'Oddity', Odd: 'x' }])
  })

  it('takes a column of texts that no variant may have for texts', async () => {
    const rows = ['a', '__proto__'].flatMap((each) =>
      Array.from({ length: 10 }, (_, i) => `${each}${i},${each}`),
    )
    const looked = await lookAt(client, 'Odd words.csv', `Name,Kind\n${rows.join('\n')}\n`)
    expect(looked.body.tables[0].columns[1]).toMatchObject({ name: 'Kind', type: 'String' })
  })

  it('is looked at, mapped and written as its columns say', async () => {
    const looked = await lookAt(client, 'Person.csv', PEOPLE)
    expect(looked).toMatchObject({
      status: 200,
      body: {
        state: 'ready',
        format: 'csv',
        left_out: [],
        tables: [
          {
            name: 'Person',
            rows: 3,
            columns: [
              { name: 'Name', type: 'String', samples: ['Ada', 'Bob', 'Cleo "C"'], to: 'name' },
              { name: 'Born', type: 'Date', to: { field: 'Born' } },
              { name: 'Height', type: 'Number' },
              { name: 'Active', type: 'Boolean' },
              { name: 'Status', type: 'Select', variants: ['open', 'done'] },
              { name: 'Likes', type: 'MultiSelect', variants: ['tea', 'maths', 'chess'] },
              { name: 'Description', to: 'description' },
            ],
          },
        ],
      },
    })
    const { import_id } = looked.body
    const mapped = await client.put(`/api/imports/${import_id}`, {})
    expect(mapped).toMatchObject({
      status: 200,
      body: { state: 'ready', created: 3, changed: 0, unchanged: 0, skipped: 0, faults: [], fault_count: 0 },
    })
    expect((await client.post('/api/tags/search', { filter: { name: { eq: 'Person' } } })).body).toEqual([])

    const run = await client.post(`/api/imports/${import_id}/run`, {})
    expect(run.status).toBe(202)
    const done = await settled(client, import_id)
    expect(done).toMatchObject({ state: 'done', done: 3, total: 3, created: 3, undone: false, error: null })
    expect(await itemsOf('Person')).toEqual([
      {
        name: 'Ada',
        description: 'First',
        Born: '1815-12-10',
        Height: 1.65,
        Active: true,
        Status: { variant: 'open' },
        Likes: ['tea', 'maths'],
      },
      {
        name: 'Bob',
        Born: '1990-01-02',
        Height: 1.8,
        Active: false,
        Status: { variant: 'done' },
        Likes: ['tea'],
      },
      {
        name: 'Cleo "C"',
        Born: '2001-05-06',
        Height: 1.7,
        Active: true,
        Status: { variant: 'open' },
        Likes: ['maths', 'chess'],
      },
    ])
    const events = await client.ok('POST', '/api/audit-log', { change_id: done.change_ids.at(-1) })
    expect(events).toHaveLength(6)
    for (const { details } of events) expect(details).toMatchObject({ import_id })
    const changes = await client.ok('POST', '/api/changes/search', { limit: done.change_ids.length })
    for (const each of changes) expect(each).toMatchObject({ operation: 'runImport', import_id })

    expect((await client.post(`/api/imports/${import_id}/run`, {})).status).toBe(409)
    const undone = await client.post(`/api/imports/${import_id}/undo`, {})
    expect(undone).toMatchObject({ status: 200, body: { state: 'done', undone: true } })
    expect(undone.body.undone_by).toHaveLength(done.change_ids.length)
    const [taken_back] = await client.ok('POST', '/api/changes/search', { limit: 1 })
    expect(taken_back).toMatchObject({ operation: 'undoImport', import_id })
    expect((await client.post('/api/tags/search', { filter: { name: { eq: 'Person' } } })).body).toEqual([])
    expect(await itemNamed('Ada')).toBeUndefined()
    expect((await client.post(`/api/imports/${import_id}/undo`, {})).status).toBe(409)
  })

  it('meets items by a key, leaves or clears what is empty, and changes nothing the second time', async () => {
    await client.ok('POST', '/api/tags', {
      name: 'Member',
      fields: { email: 'String', age: 'Number', note: 'String' },
    })
    const table = { tag: { id: 'Member' }, key: 'Email' }
    const first = 'Name,Email,Age,Note\nAda,ada@x.org,36,a\nBob,bob@x.org,40,b\n'
    expect((await imported(client, { content: first, table })).done).toMatchObject({
      created: 2,
      fault_count: 0,
    })
    expect((await imported(client, { content: first, table })).done).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
      change_ids: [],
    })
    const second =
      'Name,Email,Age,Note\nAda L.,ada@x.org,,\nBob,bob@x.org,41,old\nBob,bob@x.org,42,\nCleo,cleo@x.org,1,\n'
    const { mapped, done } = await imported(client, { content: second, table })
    expect(mapped).toMatchObject({ created: 1, changed: 2, unchanged: 0, skipped: 1, fault_count: 0 })
    expect(done).toMatchObject({ created: 1, changed: 2, skipped: 1 })
    expect(await itemsOf('Member')).toEqual([
      { name: 'Ada L.', email: 'ada@x.org', age: 36, note: 'a' },
      { name: 'Bob', email: 'bob@x.org', age: 42, note: 'b' },
      { name: 'Cleo', email: 'cleo@x.org', age: 1 },
    ])
    await imported(client, { content: second, table: { ...table, clear: true } })
    expect((await itemsOf('Member'))[0]).toEqual({
      name: 'Ada L.',
      email: 'ada@x.org',
      age: null,
      note: null,
    })
    const { done: again } = await imported(client, { content: second, table: { ...table, clear: true } })
    expect(again).toMatchObject({ changed: 0, unchanged: 3, skipped: 1 })
  })

  it('takes the headings of an export for the fields of its tag, whatever else its tag is called', async () => {
    const fields = { n: 'Number', 'unit price': 'Number' } as const
    const tag = await client.ok('POST', '/api/tags', { name: 'v1.Ware', fields })
    await client.ok('POST', '/api/items', {
      name: 'Bolt',
      tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: { n: 1, 'unit price': 2.5 } }],
    })
    const asked = { format: 'csv', filter: { has_tag: 'v1.Ware' } }
    const csv = (await client.exchange('POST', '/api/items/export', { body: JSON.stringify(asked) })).text
    const content = csv.replace('2.5', '3.5')
    const byId = { id: tag.tag_id }
    const { mapped } = await imported(client, { content, table: { tag: byId, key: 'item_id' } })
    expect(mapped).toMatchObject({ changed: 1, fault_count: 0 })
    expect(await itemsOf('v1.Ware')).toEqual([{ name: 'Bolt', n: 1, 'unit price': 3.5 }])
    // A tag that is chosen by its name finds its fields in any file, and a new one those of the export.
    const some = 'name,v1.Ware.n,Other.n\nNut,4,5\n'
    await imported(client, { content: some, table: { tag: { id: 'v1.Ware' }, columns: { 'Other.n': null } } })
    await imported(client, { content: csv, table: { tag: { new: { name: 'Copied ware' } } } })
    expect(await itemsOf('Copied ware')).toEqual([{ name: 'Bolt', n: 1, 'unit price': 2.5 }])
    const both = 'name,v1.Ware.n,n\nNut,7,8\n'
    const { mapped: beside } = await imported(client, { content: both, table: { tag: byId, key: 'name' } })
    expect(beside).toMatchObject({ fault_count: 0 })
    expect(await itemsOf('v1.Ware')).toEqual([
      { name: 'Bolt', n: 1, 'unit price': 3.5 },
      { name: 'Nut', n: 8, 'v1 Ware n': 7 },
    ])
    expect(Object.keys((await client.ok('GET', `/api/tags/${tag.tag_id}`)).fields)).toEqual([
      'n',
      'unit price',
      'v1 Ware n',
    ])
  })

  it('says of a time that its year is none in UTC', async () => {
    const content = 'name,at\nLate,9999-12-31T23:59-12:00\nFirst,0001-01-01T00:00+14:00\n'
    const looked = await lookAt(client, 'Moments.csv', content)
    const columns = { at: { field: 'at', type: 'DateTime' } }
    const { faults } = await mapTo(client, looked.body.import_id, {
      tables: [{ name: 'Moments', columns }],
    })
    const message = expect.stringMatching(/is in the year 10000 in UTC; that must be one of 0000 to 9999$/)
    expect(faults).toEqual([expect.objectContaining({ line: 2, column: 'at', message })])
  })

  it('keeps the milliseconds of a time, and takes no finer one', async () => {
    const rows = ['A,2026-01-31 09:30:15.123', 'B,"31.01.2026 10:15:30,250"', 'C,2026-01-31T09:30:15.123456Z']
    const looked = await lookAt(client, 'ticks.csv', ['name,at', ...rows, ''].join('\n'))
    const columns = { at: { field: 'at', type: 'DateTime', format: 'DMY' } }
    const tables = [{ name: 'ticks', tag: { new: { name: 'Tick' } }, columns }]
    const mapped = await mapTo(client, looked.body.import_id, { tables })
    expect(mapped.faults).toEqual([
      {
        table: 'ticks',
        line: 4,
        column: 'at',
        message: "'2026-01-31T09:30:15.123456Z' is finer than a millisecond",
        suggestion: 'Import the column as a String',
      },
    ])
    await client.post(`/api/imports/${looked.body.import_id}/run`, { on_fault: 'skip' })
    expect(await settled(client, looked.body.import_id)).toMatchObject({ state: 'done', created: 2 })
    const items = await client.ok('POST', '/api/items/search', {
      filter: { has_tag: 'Tick' },
      fields: ['Tick.at'],
      sort: [{ by: 'name' }],
    })
    expect(items.map((item: Record<string, unknown>) => item['Tick.at'])).toEqual([
      '2026-01-31T09:30:15.123Z',
      '2026-01-31T10:15:30.250Z',
    ])
  })

  it.each([
    ['csv', 'Name,Code,Text,Kind\n Ada , 7a , two ,  a\n Bob,7b,\u00a0, b ', ['two', null]],
    [
      'json',
      JSON.stringify([
        { Name: ' Ada ', Code: ' 7a ', Text: ' two\n', Kind: ' a' },
        { Name: ' Bob', Code: '7b', Text: ' ', Kind: 'b ' },
      ]),
      [' two\n', ' '],
    ],
  ])(
    'takes stray blanks off what %s has of people, but for texts of JSON',
    async (format, content, texts) => {
      const name = `Strays of ${format}`
      const variants = ['a', 'b']
      const columns = {
        Code: { field: 'code', type: 'String' },
        Text: { field: 'text', type: 'String' },
        Kind: { field: 'kind', type: 'Select', variants },
      }
      const table = { tag: { new: { name } }, key: 'Code', columns }
      const { done } = await imported(client, { name: `strays.${format}`, content, table })
      expect(done).toMatchObject({ state: 'done', created: 2, fault_count: 0 })
      const items = await client.ok('POST', '/api/items/search', {
        filter: { has_tag: name },
        sort: [{ by: 'name' }],
      })
      const told = items.map(({ name: called, tags }: { name: string; tags: object }) => {
        const [{ field_values }] = Object.values(tags)
        return [called, field_values.code, field_values.kind, field_values.text ?? null]
      })
      expect(told).toEqual([
        ['Ada', '7a', { variant: 'a' }, texts[0]],
        ['Bob', '7b', { variant: 'b' }, texts[1]],
      ])
    },
  )

  it('takes no number that it would round, nor one that is too large', async () => {
    const looked = await lookAt(client, 'accounts.csv', 'Name,Account\nA,9007199254740993\nB,1e999\n')
    expect(looked.body.tables[0].columns[1]).toMatchObject({ name: 'Account', type: 'String' })
    const columns = { Account: { field: 'account', type: 'Number' } }
    const tables = [{ name: 'accounts', tag: { new: { name: 'Account' } }, columns }]
    const mapped = await mapTo(client, looked.body.import_id, { tables })
    expect(mapped.faults).toEqual([
      {
        table: 'accounts',
        line: 2,
        column: 'Account',
        message: "'9007199254740993' has more digits than a number keeps",
        suggestion: 'Import the column as a String',
      },
      expect.objectContaining({ line: 3, message: "'1e999' is larger than a number can be" }),
    ])
  })

  it('takes money and percentages for numbers of a field that says their unit', async () => {
    const content = [
      'Name,Price,Share,Mixed',
      'Ink,"$1,234.50",12 %,$5',
      'Pen,($5.25),7%,€7',
      'Nib,$0.75,0.5 %,free',
      '',
    ].join('\n')
    const table = { tag: { new: { name: 'Stock' } }, key: 'Name' }
    const { done } = await imported(client, { name: 'stock.csv', content, table })
    const seen = done.tables[0].columns.map((each: { type: string; hints?: object }) => [
      each.type,
      each.hints,
    ])
    expect(seen).toEqual([
      ['String', undefined],
      ['Number', { unit: '$', unit_at: 'before', decimals: 2 }],
      ['Number', { format: 'percent' }],
      ['String', undefined],
    ])
    expect(done).toMatchObject({ created: 3, fault_count: 0 })
    const [tag] = await client.ok('POST', '/api/tags/search', { filter: { name: 'Stock' } })
    expect(tag.fields).toEqual({
      Price: { type: 'Number', unit: '$', unit_at: 'before', decimals: 2 },
      Share: { type: 'Number', format: 'percent' },
      Mixed: 'String',
    })
    expect(await itemsOf('Stock')).toEqual([
      { name: 'Ink', Price: 1234.5, Share: 0.12, Mixed: '$5' },
      { name: 'Nib', Price: 0.75, Share: 0.005, Mixed: 'free' },
      { name: 'Pen', Price: -5.25, Share: 0.07, Mixed: '€7' },
    ])
    const again = { name: 'stock.csv', content, table: { tag: { id: 'Stock' }, key: 'Name' } }
    expect((await imported(client, again)).done).toMatchObject({ unchanged: 3, changed: 0, fault_count: 0 })
  })

  it('takes no number in another unit than that of its field', async () => {
    await client.ok('POST', '/api/tags', {
      name: 'Offer',
      fields: {
        price: { type: 'Number', unit: '€' },
        rate: 'Number',
        cost: 'Number',
        size: { type: 'Number', unit: 'cm' },
      },
    })
    const rows = ['A,$5,€1,,$9,12 cm', 'B,€6,€1,4 %,$8,-3', 'C,7,€1,,$7,1cm', '']
    const content = ['Name,Price,Fee,Rate,Cost,Size', ...rows].join('\n')
    const looked = await lookAt(client, 'offers.csv', content)
    const columns = { Fee: { field: 'fee', type: 'Number' } }
    const tables = [{ name: 'offers', tag: { id: 'Offer' }, columns }]
    const mapped = await mapTo(client, looked.body.import_id, { tables })
    expect([mapped.created, mapped.faults]).toEqual([
      1,
      [
        {
          table: 'offers',
          line: 2,
          column: 'Price',
          message: "'$5' is a number of '$', and the field has '€'",
          suggestion: 'Give the field that unit, import the column into another field, or as a String',
        },
        {
          table: 'offers',
          line: 3,
          column: 'Rate',
          message: "'4 %' is a number of '%', and the field has no unit",
          suggestion: 'Give the field the format "percent", or import the column as a String',
        },
      ],
    ])
  })

  it('meets items by a key whose field the tag is still to get, as none of them has it', async () => {
    await client.ok('POST', '/api/tags', { name: 'Guest', fields: { age: 'Number' } })
    const given = { content: 'Name,Email\nAda,ada@x.org\n', table: { tag: { id: 'Guest' }, key: 'Email' } }
    const { mapped, done } = await imported(client, given)
    expect(mapped).toMatchObject({ created: 1, fault_count: 0 })
    expect(done).toMatchObject({ state: 'done', created: 1 })
    expect(await itemsOf('Guest')).toEqual([{ name: 'Ada', Email: 'ada@x.org' }])
    expect((await imported(client, given)).done).toMatchObject({ created: 0, unchanged: 1 })
  })

  it('takes a key that is called item_id for ids, whatever is in it, unless the tag has such a field', async () => {
    await client.ok('POST', '/api/tags', { name: 'Found', fields: { n: 'Number' } })
    const content = 'item_id,Name,n\nshop-1,Ada,1\n,Bob,2\n'
    const table = { tag: { id: 'Found' }, key: 'item_id' }
    const { mapped } = await imported(client, { content, table, on_fault: 'skip' })
    expect(mapped).toMatchObject({
      created: 1,
      faults: [{ line: 2, column: 'item_id', message: "'shop-1' is no id of an item" }],
    })
    const own = { ...table, columns: { item_id: { field: 'shop_id' } } }
    expect((await imported(client, { content, table: own, on_fault: 'skip' })).mapped).toMatchObject({
      created: 1,
      faults: [{ line: 3, message: 'the key is empty, so it is not known which item is meant' }],
    })
    await client.ok('POST', '/api/tags', { name: 'Sold', fields: { item_id: 'String' } })
    const sold = { content: 'item_id,Name\nshop-1,Ada\n', table: { tag: { id: 'Sold' }, key: 'item_id' } }
    expect((await imported(client, sold)).done).toMatchObject({ created: 1, fault_count: 0 })
    expect((await imported(client, sold)).done).toMatchObject({ unchanged: 1, fault_count: 0 })
  })

  it('says every fault by its line, and leaves such rows out only where that is asked for', async () => {
    await client.ok('POST', '/api/tags', {
      name: 'Bill',
      fields: {
        due: 'Date',
        sum: 'Number',
        state: { type: 'Select', variants: ['open', 'paid'] },
        who: 'Reference',
      },
    })
    for (const name of ['Twin', 'Twin']) await client.ok('POST', '/api/items', { name })
    const content =
      'Name;Due;Sum;State;Who\nA;2026-01-31;1,5;open;\n;2026-01-31;1;open;\nC;2026-02-30;1;open;\n' +
      'D;01/02/2026;1;open;\nE;;x;open;\nF;;1;Paid;\nG;;1;lost;\nH;;1;;Nobody\nI;;1;;Twin\n'
    const looked = await lookAt(client, 'bills.csv', content)
    const { import_id } = looked.body
    const columns = { Sum: { field: 'sum', format: '1.234,5' } }
    const tables = [{ name: 'bills', tag: { id: 'Bill' }, columns }]
    const mapped = await mapTo(client, import_id, { tables })
    expect(mapped).toMatchObject({ created: 2, skipped: 7, fault_count: 7 })
    expect(mapped.faults.map((each: { line: number; column: string }) => [each.line, each.column])).toEqual([
      [3, 'Name'],
      [4, 'Due'],
      [5, 'Due'],
      [6, 'Sum'],
      [8, 'State'],
      [9, 'Who'],
      [10, 'Who'],
    ])
    const texts = mapped.faults.map(({ message }: { message: string }) => message)
    expect(texts[2]).toContain('2026-02-01 or 2026-01-02')
    expect(texts[5]).toContain("no item called 'Nobody'")
    expect(texts[6]).toContain('2 items')
    const refused = await client.post(`/api/imports/${import_id}/run`, { on_fault: 'refuse' })
    expect(refused).toMatchObject({ status: 409, body: { details: { fault_count: 7 } } })
    // The same rows as a file: what they said, their lines, what is wrong.
    const file = await client.exchange('GET', `/api/imports/${import_id}/faults`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = file.text.split('\r\n')
    expect(lines.slice(0, 3)).toEqual([
      'Name,Due,Sum,State,Who,Line,What is wrong',
      ',2026-01-31,1,open,,3,Name: an item needs a name',
      "C,2026-02-30,1,open,,4,Due: '2026-02-30' is no date",
    ])
    expect(lines).toHaveLength(9)
    const other = await service.user()
    expect((await other.exchange('GET', `/api/imports/${import_id}/faults`)).status).toBe(404)
    const unmapped = await lookAt(client, 'unmapped.csv', 'a\n1')
    const early = await client.exchange('GET', `/api/imports/${unmapped.body.import_id}/faults`)
    expect(early.status).toBe(409)
    expect(early.text).toContain('PUT /api/imports/')
    expect(await client.ok('GET', `/api/imports/${import_id}`)).toMatchObject({ state: 'ready' })
    await mapTo(client, import_id, {
      tables: [
        {
          ...tables[0],
          columns: {
            ...columns,
            Due: { field: 'due', format: 'DMY' },
            State: { field: 'state', make: true },
            Who: null,
          },
        },
      ],
    })
    const asDays = await client.ok('GET', `/api/imports/${import_id}`)
    expect(asDays.faults).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/is no date written day, month, year$/),
        suggestion: expect.stringMatching(/^Correct the cell, or give the column another format/),
      }),
    )
    expect((await client.post(`/api/imports/${import_id}/run`, { on_fault: 'skip' })).status).toBe(202)
    expect(await settled(client, import_id)).toMatchObject({ state: 'done', created: 6, fault_count: 3 })
    expect(await itemsOf('Bill')).toMatchObject([
      { name: 'A', sum: 1.5 },
      { name: 'D', due: '2026-02-01' },
      { name: 'F', state: { variant: 'paid' } },
      { name: 'G', state: { variant: 'lost' } },
      { name: 'H' },
      { name: 'I' },
    ])
  })

  it('finds references by name, in the file too, whatever stands first, and makes what is asked for', async () => {
    const content = 'Name,Parent,Team\nLeaf,Branch,Red\nBranch,Root,Blue\nRoot,,Red\n'
    const table = {
      tag: { new: { name: 'Node' } },
      key: 'Name',
      columns: { Team: { field: 'team', type: 'Reference', make: true } },
    }
    const { mapped, done } = await imported(client, { name: 'nodes.csv', content, table })
    expect(mapped.tables[0].columns[1]).toMatchObject({ type: 'Reference', of: ['nodes'] })
    expect(done).toMatchObject({ state: 'done', error: null, created: 3, fault_count: 0 })
    const [leaf, branch, root, red, blue] = await Promise.all(
      ['Leaf', 'Branch', 'Root', 'Red', 'Blue'].map(itemNamed),
    )
    expect(await itemsOf('Node')).toEqual([
      { name: 'Branch', Parent: root.item_id, team: blue.item_id },
      { name: 'Leaf', Parent: branch.item_id, team: red.item_id },
      { name: 'Root', team: red.item_id },
    ])
    expect(leaf.item_id).not.toBe(branch.item_id)
    const again = await imported(client, {
      name: 'nodes.csv',
      content,
      table: { ...table, tag: { id: 'Node' } },
    })
    expect(again.mapped).toMatchObject({ created: 0, changed: 0, unchanged: 3 })
    expect(again.done).toMatchObject({ unchanged: 3, change_ids: [] })
    await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
    expect(await Promise.all(['Leaf', 'Red'].map(itemNamed))).toEqual([undefined, undefined])
  })
  /** Rows of limbs, of which some refer to others. */
  const limbs = (lost: string) =>
    `Name,Parent,Size\nLost,"${lost}",1\nTrunk,,2\nTwig,Trunk,3\nBough,Trunk,wide\nBud,Twig,4\n`
  const limbsTo = (name: string, type: string) => ({
    tag: { new: { name } },
    columns: { Parent: { field: 'parent', type }, Size: { field: 'size', type: 'Number' } },
  })

  it('says the fault of a row once that is left out, whatever else the row refers to', async () => {
    for (const [lost, type] of [
      ['Nowhere', 'Reference'],
      ['Trunk, Nowhere', 'MultiReference'],
    ] as const) {
      const { mapped, done } = await imported(client, {
        name: 'limbs.csv',
        content: limbs(lost),
        table: limbsTo(type, type),
        on_fault: 'skip',
      })
      expect(mapped.faults).toMatchObject([
        { line: 2, column: 'Parent', message: "there is no item called 'Nowhere'" },
        { line: 5, column: 'Size' },
      ])
      expect(done).toMatchObject({ created: 3, skipped: 2, fault_count: 2, faults: mapped.faults })
      const names = (await itemsOf(type)).map(({ name }: { name: string }) => name)
      expect(names).toEqual(['Bud', 'Trunk', 'Twig'])
      await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
    }
  })

  it('leaves rows out that lead to rows that are left out, known before anything is written', async () => {
    const content =
      'Name,Parent,Others,Size\nLeaf,Fork,,1\nFork,,,wide\nNest,,"Root, Leaf",3\nRoot,Soil,,4\nSoil,,,5\n'
    const columns = {
      Parent: { field: 'parent', type: 'Reference' },
      Others: { field: 'others', type: 'MultiReference' },
      Size: { field: 'size', type: 'Number' },
    }
    const file = { name: 'tree.csv', content, on_fault: 'skip' }
    const { mapped, done } = await imported(client, {
      ...file,
      table: { tag: { new: { name: 'Led' } }, columns },
    })
    expect(mapped.faults).toMatchObject([
      { line: 2, column: 'Parent', message: "the row called 'Fork' is left out, so it is no item" },
      { line: 3, column: 'Size' },
      { line: 4, column: 'Others', message: "the row called 'Leaf' is left out, so it is no item" },
    ])
    expect(mapped).toMatchObject({ created: 2, skipped: 3 })
    expect(done).toMatchObject({ created: 2, skipped: 3, fault_count: 3, faults: mapped.faults })
    const soil = await itemNamed('Soil')
    expect(await itemsOf('Led')).toEqual([
      { name: 'Root', parent: soil.item_id, size: 4 },
      { name: 'Soil', size: 5 },
    ])
    await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
    const Parent = { ...columns.Parent, make: true }
    const made = await imported(client, {
      ...file,
      table: { tag: { new: { name: 'Grown' } }, columns: { ...columns, Parent } },
    })
    expect(made.mapped.faults).toMatchObject([{ line: 3, column: 'Size' }])
    expect(made.done).toMatchObject({ created: 4, skipped: 1, faults: made.mapped.faults })
    const fork = await itemNamed('Fork')
    expect(await itemsOf('Grown')).toContainEqual({ name: 'Leaf', parent: fork.item_id, size: 1 })
    await client.ok('POST', `/api/imports/${made.done.import_id}/undo`, {})
  })

  it('takes a key that comes twice for one item in references, called as its later row says', async () => {
    const { mapped, done } = await imported(client, {
      name: 'twigs.csv',
      content:
        'Name,Code,Parent,Size\nStem,1,,wide\nStem,1,,\nOld,2,,\nNew,2,,1\nA,3,Stem,\nB,4,New,\nC,5,Old,\n',
      table: {
        tag: { new: { name: 'Met' } },
        key: 'Code',
        columns: { Parent: { field: 'parent', type: 'Reference' }, Size: { field: 'size', type: 'Number' } },
      },
      on_fault: 'skip',
    })
    expect(mapped.faults).toMatchObject([
      { line: 2, column: 'Size' },
      { line: 8, message: "there is no item called 'Old'" },
    ])
    expect(done).toMatchObject({ created: 4, skipped: 3, fault_count: 2, faults: mapped.faults })
    const [stem, next] = await Promise.all(['Stem', 'New'].map(itemNamed))
    expect(await itemsOf('Met')).toMatchObject([
      { name: 'A', parent: stem.item_id },
      { name: 'B', parent: next.item_id },
      { name: 'New' },
      { name: 'Stem' },
    ])
    await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
  })

  it('leaves a row out that names a row and an item that was there, wherever the row stands', async () => {
    await client.ok('POST', '/api/items', { name: 'Twig' })
    const { mapped, done } = await imported(client, {
      name: 'limbs.csv',
      content: limbs('Twig'),
      table: limbsTo('Twice', 'Reference'),
      on_fault: 'skip',
    })
    expect(mapped.faults).toMatchObject([
      { line: 2, message: "2 items are called 'Twig'" },
      { line: 5, column: 'Size' },
      { line: 6, message: "2 items are called 'Twig'" },
    ])
    expect(done).toMatchObject({ created: 2, skipped: 3, fault_count: 3, faults: mapped.faults })
    await client.ok('POST', `/api/imports/${done.import_id}/undo`, {})
  })
})

describe('another format', () => {
  it('is read by the name of the file: JSON Lines, and each sheet of a workbook', async () => {
    const lines =
      '{"name":"Js","size":2,"tags":["a","b"],"at":{"city":"Ulm"}}\n{"name":"Ks","size":3,"tags":["b"]}\n'
    const { done } = await imported(client, { name: 'Thing.jsonl', content: lines })
    expect(done).toMatchObject({ format: 'json', state: 'done', created: 2 })
    expect(await itemsOf('Thing')).toEqual([
      { name: 'Js', size: 2, tags: ['a', 'b'], 'at city': 'Ulm' },
      { name: 'Ks', size: 3, tags: ['b'] },
    ])
    const geometry = { type: 'Point', coordinates: [9.99, 48.4] }
    const features = [{ type: 'Feature', properties: { name: 'Ulm' }, geometry }]
    const map = { name: 'City.geojson', content: JSON.stringify({ type: 'FeatureCollection', features }) }
    expect((await imported(client, map)).done).toMatchObject({ format: 'json', created: 1 })
    expect(await itemsOf('City')).toEqual([{ name: 'Ulm', longitude: 9.99, latitude: 48.4 }])
    const cell = (at: string, text: string) => `<c r="${at}" t="str"><v>${text}</v></c>`
    const book = await workbook({
      Author: [`<row r="1">${cell('A1', 'Name')}</row>`, `<row r="2">${cell('A2', 'Austen')}</row>`],
      Book: [
        `<row r="1">${cell('A1', 'Name')}${cell('B1', 'by')}${cell('C1', 'out')}</row>`,
        `<row r="2">${cell('A2', 'Emma')}${cell('B2', 'Austen')}<c r="C2" s="1"><v>5838</v></c></row>`,
      ],
    })
    const books = await imported(client, { name: 'library.xlsx', content: book })
    expect(books.done).toMatchObject({ format: 'xlsx', created: 2, error: null })
    expect(await itemsOf('Book')).toEqual([
      { name: 'Emma', by: (await itemNamed('Austen')).item_id, out: '1915-12-25' },
    ])
  })

  it('has texts that nobody can store by the escapes of its format: they are faults, the rest is written', async () => {
    const vault = await zipOf({
      'cell.md': '---\nk: "v\\0w"\n---\nx',
      'half.md': '---\nk: ["\\ud800", b]\n---\nx',
      'key.md': '---\n"k\\0y": v\n---\nx',
      'tag.md': '---\ntags: ["a\\0b"]\n---\nx',
      'whole.md': '---\nk: v\n---\nx',
    })
    const { mapped, done } = await imported(client, { name: 'Escaped.zip', content: vault, on_fault: 'skip' })
    expect(mapped).toMatchObject({ created: 1, fault_count: 4 })
    expect(mapped.faults).toMatchObject(
      ['cell', 'half', 'key', 'tag'].map((note) => ({
        file: `${note}.md`,
        line: 1,
        message: expect.stringMatching(
          /^front matter: a text has (?:a NUL character|half of a surrogate pair)/,
        ),
      })),
    )
    expect(done).toMatchObject({ state: 'done', created: 1, error: null })
    expect(await itemsOf('Escaped')).toEqual([{ name: 'whole', description: '<p>x</p>', k: 'v' }])
  })

  it('may have columns that are called almost alike', async () => {
    const content = 'name,n,N,n\nAlmost,1,2,3\n'
    const { done } = await imported(client, { name: 'Alike.csv', content })
    expect(done).toMatchObject({ state: 'done', created: 1 })
    expect(await itemsOf('Alike')).toEqual([{ name: 'Almost', n: 1, N: 2, 'n 2': 3 }])
  })

  if (ABOVE_ENGINE)
    it.each([
      ['old.xls', /^Save it as \.xlsx/],
      ['sheet.ODS', /^Save it as \.xlsx/],
      ['text.pdf', /^Give it a name that ends in \.csv, .*\.xlsm/],
    ])('%s is refused with the way out', async (name, suggestion) => {
      expect(await lookAt(client, name, 'x')).toMatchObject({
        status: 400,
        body: { suggestion: expect.stringMatching(suggestion) },
      })
    })

  if (ABOVE_ENGINE)
    it.each([
      ['heading.csv', 'name,c\0\nx,1\n', { file: 'heading.csv', line: 1 }],
      ['bomb.csv', `a,b\n1,"${'x\n'.repeat(5e6)}`, { file: 'bomb.csv', line: 2 }],
      ['deep.json', `[${'{"a":'.repeat(100)}`, { file: 'deep.json', line: 1 }],
      ['none.xlsx', 'PK nothing', { file: 'none.xlsx' }],
      ['nul.json', '[{"name":"a\\u0000b"}]', { file: 'nul.json', line: 1 }],
      ['list.jsonl', '5\n6\n', { file: 'list.jsonl', line: 1 }],
      ['note.md', '# Note', { file: 'note.md' }],
    ])('%s is refused with its place', async (name, content, details) => {
      expect(await lookAt(client, name, content)).toMatchObject({ status: 400, body: { details } })
    })
})

describe('an import', () => {
  it("is its account's own, and listed newest first", async () => {
    const { body } = await lookAt(client, 'own.csv', 'Name\nOwn\n')
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/run'],
      ['POST', '/stop'],
      ['POST', '/undo'],
    ] as const)
      expect(
        await other.send(method, `/api/imports/${body.import_id}${path}`, method === 'GET' ? undefined : {}),
      ).toMatchObject({
        status: 404,
      })
    expect((await client.ok('GET', '/api/imports'))[0]).toMatchObject({ import_id: body.import_id })
    expect(await other.ok('GET', '/api/imports')).toEqual([])
    expect((await other.post('/api/imports', { file_id: body.file_id })).status).toBe(404)
    expect((await client.delete(`/api/imports/${body.import_id}`)).status).toBe(200)
    expect((await client.get(`/api/imports/${body.import_id}`)).status).toBe(404)
  })

  it('is made, run and taken back once under an Idempotency-Key', async () => {
    const file_id = await uploaded(client, 'Repeated.csv', 'name\nRepeated\n')
    const twice = async (method: string, path: string, body: object) => {
      const send = () => client.send(method, path, body, { 'idempotency-key': `${method} ${path}` })
      const first = await send()
      // What a busy machine does after its answer is done before the request is repeated.
      if (first.body.import_id) await settled(client, first.body.import_id)
      const again = await send()
      expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
        first.status,
        first.body,
        'true',
      ])
      return first
    }
    const made = await twice('POST', '/api/imports', { file_id })
    const at = `/api/imports/${made.body.import_id}`
    const imports = await client.ok('GET', '/api/imports')
    expect(imports.filter((each: { file_id: string }) => each.file_id === file_id)).toHaveLength(1)
    expect((await twice('POST', `${at}/run`, {})).status).toBe(409)
    expect((await twice('PUT', at, {})).body).toMatchObject({ import_id: made.body.import_id })
    await client.ok('PUT', at, {})
    const run = await client.send('POST', `${at}/run`, {}, { 'idempotency-key': 'run it' })
    await settled(client, made.body.import_id)
    const run_again = await client.send('POST', `${at}/run`, {}, { 'idempotency-key': 'run it' })
    expect([run.status, run_again.status, run_again.body]).toEqual([202, 202, run.body])
    expect((await twice('POST', `${at}/undo`, {})).body).toMatchObject({ import_id: made.body.import_id })
    expect(await settled(client, made.body.import_id)).toMatchObject({ state: 'done', undone: true })
  })

  it('that fails is no longer repeated under its Idempotency-Key as what it had begun', async () => {
    const file_id = await uploaded(client, 'broken.json', '{"name": ')
    const send = () => client.post('/api/imports', { file_id }, { 'idempotency-key': 'broken' })
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await send()
      expect([status, headers.get('idempotency-replayed')]).toEqual([400, null])
    }
  })

  it('does one thing after the other', async () => {
    const { body } = await lookAt(client, 'order.csv', 'Name\nOrder\n')
    const at = `/api/imports/${body.import_id}`
    for (const path of ['/run', '/stop', '/undo']) expect((await client.post(at + path, {})).status).toBe(409)
    const wrong = await client.put(at, { tables: [{ name: 'other', columns: { x: null } }] })
    expect(wrong).toMatchObject({
      status: 400,
      body: { details: { errors: [{ path: 'tables[0].name' }] } },
    })
    const columns = await client.put(at, { tables: [{ name: 'order', key: 'Nam', columns: { Nam: null } }] })
    expect(columns.body.details.errors).toEqual([
      { path: 'tables[0].columns.Nam', message: "there is no such column; did you mean 'Name'?" },
      { path: 'tables[0].key', message: "there is no such column; did you mean 'Name'?" },
    ])
    const left_out = await client.put(at, {
      tables: [{ name: 'order', key: 'Name', columns: { Name: null } }],
    })
    expect(left_out.body.message).toContain("the column 'Name' is not imported")
    expect((await client.put(at, { tables: [{ name: 'order', tag: { id: 'Nowhere' } }] })).status).toBe(404)
  })
})

it('a running import is stopped; what it wrote goes, but for what was changed since', async () => {
  const rows = Array.from({ length: 6000 }, (_, i) => `Stopped ${i},${i}`)
  const looked = await lookAt(client, 'Stopped.csv', ['name,n', ...rows].join('\n'))
  const { import_id } = looked.body
  await mapTo(client, import_id, {})
  const run = client.post(`/api/imports/${import_id}/run`, {})
  // What is checked once more before it is written runs already.
  while ((await client.ok('GET', `/api/imports/${import_id}`)).state === 'ready');
  expect((await client.put(`/api/imports/${import_id}`, {})).status).toBe(409)
  expect((await run).status).toBe(202)
  while ((await client.ok('GET', `/api/imports/${import_id}`)).done === 0);
  expect(await client.ok('POST', `/api/imports/${import_id}/stop`)).toMatchObject({ state: 'stopped' })
  const { done, change_ids } = await settled(client, import_id)
  const count = async () =>
    (await client.ok('POST', '/api/items/aggregate', { filter: { name: { starts_with: 'Stopped ' } } }))
      .groups[0]?.count ?? 0
  expect(done).toBeLessThan(6000)
  expect([await count(), change_ids.length > 0]).toEqual([done, true])
  expect((await client.post(`/api/imports/${import_id}/stop`)).status).toBe(409)

  const { item_id } = await itemNamed('Stopped 0')
  await client.ok('PUT', `/api/items/${item_id}`, { description: 'Mine now' })
  const refused = await client.post(`/api/imports/${import_id}/undo`, {})
  expect(refused).toMatchObject({ status: 409, body: { details: { conflicts: [{ item_id }] } } })
  expect(await count()).toBe(done)
  await client.post(`/api/imports/${import_id}/undo`, { on_conflict: 'skip' })
  const partly = await settled(client, import_id)
  expect(partly).toMatchObject({ state: 'stopped', undone: false })
  expect([await count(), (await itemNamed('Stopped 0')).description]).toEqual([1, 'Mine now'])
  // What is left can be taken back once more, and stands in the way alone.
  const again = await client.post(`/api/imports/${import_id}/undo`, {})
  expect(again).toMatchObject({ status: 409, body: { details: { conflicts: [{ item_id }] } } })
  expect(again.body.details.conflicts).toHaveLength(1)
  await client.ok('PUT', `/api/items/${item_id}`, { description: null })
  await client.post(`/api/imports/${import_id}/undo`, {})
  const whole = await settled(client, import_id)
  expect(whole).toMatchObject({ state: 'stopped', undone: true, error: null })
  expect(whole.undone_by.slice(0, partly.undone_by.length)).toEqual(partly.undone_by)
  expect(await count()).toBe(0)
  expect((await client.post(`/api/imports/${import_id}/undo`, {})).status).toBe(409)
})

it('an import says what is so now, whoever takes it back or brings it back', async () => {
  const { done } = await imported(client, { name: 'Swung.csv', content: 'name,n\nSwung 1,1\nSwung 2,2\n' })
  const at = `/api/imports/${done.import_id}`
  const undo = (change_ids: string[]) => client.ok('POST', '/api/changes/undo', { change_ids })
  const now = async () => {
    const { undone, undone_by, change_ids } = await client.ok('GET', at)
    expect(change_ids).toEqual(done.change_ids)
    return { undone, by: undone_by.length > 0 }
  }
  expect(await now()).toEqual({ undone: false, by: false })
  await client.post(`${at}/undo`, {})
  const { undone_by } = await settled(client, done.import_id)
  expect(await now()).toEqual({ undone: true, by: true })
  await undo(undone_by)
  expect(await now()).toEqual({ undone: false, by: false })
  await client.post(`${at}/undo`, {})
  await settled(client, done.import_id)
  expect(await now()).toEqual({ undone: true, by: true })
  await undo((await client.ok('GET', at)).undone_by)
  // By hand, change by change.
  await undo(done.change_ids)
  expect(await now()).toEqual({ undone: true, by: false })
  expect((await client.post(`${at}/undo`, {})).status).toBe(409)
  const [listed] = await client.ok('GET', '/api/imports?limit=1')
  expect(listed).toMatchObject({ import_id: done.import_id, undone: true })
})

it('an import of which nothing is left is undone, whatever took its items away', async () => {
  const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Swept', fields: {} })
  const { done } = await imported(client, {
    name: 'Swept.csv',
    content: 'name\nSwept 1\n',
    table: { tag: { id: tag_id } },
  })
  const { item_id } = await itemNamed('Swept 1')
  await client.ok('DELETE', `/api/items/${item_id}`)
  await client.post(`/api/imports/${done.import_id}/undo`, {})
  expect(await settled(client, done.import_id)).toMatchObject({ state: 'done', undone: true, error: null })
})

describe('an import between its mapping and its run', () => {
  let turn = 0
  const FIELDS = {
    size: 'Number',
    kind: { type: 'Select', variants: ['new', 'old'] },
    maker: 'Reference',
  }

  /** Checked and ready, with a tag of its own; `size` and `kind` are fields of it, `colour` is to be one. */
  async function mapped(table: object = {}) {
    const name = `Part ${++turn}`
    const { tag_id } = await client.ok('POST', '/api/tags', { name, fields: FIELDS })
    const looked = await lookAt(client, `${name}.csv`, 'name,size,kind,colour\nBolt,1,old,red\n')
    const at = `/api/imports/${looked.body.import_id}`
    const { body } = looked
    const columns = { kind: { field: 'kind', make: true } }
    await mapTo(client, body.import_id, {
      tables: [{ name: body.tables[0].name, tag: { id: tag_id }, columns, ...table }],
    })
    const run = async (body: object = {}) => {
      await client.post(`${at}/run`, body)
      return settled(client, looked.body.import_id)
    }
    const tag = () => client.ok('GET', `/api/tags/${tag_id}`)
    const change = (body: object) => client.ok('PUT', `/api/tags/${tag_id}`, body)
    return { name, tag_id, at, run, tag, change }
  }

  it.each([
    [
      'is renamed',
      { rename_fields: { size: 'length' } },
      "the field 'size' of the tag 'Part N' is called 'length' by now",
    ],
    [
      'is removed',
      { fields: { kind: FIELDS.kind, maker: 'Reference' } },
      "the field 'size' of the tag 'Part N' has been removed",
    ],
  ])('makes no field anew that %s', async (_, body, message) => {
    const { name, run, tag, change, at } = await mapped()
    await change(body)
    const before = await tag()
    for (const on_fault of ['refuse', 'skip']) {
      const held = await run({ on_fault })
      expect(held).toMatchObject({
        state: 'ready',
        change_ids: [],
        error: {
          code: 'Conflict',
          message: `Since the columns were mapped ${message.replace('Part N', name)}`,
          suggestion: expect.stringContaining(`PUT ${at}`),
        },
      })
    }
    expect(await tag()).toEqual(before)
    // Who says so has the field made.
    await mapTo(client, at.split('/').at(-1)!, {
      tables: [{ name, tag: { id: before.tag_id }, columns: { size: { field: 'size' } } }],
    })
    expect(await run()).toMatchObject({ state: 'done', created: 1, error: null })
    expect((await tag()).fields).toMatchObject({ size: 'Number', colour: expect.anything() })
  })

  it('takes no other field for one that was renamed', async () => {
    const { name, run, tag, change } = await mapped()
    await change({ rename_fields: { size: 'length' } })
    await change({ fields: { length: 'Number', size: 'Number', kind: FIELDS.kind } })
    const before = await tag()
    expect((await run()).error).toMatchObject({
      message: `Since the columns were mapped the field 'size' of the tag '${name}' is called 'length' by now`,
    })
    expect(await tag()).toEqual(before)
  })

  it.each([
    [
      'renamed',
      { rename_variants: { kind: { old: 'used' } } },
      "the variant 'old' of the field 'kind' of the tag 'Part N' is called 'used' by now",
    ],
    [
      'removed',
      { fields: { ...FIELDS, kind: { type: 'Select', variants: ['new'] } } },
      "the variant 'old' of the field 'kind' of the tag 'Part N' has been removed",
    ],
  ])('makes no variant anew that was %s', async (_, body, message) => {
    const { name, run, tag, change } = await mapped()
    await change(body)
    const before = await tag()
    expect(await run()).toMatchObject({
      state: 'ready',
      error: {
        code: 'Conflict',
        message: `Since the columns were mapped ${message.replace('Part N', name)}`,
      },
    })
    expect(await tag()).toEqual(before)
  })

  it('names a tag that was deleted or renamed, of its items or of those that they refer to', async () => {
    const maker = `Maker ${turn}`
    const { tag_id } = await client.ok('POST', '/api/tags', { name: maker, fields: {} })
    const columns = { colour: { field: 'by', type: 'Reference', of: [maker], make: true } }
    const referring = await mapped({ columns })
    await client.ok('PUT', `/api/tags/${tag_id}`, { name: `${maker} of old` })
    expect((await referring.run()).error.message).toBe(
      `Since the columns were mapped the tag '${maker}', whose items are meant, is called '${maker} of old' by now`,
    )
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    expect((await referring.run()).error.message).toBe(
      `Since the columns were mapped the tag '${maker}', whose items are meant, has been deleted`,
    )
    expect(await referring.tag()).toMatchObject({ fields: FIELDS })

    // By its id it is the same, whatever it is called.
    const own = await mapped()
    await own.change({ name: `${own.name} of old` })
    expect(await own.run()).toMatchObject({ state: 'done', created: 1 })

    const named = await mapped({ tag: undefined })
    await named.change({ name: `${named.name} of old` })
    expect(await named.run()).toMatchObject({
      state: 'ready',
      error: {
        message: `Since the columns were mapped the tag '${named.name}' is called '${named.name} of old' by now`,
      },
    })
    expect((await client.get(`/api/tags/${encodeURIComponent(named.name)}`)).status).toBe(404)
    const gone = await mapped()
    await client.ok('DELETE', `/api/tags/${gone.tag_id}`)
    expect(await gone.run()).toMatchObject({
      state: 'ready',
      error: { message: `Since the columns were mapped the tag '${gone.name}' has been deleted` },
    })
  })

  it('writes into no tag that somebody has made by the name of the one that it was to make', async () => {
    const looked = await lookAt(client, 'Lately made.csv', 'name,size\nBolt,1\n')
    const { import_id } = looked.body
    await mapTo(client, import_id, {})
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Lately made',
      fields: { size: 'String' },
    })
    await client.post(`/api/imports/${import_id}/run`, {})
    expect(await settled(client, import_id)).toMatchObject({
      state: 'ready',
      error: { message: "A tag named 'Lately made' exists already", details: { tag_id } },
    })
  })
})

it('a row of blanks alone is none', async () => {
  const { done } = await imported(client, { name: 'blanks.csv', content: 'name,n\nBlankless,1\n , \n' })
  expect(done).toMatchObject({ state: 'done', created: 1, fault_count: 0 })
})

it.each([
  ['texts-twice.csv', 'name,Description,description\nTwo texts,a,b\n'],
  ['empty-part.json', '[{"name":"Empty part","l":[""]},{"name":"Parts","l":["x",""," "]}]'],
])('what is proposed for %s can be taken', async (name, content) => {
  const { body } = await lookAt(client, name, content)
  expect(await mapTo(client, body.import_id, {})).toMatchObject({ fault_count: 0 })
})

it('an error of a spreadsheet says nothing of its column, and is a fault where that is taken', async () => {
  const text = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`
  const content = await workbook({
    Errors: [
      `<row r="1">${text('A1', 'Name')}${text('B1', 'n')}</row>`,
      `<row r="2">${text('A2', 'Errorless')}<c r="B2"><v>1.5</v></c></row>`,
      `<row r="3">${text('A3', 'Faulty')}<c r="B3" t="e"><v>#DIV/0!</v></c></row>`,
      `<row r="4">${text('A4', 'Never computed')}<c r="B4"><f>1+1</f><v/></c></row>`,
    ],
  })
  const { body } = await lookAt(client, 'errors.xlsx', content)
  expect(body.tables[0].columns[1]).toMatchObject({ name: 'n', type: 'Number' })
  expect(await mapTo(client, body.import_id, {})).toMatchObject({
    faults: [
      { line: 3, column: 'n', message: 'the cell is the error #DIV/0!' },
      { line: 4, column: 'n', message: 'the cell is a formula that was never computed' },
    ],
  })
})

it('of two columns called item_id the second is a field, whose values stay', async () => {
  const [first, second] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW']
  const content = `name,item_id,Item_Id\nTwo ids,${first},${second}\n`
  const { body } = await lookAt(client, 'ids-twice.csv', content)
  const places = body.tables[0].columns.map(({ to }: { to: unknown }) => to)
  expect(places).toEqual(['name', 'item_id', { field: 'Item_Id' }])
  const { done } = await imported(client, { name: 'ids-twice.csv', content })
  expect(done).toMatchObject({ state: 'done', created: 1, fault_count: 0 })
  const [item] = await client.ok('POST', '/api/items/search', { filter: { name: 'Two ids' } })
  expect(Object.values(item.tags)).toEqual([expect.objectContaining({ field_values: { Item_Id: second } })])
})
