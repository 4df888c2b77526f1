import { describe, expect, it } from 'vitest'
import {
  cellValue,
  faultOfText,
  faultOfValue,
  outdatedFault,
  valueFromText,
  valueText,
  whyReadOnly,
} from '#web/rules/cell-value.ts'
import { cellText } from '#web/rules/cell-text.ts'
import { tableFromText, tableToText } from '#web/rules/clipboard-table.ts'
import { typedDate } from '#web/rules/typed-date.ts'
import { typedNumber } from '#web/rules/typed-number.ts'
import { columnsOf, type Column, tagsAskedFor } from '#web/rules/column.ts'

const TASK = {
  tag_id: 'T',
  name: 'Task',
  schema_version: 2,
  fields: {
    title: 'String',
    effort: 'Number',
    urgent: 'Boolean',
    due: 'Date',
    at: 'DateTime',
    status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
    labels: { type: 'MultiSelect', variants: ['home', 'work', 'a, b', 'c;d', 'say "hi"'] },
    people: 'MultiReference',
    assignee: 'Reference',
    scan: 'File',
  },
}
const columns = columnsOf([TASK])
const column = (label: string): Column => columns.find((each) => each.label === label)!
const row = (field_values: Record<string, unknown>, schema_version = 2) => ({
  item_id: 'I',
  name: 'Roof',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
  tags: { T: { tag_name: 'Task', schema_version, field_values } },
})

it('puts sub-fields after their Select', () => {
  const labels = columns.map(({ label }) => label)
  expect(labels).toEqual([
    'Name',
    'title',
    'effort',
    'urgent',
    'due',
    'at',
    'status',
    'finished_on',
    'labels',
    'people',
    'assignee',
    'scan',
    'Other tags',
    'Created',
    'Changed',
  ])
})

it.each([
  [{ has_tag: 'A' }, ['A']],
  [
    { and: [{ has_tag: 'A' }, { and: [{ has_tag: { id: 'B' } }] }, { has_tag: { name: { eq: 'C' } } }] },
    ['A', 'B', 'C'],
  ],
  [{ or: [{ has_tag: 'A' }, { 'A.x': 1 }] }, ['A']],
  [{ or: [{ has_tag: 'A' }, { has_tag: 'B' }] }, []],
  [{ 'A.x': { gte: 1 }, 'B.b.y->C.z': null }, ['A', 'B.b']],
  [{ and: [{ '<-A.x': {} }, { not: { 'B.y': 1 } }, { name: 'C' }, { search: 'D.d' }] }, []],
  [{ or: [] }, []],
  [{ has_tag: null }, []],
  [null, []],
])('finds the tags that %j asks for', (filter, tags) => {
  expect(tagsAskedFor(filter)).toEqual(tags)
})

it.each([
  ['Name', undefined],
  ['due', undefined],
  ['Changed', /keeps/],
  ['finished_on', /Only where status is done/],
])('says whether %s can be edited', (label, why) => {
  const found = whyReadOnly(column(label), row({ status: { variant: 'open' } }))
  if (why) expect(found).toMatch(why)
  else expect(found).toBeUndefined()
})

it('says that an item does not have the tag', () => {
  expect(whyReadOnly(column('due'), { ...row({}), tags: {} })).toBe('This item does not have the tag Task')
})

