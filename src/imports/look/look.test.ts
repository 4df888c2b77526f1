import { expect, test } from 'vitest'
import { Looker } from '#src/imports/look/look.ts'
import type { Cell, SourceRecord } from '#src/imports/source.ts'

const tableOf = (table: string, columns: string[], rows: Cell[][]): SourceRecord[] => [
  { is: 'table', table, columns },
  ...rows.map((cells, i): SourceRecord => ({
    is: 'row',
    table,
    line: i + 2,
    cells: new Map(cells.flatMap((cell, at) => (cell === null ? [] : [[columns[at]!, cell]]))),
  })),
]
function columnsOf(...tables: SourceRecord[][]) {
  const looker = new Looker()
  for (const records of tables) looker.take(records)
  const told = looker
    .end()
    .tables.flatMap(({ name, columns }) =>
      columns.map((column) => [`${name}.${column.name}`, column] as const),
    )
  return Object.fromEntries(
    told.map(([place, { type, variants, of, format, hints, to }]) => [
      place,
      {
        type,
        to,
        ...(variants && { variants }),
        ...(of && { of }),
        ...(format && { format }),
        ...(hints && { hints }),
      },
    ]),
  )
}

test.each<[type: string, cells: Cell[], more?: object]>([
  ['Number', ['1', '2.5', '-3e2'], {}],
  ['Number', ['1.234,50', '0,5', '7'], { format: '1.234,5' }],
  ['Number', [1, 2.5]],
  ['Date', ['2026-01-31', '2026-02-01']],
  ['Date', ['31/12/2026', '01/02/2026'], { format: 'DMY' }],
  ['Date', ['12/31/2026', '01/02/2026'], { format: 'MDY' }],
  ['Date', ['01/02/2026', '03/04/2026']],
  ['DateTime', ['2026-01-31 09:30', '2026-02-01T10:00:00Z']],
  ['Boolean', ['yes', 'no', 'yes']],
  ['Boolean', ['ja', 'Nein', 'ja']],
  ['Boolean', ['Oui', 'non', 'Oui']],
  ['Boolean', ['sí', 'no', 'sí']],
  ['Select', ['ja', 'nein', 'offen', 'ja', 'nein', 'offen'], { variants: ['ja', 'nein', 'offen'] }],
  ['Boolean', [true, false]],
  ['Select', ['open', 'done', 'open'], { variants: ['open', 'done'] }],
  ['Select', ['open', true, 'open', true], { variants: ['open', 'true'] }],
  ['MultiSelect', [['a', 'b'], true, 1], { variants: ['a', 'b', 'true', '1'] }],
  ['MultiSelect', ['a, b', 'a', 'b, c'], { variants: ['a', 'b', 'c'] }],
  ['MultiSelect', ['a;b', 'a', 'b;c'], { variants: ['a', 'b', 'c'] }],
  ['MultiSelect', ['"a;b"', '"a;b", c', 'c'], { variants: ['a;b', 'c'] }],
  ['MultiSelect', ['"a,b"; c', 'c; d', 'd; "a,b"'], { variants: ['a,b', 'c', 'd'] }],
  ['MultiSelect', [['a', 'b'], ['c']], { variants: ['a', 'b', 'c'] }],
  ['String', ['Doe, Jane', 'Roe, Rick', 'Poe, Ed']],
  ['String', ['007', '008', '009']],
  // The numbers of accounts and messages: one that would be rounded makes all of them texts.
  ['String', ['1', '2', '9007199254740993']],
  ['String', ['4.012.888.888.881.881.123', '5', '6']],
  ['Number', ['1', '2', '9007199254740992']],
  ['Number', ['1 234 567', '89', '12'], {}],
  ['Number', ['212 555 123', '212 555 124'], {}],
  ['Number', ['+1.5', '-0.3', '+1234567'], {}],
  // Phones, cards, feet and inches, addresses of machines.
  ['String', ['+49 30 1234567', '+49 40 7654321', '+44 20 79460958']],
  ['String', ['+49 301 234', '+49 401 765']],
  ['String', ['+49.301.234', '+49.401.765']],
  ['String', ['+493012345678', '+494012345678']],
  ['String', ['212 555 1234', '212 555 1235']],
  ['String', ['4111 1111 1111', '4222 2222 2222']],
  ['String', ["5'11", "6'2", "5'9"]],
  ['String', ['192.168.100.200', '172.168.100.201']],
  ['Number', ['1.100.200.250', '1.234.567.890', '12'], { format: '1.234,5' }],
  // Money and percentages, in one unit: what is taken off the number is said by the field.
  ['Number', ['$1,234.50', '$99.00', '($5.25)'], { hints: { unit: '$', unit_at: 'before', decimals: 2 } }],
  [
    'Number',
    ['1.234,50 €', '12,00 €', '3,99 €'],
    { format: '1.234,5', hints: { unit: '€', unit_at: 'behind', decimals: 2 } },
  ],
  ['Number', ['12 kr', '7 kr', '8.5 kr'], { hints: { unit: 'kr', unit_at: 'behind' } }],
  ['Number', ['12 %', '7%', '8.5 %'], { hints: { format: 'percent' } }],
  ['Number', ['8,5 %', '7 %'], { format: '1.234,5', hints: { format: 'percent' } }],
  // In several units, or with numbers of none among them, they are texts.
  ['String', ['$5.00', '€5.00', '£5.00']],
  ['String', ['$5', '5 $', '7 $']],
  ['String', ['$5.00', '6.00', '7.00'], { hints: { unit: '$', unit_at: 'before', decimals: 2 } }],
  ['String', ['$5', 'free', '$7'], { hints: { unit: '$', unit_at: 'before' } }],
  ['String', ['one', 'two', 'three']],
  ['String', []],
])('%s of %j', (type, cells, more = {}) => {
  const rows = cells.map((cell, i): Cell[] => [`n${i}`, cell])
  expect(columnsOf(tableOf('t', ['Name', 'c'], rows))['t.c']).toEqual({ type, to: { field: 'c' }, ...more })
})

