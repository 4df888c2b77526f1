import { expect, it } from 'vitest'
import { columnsOf, type ColumnTag } from '#web/rules/column.ts'
import { exportedFields, pathChoices, pathColumns } from '#web/rules/path-column.ts'

const id = (n: number) => `01JJXZ5T7GQ3M8K4B9R2C6D0E${n}`
const tag = (n: number, name: string, fields: Record<string, unknown>): ColumnTag => ({
  tag_id: id(n),
  name,
  fields,
  schema_version: 1,
})
const deal = tag(1, 'Deal', { company: { type: 'Reference', of: [id(2)] }, amount: 'Number' })
const company = tag(2, 'A->B', {
  industry: 'String',
  owner: { type: 'Reference', of: [id(3)] },
  logo: 'File',
})
const person = tag(3, 'Person', { team: 'String' })
const tags = [deal, company, person]
const industry = `${id(1)}.company->${id(2)}.industry`
const owner = `${id(1)}.company->${id(2)}.owner`

it('a column behind a reference comes after it, is known by its fields, and asked for by names', () => {
  const [path] = pathColumns([industry], tags, null)
  const columns = columnsOf([deal], [], [path!])
  expect(columns.map(({ label }) => label).slice(0, 4)).toEqual([
    'Name',
    'company',
    'company → industry',
    'amount',
  ])
  // A name that holds an arrow would be read as two.
  expect(exportedFields(columns)).toEqual(['Deal.company', `Deal.company->${id(2)}.industry`, 'Deal.amount'])
  expect(exportedFields(columnsOf([deal]))).toBeUndefined()
})

it('what leads nowhere is no column', () => {
  const gone = [`${id(1)}.company->${id(2)}.gone`, `${id(1)}.amount->${id(2)}.industry`, id(1), `${id(9)}.a`]
  expect(pathColumns(gone, tags, null)).toEqual([])
})

it('offers what a reference is known to mean, and on from there', () => {
  const fields = columnsOf([deal]).filter((column) => column.kind === 'field')
  const [further] = pathColumns([owner], tags, null)
  expect(pathChoices([...fields, further!], tags).map(({ label }) => label)).toEqual([
    'company → industry',
    'company → owner',
    'company → owner → team',
  ])
})
