import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueFromText } from '#web/rules/cell-value.ts'
import { tableFromText, tableToHtml, tableToText, toldCell } from '#web/rules/clipboard-table.ts'
import { type Column, columnsOf } from '#web/rules/column.ts'

it.each<[string, string[][]]>([
  ['a', [['a']]],
  [
    'a\tb\nc\td\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['"a\tb"\t"c ""d"""', [['a\tb', 'c "d"']]],
  ['a "b" c', [['a "b" c']]],
  ['"two\r\nlines"\r\nx', [['two\nlines'], ['x']]],
  ['"Hello" she said', [['"Hello" she said']]],
  ['"Hello" she said\t"b"', [['"Hello" she said', 'b']]],
  [
    '"12 inch\tb\nnext\tc',
    [
      ['"12 inch', 'b'],
      ['next', 'c'],
    ],
  ],
  ['"""', [['"""']]],
  ['\t', [['', '']]],
  ['', [['']]],
])('reads %j', (text, rows) => expect(tableFromText(text)).toEqual(rows))

it('reads back what it wrote', () => {
  const cell = fc.string().map((text) => text.replaceAll('\r', ''))
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
    )
    .filter((rows) => rows.at(-1)!.some(Boolean)) // an empty line at the end is no row
  fc.assert(
    fc.property(table, (rows) => {
      expect(tableFromText(tableToText(rows))).toEqual(rows)
    }),
  )
})

it('is a table of HTML too, in which nothing that was typed is markup', () =>
  expect(tableToHtml([['a & b', '<i>"x"</i>\ny'].map((text) => ({ text, value: text }))], ['1', '2'])).toBe(
    '<table xmlns:x="urn:schemas-microsoft-com:office:excel"><thead><tr><th>1</th><th>2</th></tr></thead><tbody><tr><td>a &amp; b</td><td>&lt;i&gt;&quot;x&quot;&lt;/i&gt;<br>y</td></tr></tbody></table>',
  ))

describe('numbers', () => {
  const [, column] = columnsOf([
    { tag_id: 'T', name: 'T', schema_version: 1, fields: { share: { type: 'Number', format: 'percent' } } },
  ]) as [Column, Column]
  const values = [1.5, 1234.5, -0.07, 1e21, 1e-7]

  it.each(['de-DE', 'en-GB', 'de-CH', 'fr-FR'])('are copied by the signs of %s, and come back', (locale) => {
    const cells = values.map((value) => toldCell(column, value, String, locale))
    const pasted = tableFromText(tableToText([cells.map(({ text }) => text)]))[0]!
    const reader = { locale, timeZone: 'UTC', now: 0 }
    expect(pasted.map((text) => valueFromText(column, text, reader))).toEqual(values)
  })

  it('go to sheets as what they are, whatever language these are in', () => {
    const html = tableToHtml([[toldCell(column, 1.5, String, 'de-DE')]])
    expect(html).toContain(
      '<td x:num="1.5" data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:1.5}" sdval="1.5">1,5</td>',
    )
  })
})
