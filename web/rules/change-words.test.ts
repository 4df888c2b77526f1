import { expect, it } from 'vitest'
import { doerWords, linesOf, valueWords, withoutMarkup, wordChanges } from '#web/rules/change-words.ts'

const by = (source: string, kind: string | null, name: string | null = null) => ({
  user_id: 'a',
  user_name: 'Ada',
  source,
  client: kind === null ? null : { kind, id: 'x', name },
})

it.each([
  [by('rest', 'session'), 'a', 'you'],
  [by('rest', 'session'), 'b', 'Ada'],
  [by('mcp', 'app', 'Claude Code'), 'b', 'Claude Code for Ada'],
  [by('chat', 'session'), 'a', 'the assistant for you'],
  [by('rest', 'cli'), 'a', 'an operator, by command line'],
  [by('mcp', null), 'b', 'an agent for Ada'],
])('says who it was: %o', (doer, me, words) => {
  expect(doerWords(doer, me)).toBe(words)
})

it('tells values of all types', () => {
  const texts = (value: unknown) => valueWords(value).map(({ text }) => text)
  expect(texts({ variant: 'open' })).toEqual(['open'])
  expect(texts(['a', 'b'])).toEqual(['a', 'b'])
  expect(texts(0.000125)).toEqual(['0.000125'])
  expect(texts(null)).toEqual([])
  expect(texts(false)).toEqual(['no'])
  expect(valueWords('01JJXZ5T7GQ3M8K4B9R2C6D0EF')[0]).toHaveProperty('item_id')
})

it('compares texts by word', () => {
  expect(wordChanges('water the old plants', 'water all plants now')).toEqual([
    { text: 'water', kind: 'same' },
    { text: ' the old', kind: 'gone' },
    { text: ' all', kind: 'new' },
    { text: ' plants', kind: 'same' },
    { text: ' now', kind: 'new' },
  ])
})

it('reads a description as text, by its lines', () => {
  const html =
    '<h2>Roof</h2>\n<p>Tar &amp; <b>nails</b>,<br>if a &lt; b</p><ul><li>☐ Rope</li><li>x < y</li></ul>'
  expect(linesOf(html)).toBe('Roof\nTar & nails,\nif a < b\n☐ Rope\nx < y')
  expect(withoutMarkup(html)).toBe('Roof Tar & nails, if a < b ☐ Rope x < y')
})
