import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonReader } from '#src/imports/json-text/json-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-json-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function records(text: string, name = 'list.json') {
  const path = join(folder, 'file')
  writeFileSync(path, text)
  const found = []
  const file = { path, name, size: text.length }
  for await (const list of jsonReader.read(file, { signal: new AbortController().signal }))
    found.push(...list)
  return found
}

async function read(text: string, name?: string) {
  const found = await records(text, name)
  return found.flatMap((each) =>
    each.is === 'row' ? [[each.line, each.fault?.message ?? Object.fromEntries(each.cells)]] : [],
  )
}

const OWN = '{"item_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","name":"Oak","description":null,"tags":{'
const TAGGED = (values: string) =>
  `${OWN}"01ARZ3NDEKTSV4RRFFQ69G5FAW":{"tag_name":"Tree","field_values":${values}}}}`

test('items of ours are rows of their tags, with their values as they are', async () => {
  expect(await read(`${TAGGED('{"name":[],"kind":{"variant":"a"},"none":null}')}\n${OWN}}}\n`)).toEqual([
    [
      1,
      {
        item_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
        name: 'Oak',
        'name of the tag': { stored: [] },
        kind: { stored: { variant: 'a' } },
      },
    ],
    [2, { item_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Oak' }],
  ])
})

test.each([
  ['{"item_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","name":"Oak"}', /an item/],
  ['{"item_id":"../../etc","name":"Oak","tags":{}}', /an item/],
  [TAGGED('[]'), /an item/],
  [TAGGED('{"a":"\\u0000"}'), /U\+0000/],
  [TAGGED('{"a":["\\u0000"]}'), /U\+0000/],
  [TAGGED('{"a":"\\ud800"}'), /surrogate/],
  ['"text"', /an object/],
])('%s behind an item of ours is a fault of its own', async (line, message) => {
  expect(await read(`${OWN}}}\n${line}\n`)).toEqual([
    [1, { item_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Oak' }],
    [2, expect.stringMatching(message)],
  ])
})

test.each([
  ['a list', '[{"a": "x, \\"y\\" ] }"}, {"a": 1.5, "b": true}]'],
  ['lines', '{"a": "x, \\"y\\" ] }"}\n\n{"a": 1.5, "b": true}\n'],
])('%s of objects', async (_, text) => {
  expect(await read(text)).toEqual([
    [1, { a: 'x, "y" ] }' }],
    [2, { a: 1.5, b: true }],
  ])
})

test('objects in objects are columns, lists are lists, what is null is nothing', async () => {
  expect(
    await read('[{"a": {"b": {"c": 1}}, "l": ["x", 2], "n": null, "o": [{"p": 1}], "__proto__x": "y"}]'),
  ).toEqual([[1, { 'a.b.c': 1, l: ['x', '2'], o: '[{"p":1}]', __proto__x: 'y' }]])
})

test('a feature of GeoJSON has its properties as columns, and a point as numbers', async () => {
  const features = [
    { type: 'Feature', properties: { pop: 3, name: 'Berlin', at: { zone: 1 } }, geometry: point(13.4, 52.5) },
    { type: 'Feature', id: 'x', properties: { id: 7, latitude: 'north' }, geometry: point(2, 48, 35) },
    { type: 'Feature', properties: null, geometry: { type: 'LineString', coordinates: [[0, 1]] } },
    { type: 'Feature', properties: { name: 'Nowhere' }, geometry: null },
  ]
  const rows = [
    [1, { pop: 3, name: 'Berlin', 'at.zone': 1, longitude: 13.4, latitude: 52.5 }],
    [2, { id: 7, 'latitude 2': 'north', 'id 2': 'x', longitude: 2, latitude: 48, altitude: 35 }],
    [3, { geometry: '{"type":"LineString","coordinates":[[0,1]]}' }],
    [4, { name: 'Nowhere' }],
  ]
  expect(await read(JSON.stringify({ type: 'FeatureCollection', features }))).toEqual(rows)
  expect(await read(features.map((each) => JSON.stringify(each)).join('\n'), 'map.jsonl')).toEqual(rows)
  // Others may call something so.
  const other = { type: 'Feature', name: 'Dark mode', properties: [1] }
  expect(await read(JSON.stringify([other]))).toEqual([[1, { ...other, properties: ['1'] }]])
})
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates })

test('a name with a dot is another column than what an object has', async () => {
  expect(await read('[{"a.b": 1, "a": {"b": 2}}, {"a": {"b": 3}}]')).toEqual([
    [1, { 'a.b': 1, 'a.b 2': 2 }],
    [2, { 'a.b 2': 3 }],
  ])
})

const ADA = [1, { name: 'Ada' }]
const BOB = [2, { name: 'Bob' }]

test.each<[text: string, others: string]>([
  ['{"count": 2, "data": [{"name": "Ada"}, {"name": "Bob"}], "next": null}', '; left out: count, next.'],
  [
    '{"l": ["x"], "none": [], "a": {"b": [1]}, "data": [{"name":"Ada"},{"name":"Bob"}]}\n',
    '; left out: l, none, a.',
  ],
  ['{"title": "All ] } of \\"it", "data": [{"name":"Ada"},{"name":"Bob"}]}', '; left out: title.'],
  ['{"data": {"users": {"nodes": [{"name":"Ada"},{"name":"Bob"}], "size": 2}}, "v": 1}', '; left out: v.'],
])('the only list of objects in an object has the rows: %s', async (text, others) => {
  expect(await read(text)).toEqual([ADA, BOB])
  const [left_out, table] = await records(text)
  expect(left_out).toMatchObject({ is: 'left_out', reason: expect.stringContaining(`are the rows${others}`) })
  expect(table).toMatchObject({ is: 'table', table: 'list' })
  expect(await read(text, 'list.jsonl')).toHaveLength(1)
})

test('each of several lists of objects is a table', async () => {
  const text =
    '{"name":"Board","lists":[{"name":"Ada"}],"prefs":{"l":[{"a":1}]},"cards":[{"name":"Ada"},{"name":"Bob"}]}'
  const found = await records(text)
  expect(found.flatMap((each) => (each.is === 'row' ? [[each.table, each.line]] : []))).toEqual([
    ['lists', 1],
    ['cards', 1],
    ['cards', 2],
  ])
})

test.each([
  '{"name":"Ada","address":{"phones":[{"kind":"home"}]}}',
  '{"a":{"l":[{"x":1}]},"b":{"l":[{"x":1}]}}',
  '{"n":1,"data":[]}',
  '{"n":1,"l":[1,2]}',
  '{"l":[{"a":1}]}\n{"l":[{"a":2}]}',
  '[{"l":[{"a":1}]}]',
  `${OWN}"01ARZ3NDEKTSV4RRFFQ69G5FAW":{"tag_name":"Tree","field_values":{"p":[{"file_id":"x"}]}}}}`,
])('an object whose lists are its own is an item: %s', async (text) => {
  expect((await records(text)).map(({ is }) => is)).not.toContain('left_out')
})

test('a list in an object is found wherever the pieces of the file part it', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({ name: `Ä😀 ${i} ] }"\\` }))
  const text = JSON.stringify({ about: '😀'.repeat(40_000), data: rows, next: '😀' })
  expect(await read(text)).toEqual(rows.map((row, i) => [i + 1, row]))
})

