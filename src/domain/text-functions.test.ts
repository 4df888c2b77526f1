import { describe, expect, it } from 'vitest'
import { checkTagName } from '#src/domain/names.ts'
import * as decompose from '#src/domain/decompose.ts'
import * as fold from '#src/domain/fold.ts'
import * as nearest from '#src/domain/nearest.ts'
import * as readableText from '#src/domain/readable-text.ts'
import * as searchText from '#src/domain/search-text.ts'
import { foldForKey } from '#src/storage/aggregate/group-key.ts'
import { placed } from '#web/rules/import-mapping.ts'
import { computed } from '#test/support/computed.ts'

// Nothing that is done to a text may take longer than its length: no call of these can be interrupted.

/** Modules all of whose functions take a text; one that is added fails until it is in the table below. */
const MODULES = { ...decompose, ...fold, ...nearest, ...readableText, ...searchText }

const FUNCTIONS: Record<string, (text: string) => unknown> = {
  composed: decompose.composed,
  foldInSlices: (text) => decompose.foldInSlices(text, (slice) => slice),
  fold: fold.fold,
  nearest: (text) => nearest.nearest(text, ['priority', text.slice(1)]),
  readableText: readableText.readableText,
  joinBlanks: readableText.joinBlanks,
  foldForSearch: searchText.foldForSearch,
  foldDescription: searchText.foldDescription,
  longestWord: searchText.longestWord,
  foldForKey,
  checkTagName,
  placed: (text) =>
    placed(
      { name: '', rows: 1, columns: [{ name: text, type: 'String', samples: [], to: { field: text } }] },
      null,
      true,
    ),
}

/** What a text is filled with. */
const EVIL = [
  '\u0301\u0323',
  '\uff9e\u0301',
  '\u0344',
  '\u05b4\u00ad\u05b0',
  '\ufdfa',
  '\ud800',
  '\udc00',
  '\u1100\u1161\u11a8',
  '가',
  '🇦',
  '👩\u200d',
  '<',
  '<a ',
  '<a "',
  '<!--',
  '<script>',
  '</',
  '&',
  '&#65018;',
  '&amp;',
  '(',
  '\\',
  ' ',
  '\u00a0\n',
  '\0',
  'İ',
  'Σ',
  'a',
]

/** Code units: as many as a description has. */
const LENGTH = 1_048_576
/** Milliseconds. What takes the square of the length takes minutes. */
const LONG = 2000

describe('the functions over texts', () => {
  it('are all in the table', () => {
    const functions = Object.entries(MODULES).filter(([, each]) => typeof each === 'function')
    expect(functions.map(([name]) => name).filter((name) => !(name in FUNCTIONS))).toEqual([])
  })

  for (const [name, run] of Object.entries(FUNCTIONS))
    it(`take no more than the length of the text: ${name}`, () => {
      for (const part of EVIL) {
        const text = `a${part.repeat(LENGTH / part.length)}`
        const start = computed()
        run(text)
        expect(computed() - start, JSON.stringify(part)).toBeLessThan(LONG)
      }
    })
})
