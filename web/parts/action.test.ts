import { expect, it, vi } from 'vitest'
import { keyNames } from '#web/parts/action.ts'

it.each([
  ['g h', ['G', 'H']],
  ['mod+shift+f', ['Ctrl', 'Shift', 'F']],
  [' ', ['Space']],
  ['shift+ ', ['Shift', 'Space']],
  ['?', ['?']],
])('names the keys of %j', (keys, names) => {
  vi.stubGlobal('navigator', { userAgent: 'X11' })
  expect(keyNames(keys)).toEqual(names)
  vi.unstubAllGlobals()
})