test.each([
  ['{"count": , "data": [{"a": 1}]}', 'line 1: this is no JSON'],
  ['{"count": 1, "data": [{"a": 1}, {"b": x}]}', 'line 2: this is no JSON'],
  ['{"count": 1, "data": [{"a": 1} {"b": 1}]}', 'line 2: a comma is missing'],
  ['{"count": 1, "data": [{"a": 1}', 'line 1: the file ends before it does'],
])('%s is no JSON in an object either', async (text, message) => {
  await expect(read(text)).rejects.toThrow(`list.json, ${message}`)
})

test.each([
  ['{"a": 12345678901234567890}', /12345678901234567890|rounded|exact/],
  ['{"a": 1e999, "b": 12345678901234567890}', /^a: .* a number, and b: .* a string$/],
  ['[5]', /^expected an object$/],
  ['42', /a list of objects/],
  ['42\n', /a list of objects/],
  ['"whole"', /a list of objects/],
  ['{"a": 1, "a": 2}', /twice|more than once|again/],
  ['{"a": "\\u0000"}', /U\+0000|NUL/],
])('the row of %s is a fault', async (text, message) => {
  const [[line, fault]] = (await read(text)) as [[number, string]]
  expect(line).toBe(1)
  expect(fault).toMatch(message)
})

test.each([
  ['[{"a": 1}, {"a": 2', 'line 2: the file ends before it does'],
  ['"cut', 'line 1: the file ends before it does'],
  ['{"a": 1}\ntru', 'line 2: this is no JSON'],
  ['[{"a": 1} {"a": 2}]', 'line 2: a comma is missing before it'],
  ['[{"a": 1}]{}', 'line 2: there is more behind the end of the list'],
  ['[{"a": 1},]', 'line 2: nothing stands behind the last comma'],
  ['[,{"a": 1}]', 'line 1: nothing stands before a comma'],
  ['[{"a": 1},,{"a": 2}]', 'line 2: nothing stands before a comma'],
  ['{"a": x}', 'line 1: this is no JSON'],
  [`{"a": ${'['.repeat(100)}`, 'line 1: it is more than 64 levels deep'],
  [`{"a": "${'x'.repeat(50e6)}"}`, 'line 1: it is longer than 8 MiB'],
])('%.20j ends with the place', async (text, message) => {
  await expect(read(text)).rejects.toThrow(`list.json, ${message}`)
})
