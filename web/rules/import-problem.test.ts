import { expect, test } from 'vitest'
import { problemWords } from '#web/rules/import-problem.ts'

const people = { name: 'People', columns: { Born: {}, 'v. net': {}, v: {} } }
const teams = { name: 'Teams', columns: { Lead: {} } }

test.each([
  ['tables[0].columns.Born.type', 'the column “Born”'],
  ['tables[0].columns.v. net', 'the column “v. net”'],
  ['tables[0].columns.v.of', 'the column “v”'],
  ['tables[0].columns.born_on.variants[3]', 'the field “born_on”'],
  ['tables[0].tag.new.fields.Born.type', 'the column “Born”'],
  ['tables[0].tag.new.name', 'the name of the new tag'],
  ['tables[0].key', '“Where an item is there already”'],
  ['tables[0].columns', ''],
  ['tables', ''],
  ['', ''],
])('of a fault at %s people read %j', (path, place) => {
  const message = 'is amiss'
  expect(problemWords({ path, message }, { tables: [people] })).toBe(place ? `${place}: is amiss` : message)
  const isOne = path.startsWith('tables[')
  const places = [isOne ? '“People”' : '', place].filter(Boolean).join(', ')
  expect(problemWords({ path, message }, { tables: [people, teams] })).toBe(
    places ? `${places}: is amiss` : message,
  )
})
