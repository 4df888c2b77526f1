import { expect, test } from 'vitest'
import { readNote } from '#src/imports/markdown/note-text.ts'

test.each([
  ['lines', 'a\n'.repeat(60_000), 50_001],
  ['emphasis', `first\n${'*a **b '.repeat(40_000)}`, 2],
  ['cells of a table', `\n\n${'|a'.repeat(60_000)}`, 3],
  ['brackets', '![['.repeat(30_000), 1],
  ['tags', '#t '.repeat(60_000), 1],
])('a note with more %s than its memory is worth is a fault with its line', (_, text, line) => {
  const message = 'the note has more than 50000 lines, links and other marks of Markdown'
  expect(readNote(text).fault).toEqual({ message, line })
})

test('a long note of the usual kind is read', () => {
  const text = 'A line of *words*, [[links]] and so on, as people write them day by day.\n'.repeat(5000)
  expect(readNote(text).fault).toBeUndefined()
})

test.each([
  [
    'an alias of itself',
    'x: &a [*a]',
    'front matter has an alias that leads to itself, or too many levels',
    1,
  ],
  ['lists in lists', `x: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'front matter has too many levels', 2],
])('front matter with %s is a fault in words of its own', (_, yaml, message, line) => {
  expect(readNote(`---\n${yaml}\n---\n`).fault).toEqual({ message, line })
})

test('a whole number that would be rounded stays a text', () => {
  const { front } = readNote('---\nid: 9007199254740993\nbig: -9007199254740992\nn: 12\nx: 1.5\n---\n')
  expect(front).toEqual({ id: '9007199254740993', big: -9_007_199_254_740_992, n: 12, x: 1.5 })
})

test('a code stays the text that it is, a number is one', () => {
  const { front } = readNote(
    '---\nzip: 01234\nphones: [+49301234567, 030]\nn: 0\nx: 0.5\nh: 0x1F\nminus: -12\n00: key\n---\n',
  )
  expect(front).toEqual({
    zip: '01234',
    phones: ['+49301234567', '030'],
    n: 0,
    x: 0.5,
    h: 31,
    minus: -12,
    '00': 'key',
  })
})

test('what is no finite number stays the text that it is', () => {
  const { front } = readNote('---\na: .inf\nb: 1e400\nc: [-.INF, .nan]\nd: 1e3\n---\n')
  expect(front).toEqual({ a: '.inf', b: '1e400', c: ['-.INF', '.nan'], d: 1000 })
})

test.each([
  ['---\n---\nafter', {}, 'after'],
  ['---\r\n---\r\nafter\r\n---\r\n', {}, 'after\r\n---\r\n'],
  ['\uFEFF---\n\n# a comment\n---\nafter', {}, 'after'],
  ['---\na: 1\r\n---', { a: 1 }, ''],
  ['---\nAn important paragraph\n---\nrest', {}, '---\nAn important paragraph\n---\nrest'],
  ['\uFEFF---\n- a\n- b\n---\nrest', {}, '---\n- a\n- b\n---\nrest'],
  ['---\nnull\n---\nrest', {}, '---\nnull\n---\nrest'],
  ['---\n----\nrest', {}, '---\n----\nrest'],
  ['----\n---\nrest', {}, '----\n---\nrest'],
])('what is no mapping between rules is text: %j', (text, front, body) => {
  expect(readNote(text)).toEqual({ front, body })
})

test.each([
  ['---\ntitle: a\nstatus: open\nstatus: done\n---\n', 'status', 4],
  ['---\n"title": a\ntitle: a\n---\n', 'title', 3],
  ['---\nby:\n  name: Ada\n  born: 1815\n  name: Bob\n---\n', 'name', 5],
  [`---\n${Array.from({ length: 20_000 }, (_, i) => `k${i}: 1\n`).join('')}k7: 2\n---\n`, 'k7', 20_002],
])('front matter that has a key twice is a fault with the line of the second: %#', (text, key, line) => {
  expect(readNote(text).fault).toEqual({ message: `front matter has '${key}' twice`, line })
})

test('one key in several mappings of front matter is no fault', () => {
  const { front, fault } = readNote('---\nname: a\nby: { name: b }\nto:\n  - name: c\n  - name: d\n---\n')
  expect([front, fault]).toEqual([
    { name: 'a', by: { name: 'b' }, to: [{ name: 'c' }, { name: 'd' }] },
    undefined,
  ])
})

test.each([
  ['!!set {a, 007, [b, c]}', ['a', '007', ['b', 'c']]],
  ['&s !!set\n  ? a\n  ? 1\nsame: *s', ['a', 1]],
  ['!!set {a: 1}', { a: 1 }],
  ['!!binary |\n  R0lG\n  ODlh', 'R0lG\nODlh\n'],
  ['!!omap [a: 1, b: 2]', [{ a: 1 }, { b: 2 }]],
  ['!!pairs [a: 1, a: 2]', [{ a: 1 }, { a: 2 }]],
  ['!!timestamp 2001-12-14', '2001-12-14'],
  ['!custom {a: 1}', { a: 1 }],
])('a value with a type of YAML is kept as it is written: %j', (yaml, value) => {
  expect(readNote(`---\nv: ${yaml}\n---\n`).front['v']).toEqual(value)
})

test('a placeholder of a template stays as it is written', () => {
  const { front } = readNote('---\ndate: {{date}}\nat: [ {{ time }}, {a: 1} ]\n---\n')
  expect(front).toEqual({ date: '{{date}}', at: ['{{ time }}', { a: 1 }] })
})
