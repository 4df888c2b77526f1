import { expect, it } from 'vitest'
import { bothDescriptions } from '#web/rules/description-text.ts'

it.each([
  ['Tar', 'Nails', 'Tar\n\nNails'],
  ['', 'Nails', 'Nails'],
  ['<p>Tar</p>', 'a < b\nand c\n\nNails', '<p>Tar</p>\n<hr>\n<p>a &lt; b<br>and c</p>\n<p>Nails</p>'],
])('%j and then %j', (first, second, both) => {
  expect(bothDescriptions(first, second)).toBe(both)
})
