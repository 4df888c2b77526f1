import { expect, it } from 'vitest'
import { roleOf } from '#src/auth/role-map.ts'

const MAP = { admins: 'owner', staff: 'editor', '7': 'editor' } as const

it.each([
  [['staff', 'admins'], 'owner'],
  ['staff', 'editor'],
  [7, 'editor'],
  [['guests', { staff: true }, null], null],
  [undefined, null],
  [{ staff: 1 }, null],
  ['constructor', null],
  [['Admins'], null],
] as const)('%j is %s', (claim, role) => expect(roleOf(claim, MAP)).toBe(role))

it('takes the highest, also of what fits anybody', () => {
  expect(roleOf(undefined, { ...MAP, '*': 'reader' })).toBe('reader')
  expect(roleOf('staff', { ...MAP, '*': 'reader' })).toBe('editor')
  expect(roleOf('lower', { lower: 'reader', '*': 'editor' })).toBe('editor')
})
