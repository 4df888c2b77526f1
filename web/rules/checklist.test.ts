import { expect, it } from 'vitest'
import { checkSignOf, openSign, withBoxTurned, withoutCheckSign } from '#web/rules/checklist.ts'

it.each([
  ['☐ Nails', '☐', 'Nails'],
  [' \n[x] Tar', '[x]', 'Tar'],
  ['☑', '☑', ''],
  ['[ ]', '[ ]', ''],
  ['[a] Tar', undefined, '[a] Tar'],
  ['☐Nails', undefined, '☐Nails'],
])('%j is a line of a checklist by %j', (text, sign, rest) => {
  expect(checkSignOf(text)).toBe(sign)
  expect(withoutCheckSign(text)).toBe(rest)
})

it('a box is turned in its place, as it was written, and nothing else', () => {
  const html = '<ul class="x"><li>☐ Nails ☐</li><li>\n<p>[x] Tar</p></li><li>Rope</li></ul><p>☐ no line</p>'
  expect(withBoxTurned(html, 0, 2)).toBe(html.replace('☐ Nails', '☑ Nails'))
  expect(withBoxTurned(html, 1, 2)).toBe(html.replace('[x]', '[ ]'))
  // Something else is shown than what was counted here: nothing is written.
  expect(withBoxTurned(html, 0, 3)).toBeUndefined()
  expect([openSign('☑'), openSign('[X]'), openSign('☐')]).toEqual(['☐', '[ ]', '☐'])
})
