import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** What a browser draws in its own way, and reads keys by its own rules; beside it what takes its place. */
const NATIVE: readonly (readonly [RegExp, string])[] = [
  [/<(?:select|option|optgroup|datalist)\b/, 'parts/listbox.tsx'],
  [/type=(?:"|\{?')(?:date|datetime-local|time|month|week)\b/, 'parts/date-input.tsx'],
  [/type=(?:"|\{?')file\b/, 'parts/file-field.tsx'],
  [/\b(?:alert|confirm|prompt)\(['"`]/, 'parts/dialog.tsx'],
]

const sources = globSync('**/*.tsx', { cwd: import.meta.dirname })

it('no control is drawn by the browser', () => {
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((path) => {
    const text = readFileSync(join(import.meta.dirname, path), 'utf8')
    return NATIVE.filter(([pattern, own]) => pattern.test(text) && path !== own).map(
      ([, own]) => `${path}: use ${own}`,
    )
  })
  expect(found).toEqual([])
})
