import { expect, it } from 'vitest'
import { migrations } from '#src/storage/migrations/index.ts'

it('stand in the order of their names, in which a database has applied them', () => {
  const names = Object.keys(migrations)
  expect(names).toEqual(names.toSorted())
})
