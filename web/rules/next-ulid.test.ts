import { expect, it } from 'vitest'
import { nextUlid } from '#web/rules/next-ulid.ts'

it.each([
  ['01JJXZ5T7GQ3M8K4B9R2C6D0EF', '01JJXZ5T7GQ3M8K4B9R2C6D0EG'],
  ['01JJXZ5T7GQ3M8K4B9R2C6D0HZ', '01JJXZ5T7GQ3M8K4B9R2C6D0J0'],
  ['01JJXZ5T7GQ3M8K4B9R2C6DZZZ', '01JJXZ5T7GQ3M8K4B9R2C6E000'],
])('%s is followed by %s', (id, next) => {
  expect(nextUlid(id)).toBe(next)
})