describe('text', () => {
  it.each<[string, string, unknown]>([
    ['title', ' two  words ', ' two  words '],
    ['effort', '1,5', 1.5],
    ['effort', 'many', 'many'],
    ['urgent', 'Yes', true],
    ['urgent', 'no', false],
    ['due', '2026-03-01', '2026-03-01'],
    ['due', '12/03/2027', '12/03/2027'],
    ['at', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['at', '3/4/2027', '3/4/2027'],
    ['urgent', 'WAHR', true],
    ['urgent', 'nein', false],
    ['urgent', '–', false],
    ['status', 'done', { variant: 'done' }],
    ['labels', 'home, work', ['home', 'work']],
    ['labels', 'home;work,', ['home', 'work']],
    ['labels', 'a, b', ['a, b']],
    ['labels', '"a, b"; home', ['a, b', 'home']],
    ['people', 'Ada; "Doe, Jane"', ['Ada', 'Doe, Jane']],
    ['due', '  ', null],
  ])('of %s: %s', (label, text, value) => {
    expect(valueFromText(column(label), text)).toEqual(value)
  })

  it.each<[string, string, unknown]>([
    ['due', '12/03/2027', '2027-03-12'],
    ['due', 'soon', 'soon'],
    ['at', '12/03/2027 14:30', '2027-03-12T14:30:00.000Z'],
  ])('of %s as a person writes it: %s', (label, text, value) => {
    const reader = { locale: 'en-GB', timeZone: 'UTC', now: 0 }
    expect(valueFromText(column(label), text, reader)).toBe(value)
  })

  it.each<[string, unknown, string]>([
    ['status', { variant: 'done' }, 'done'],
    ['labels', ['home', 'work'], 'home, work'],
    ['assignee', 'X', 'name of X'],
    ['urgent', false, 'no'],
    ['effort', 1.5, '1.5'],
    ['due', null, ''],
  ])('shows %s as text', (label, value, text) => {
    expect(valueText(column(label), value, (id) => `name of ${id}`)).toBe(text)
  })

  it.each<[string, string[]]>([
    ['labels', ['a, b']],
    ['labels', ['a, b', 'home', 'c;d', 'say "hi"']],
    ['people', ['Doe, Jane', 'Ada', ' "X" ', 'two\nlines', '5" pipe']],
  ])('of %s is copied and pasted as %j', (label, value) => {
    const text = valueText(column(label), value, (id) => id)
    const [[pasted]] = tableFromText(tableToText([[text, 'x']])) as [[string]]
    expect(valueFromText(column(label), pasted)).toEqual(value)
    // Where it is read alone nothing is in quotes that is not.
    expect(cellText(column(label), value, (id) => id)).toBe(value.join(', '))
  })
})

it.each([
  ['effort', 'many'],
  ['due', '2026-02-30'],
  ['status', { variant: 'nothing' }],
  ['labels', ['nothing']],
  ['Name', ' '],
])('refuses a wrong %s before it is sent', (label, value) => {
  expect(faultOfValue(column(label), value)).toBeTypeOf('string')
})

it.each([
  ['due', '32.1.2027', 'There is no such day in the calendar'],
  ['due', 'soon', /^Not a date\. Write it as 2027-03-12/],
  ['at', '1.2.2027 25:00', /./],
  ['due', '12/03/2027', 'It may be several: type it into the cell, which asks for the one'],
  ['effort', 'much', 'much is no number such as 1234,5'],
  ['effort', '112233445566778899', /more digits than a number keeps/],
])('says of a pasted %s %s what is said of a typed one', (label, text, fault) => {
  const reader = { locale: 'sv-SE', timeZone: 'UTC', now: 0 }
  const typed =
    label === 'effort'
      ? typedNumber(text, 'sv-SE')
      : typedDate(label === 'due' ? 'Date' : 'DateTime', text, reader)
  if (typed.is === 'fault') expect(faultOfText(column(label), text, reader)).toBe(typed.message)
  expect(faultOfText(column(label), text, reader)).toMatch(fault)
})

it('says of a pasted truth and file what they are, not what programs send', () => {
  const reader = { locale: 'en-GB', timeZone: 'UTC', now: 0 }
  expect(faultOfText(column('urgent'), 'maybe', reader)).toBe('maybe is neither yes nor no')
  expect(faultOfText(column('scan'), 'scan.png', reader)).toMatch(/^A file is no text/)
})

it('takes a pasted date as it takes a typed one', () => {
  const reader = { locale: 'en-GB', timeZone: 'UTC', now: 0 }
  expect(faultOfText(column('due'), '31.1.2027', reader)).toBeUndefined()
  expect(faultOfText(column('Name'), ' ', reader)).toBe('An item needs a name')
})

it.each([
  ['effort', 2],
  ['status', { variant: 'open' }],
  ['due', null],
  ['Name', 'x'],
])('takes a right %s', (label, value) => {
  expect(faultOfValue(column(label), value)).toBeUndefined()
})

it('reports values that no longer fit', () => {
  const old = row({ effort: 'three', due: '2026-01-01' }, 1)
  expect(outdatedFault(column('effort'), old)).toBeTypeOf('string')
  expect(outdatedFault(column('due'), old)).toBeUndefined()
  expect(cellValue(column('effort'), old)).toBe('three')
})
