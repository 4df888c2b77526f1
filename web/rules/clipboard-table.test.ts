import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tableFromText, tableToHtml, tableToText } from '#web/rules/clipboard-table.ts'

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
  expect(tableToHtml([['a & b', '<i>"x"</i>\ny']], ['1', '2'])).toBe(
    '<table><thead><tr><th>1</th><th>2</th></tr></thead><tbody><tr><td>a &amp; b</td><td>&lt;i&gt;&quot;x&quot;&lt;/i&gt;<br>y</td></tr></tbody></table>',
  ))
