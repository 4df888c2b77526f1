import { expect, test } from 'vitest'
import {
  draftsOf,
  firstDraft,
  formatsFor,
  keysOf,
  type LookedTable,
  mappingOf,
  withPlace,
} from '#web/rules/import-mapping.ts'

const DEAL = {
  tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TA',
  name: 'Deal',
  fields: { Stage: { type: 'Select', variants: ['won', 'lost'] }, due_date: 'Date', amount: 'Number' },
  schema_version: 1,
}
const column = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  samples: [],
  to: { field: name.replaceAll('.', ' ') },
  ...more,
})
const TABLE: LookedTable = {
  name: 'Deals',
  rows: 3,
  columns: [
    column('item_id', 'String', { to: 'item_id' }),
    column('Title', 'String', { to: 'name' }),
    column('stage', 'Select'),
    column('Due Date', 'Date', { format: 'DMY', samples: ['1/2/2026'] }),
    column('v. net', 'Number', { samples: ['1,5'] }),
    column('Company', 'Reference', { of: ['Company'] }),
  ],
}

test('columns go to the fields that are called alike, else to new ones', () => {
  const drafts = { Deals: firstDraft(TABLE, [DEAL], DEAL) }
  expect(mappingOf([TABLE], drafts)).toEqual({
    tables: [
      {
        name: 'Deals',
        tag: { id: DEAL.tag_id },
        columns: {
          item_id: null,
          Title: 'name',
          stage: { field: 'Stage' },
          'Due Date': { field: 'due_date', format: 'DMY' },
          'v. net': { field: 'v  net' },
          Company: { field: 'Company', of: ['Company'] },
        },
      },
    ],
  })
  expect(firstDraft(TABLE, [DEAL], null).tag).toEqual({ new: 'Deals' })
  expect(firstDraft({ ...TABLE, untagged: true }, [], null)).toMatchObject({ tag: null })
})

test('headings of an export of the tag mean its fields, unless another column does', () => {
  const [item_id, title] = TABLE.columns
  const columns = [item_id!, title!, column('Deal.amount', 'Number'), column('Deal.due_date', 'Date')]
  const placesIn = (more: LookedTable['columns']) =>
    Object.values(firstDraft({ ...TABLE, columns: [...columns, ...more] }, [DEAL], DEAL).columns).map(
      ({ place }) => place,
    )
  expect(placesIn([])).toEqual(['skip', 'name', 'field amount', 'field due_date'])
  expect(placesIn([column('amount', 'Number')])).toEqual([
    'skip',
    'name',
    'new Number',
    'field due_date',
    'field amount',
  ])
  const of_another = column('Offer.amount', 'Number', { to: { field: 'amount' } })
  expect(firstDraft({ ...TABLE, columns: [title!, of_another] }, [DEAL], DEAL).columns).toMatchObject({
    'Offer.amount': { place: 'field amount' },
  })
})

test('what was said before is read back as it was', () => {
  const first = firstDraft(TABLE, [DEAL], DEAL)
  const changed = withPlace(withPlace(first, 'Company', 'name'), 'v. net', 'new String')
  const drafts = { Deals: { ...changed, key: 'Company', clear: true } }
  expect(drafts.Deals.columns.Title!.place).toBe('skip')
  const mapping = mappingOf([TABLE], drafts)
  expect(mapping.tables[0]).toMatchObject({
    key: 'Company',
    clear: true,
    columns: { 'v. net': { type: 'String' } },
  })
  const again = draftsOf([TABLE], [DEAL], { mapping, asked: null })
  expect(mappingOf([TABLE], again)).toEqual(mapping)
  const other = draftsOf([TABLE, { ...TABLE, name: 'Others' }], [DEAL], { mapping, asked: null })
  expect(other.Others!.isTaken).toBe(false)
})

test('rows meet items by what is equal or not without a doubt; a key that is left out is none', () => {
  const draft = firstDraft(TABLE, [DEAL], DEAL)
  expect(keysOf(draft, DEAL)).toEqual(['Title', 'stage', 'Due Date', 'v. net'])
  expect(withPlace({ ...draft, key: 'stage' }, 'stage', 'skip').key).toBe('')
})

test('how dates and numbers are written is asked where it can be more than one way', () => {
  const [, , , due, net] = TABLE.columns
  expect(formatsFor('Date', due!)).toHaveLength(4)
  expect(formatsFor('Date', { ...due!, format: undefined, samples: ['2026-01-02'] })).toEqual([])
  expect(formatsFor('Number', net!)).toHaveLength(2)
  expect(formatsFor('Number', { ...net!, samples: ['12'] })).toEqual([])
})