test('numbers that can be read in two ways are written as those of other columns that show it', () => {
  const formats = (prices: string[], item_id?: string) => {
    const rows = prices.map((price, i): Cell[] => [
      item_id ?? null,
      `n${i}`,
      price,
      ['1.000', '2.500', '12'][i]!,
    ])
    const columns = columnsOf(tableOf('t', ['item_id', 'Name', 'Price', 'Amount'], rows))
    return [columns['t.Price']!.format, columns['t.Amount']!.format]
  }
  expect(formats(['1.234,50', '99', '0,5'])).toEqual(['1.234,5', '1.234,5'])
  expect(formats(['1,234.50', '99', '0.5'])).toEqual([undefined, undefined])
  expect(formats(['7', '8', '9'])).toEqual([undefined, undefined])
  // An export of ours has numbers as programs write them, and may have a text that looks otherwise.
  expect(formats(['0,5', '0,7', '1,5'], '01JJXZ5T7GQ3M8K4B9R2C6D0FK')).toEqual(['1.234,5', undefined])
})

test('headings of an export name the fields of its tag', () => {
  const fieldsIn = (headings: string[]) =>
    Object.values(columnsOf(tableOf('t', headings, []))).flatMap(({ to }) =>
      to !== null && typeof to === 'object' ? to.field : [],
    )
  const always = ['item_id', 'name', 'description']
  expect(fieldsIn([...always, 'v1.Task.n', 'v1.Task.due', 'v1.Task.owner->name', 'created_at'])).toEqual([
    'n',
    'due',
    'v1 Task owner name',
    'created_at',
  ])
  expect(fieldsIn([...always, 'n', 'Task.n'])).toEqual(['n', 'n 2'])
  expect(fieldsIn([...always, 'Task.n', 'Person.n'])).toEqual(['Task n', 'Person n'])
  expect(fieldsIn(['name', 'Task.n', '.n', 'Task.'])).toEqual(['Task n', 'n', 'Task'])
})

test('what an export says besides the fields goes nowhere, in a table of items alone', () => {
  const columns = ['item_id', 'name', 'tags', 'created_at', 'Task.by->name', 'Task.due']
  const cells = ['A', 'Task', '2026-01-31T09:30:00.000Z', 'Ada', '2026-02-01']
  const places = (id: string) =>
    Object.values(columnsOf(tableOf('items', columns, [[id, ...cells]]))).map(({ to }) => to)
  expect(places('01JJXZ5T7GQ3M8K4B9R2C6D0FK')).toEqual([
    'item_id',
    'name',
    null,
    null,
    null,
    { field: 'due' },
  ])
  expect(places('17').slice(2, 4)).toEqual([{ field: 'tags' }, { field: 'created_at' }])
})

test('names of another table, or of the table itself, make references', () => {
  const people = tableOf(
    'people',
    ['Name', 'boss'],
    [
      ['Ada', null],
      ['Bob', 'Ada'],
      ['Cleo', 'Ada'],
    ],
  )
  const teams = tableOf(
    'teams',
    ['title', 'lead', 'members'],
    [
      ['X', 'Ada', 'Bob, Cleo'],
      ['Y', 'Bob', 'Ada'],
    ],
  )
  expect(columnsOf(people, teams)).toEqual({
    'people.Name': { type: 'String', to: 'name' },
    'people.boss': { type: 'Reference', of: ['people'], to: { field: 'boss' } },
    'teams.title': { type: 'String', to: 'name' },
    'teams.lead': { type: 'Reference', of: ['people'], to: { field: 'lead' } },
    'teams.members': { type: 'MultiReference', of: ['people'], to: { field: 'members' } },
  })
})

test('the name is the column called name or title, else the first; fields have names of fields', () => {
  const columns = columnsOf(
    tableOf('a', ['x.y', 'Title'], [['1', 'A']]),
    tableOf('b', ['x', 'description'], [['1', 'A']]),
  )
  expect(Object.values(columns).map(({ to }) => to)).toEqual([
    { field: 'x y' },
    'name',
    'name',
    'description',
  ])
})
