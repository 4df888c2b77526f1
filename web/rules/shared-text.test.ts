import { expect, it } from 'vitest'
import { describeShared, nameOfShared, readShared } from '#web/rules/shared-text.ts'

it.each<[Record<string, string>, string, string | undefined]>([
  [
    { title: 'A page', url: 'https://a.example/?a=1&b=2' },
    'A page',
    '<p><a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a></p>',
  ],
  [
    { title: 'A page', text: 'Look https://a.example/x' },
    'A page',
    '<p>Look</p>\n<p><a href="https://a.example/x">https://a.example/x</a></p>',
  ],
  [
    { text: 'https://a.example/x' },
    'https://a.example/x',
    '<p><a href="https://a.example/x">https://a.example/x</a></p>',
  ],
  [{ text: 'One line' }, 'One line', undefined],
  [
    { text: 'First\nsecond\n\n<b>third</b>' },
    'First',
    '<p>First<br>second</p>\n<p>&lt;b&gt;third&lt;/b&gt;</p>',
  ],
  [{ title: 'x', url: 'javascript:alert(1)' }, 'x', '<p>javascript:alert(1)</p>'],
  [{}, '', undefined],
])('%j becomes %j', (given, name, description) => {
  const shared = readShared(new URLSearchParams(given).toString())
  expect(nameOfShared(shared)).toBe(name)
  expect(describeShared(shared)).toBe(description)
})
