import { describe, expect, it } from 'vitest'
import {
  changeField,
  changeOf,
  draftOf,
  emptyDraft,
  faultsOf,
  type FieldDraft,
  fieldsOf,
  newField,
  newVariant,
  placeOf,
  renameField,
  type TagDraft,
} from '#web/rules/tag-draft.ts'
import { moved, movedTo } from '#web/rules/moved.ts'

const TASK = {
  name: 'Task',
  description: null,
  extends: [],
  fields: {
    title: { type: 'String' },
    due: 'Date',
    status: {
      type: 'Select',
      description: 'Where it is',
      variants: [
        'open',
        { name: 'late', fields: { why: 'String' } },
        { name: 'done', fields: { on: 'Date', why: 'String' } },
      ],
    },
    owner: { type: 'Reference', of: ['01JJXZ5T7GQ3M8K4B9R2C6D0TG'] },
  },
}

const byName = (draft: TagDraft, name: string) => draft.fields.find((each) => each.name === name)!
const withFields = (draft: TagDraft, fields: FieldDraft[]) => ({ ...draft, fields })

describe('a draft of a tag', () => {
  it('gives back what was not touched to the letter', () => {
    const draft = draftOf(TASK)
    expect(fieldsOf(draft)).toEqual(TASK.fields)
    expect(changeOf(TASK, draft)).toBeNull()
  })

  it('says a new name as a rename, of shared sub-fields and variants too', () => {
    const draft = draftOf(TASK)
    const why = byName(draft, 'status').variants[1]!.fields[0]!
    let fields = renameField(draft.fields, byName(draft, 'due').key, 'deadline')
    fields = renameField(fields, why.key, 'reason')
    fields = changeField(fields, byName(draft, 'status').key, (status) => ({
      ...status,
      variants: status.variants.map((each) => (each.was === 'open' ? { ...each, name: 'to do' } : each)),
    }))
    expect(changeOf(TASK, withFields(draft, fields))).toEqual({
      rename_fields: { due: 'deadline', why: 'reason' },
      rename_variants: { status: { open: 'to do' } },
      fields: {
        title: { type: 'String' },
        deadline: 'Date',
        status: {
          type: 'Select',
          variants: [
            'to do',
            { name: 'late', fields: { reason: 'String' } },
            { name: 'done', fields: { on: 'Date', reason: 'String' } },
          ],
          description: 'Where it is',
        },
        owner: TASK.fields.owner,
      },
    })
  })

  it('tells the order alone as a change, and a name alone without fields', () => {
    const draft = draftOf(TASK)
    const turned = withFields(draft, movedTo(draft.fields, byName(draft, 'owner').key, draft.fields[0]!.key))
    expect(Object.keys(changeOf(TASK, turned)!.fields!)).toEqual(['owner', 'title', 'due', 'status'])
    expect(changeOf(TASK, { ...draft, name: ' To do ' })).toEqual({ name: 'To do' })
    expect(moved(draft.fields, draft.fields[0]!.key, -1)).toEqual(draft.fields)
  })

  it('finds faults at their place before anything is sent', () => {
    expect([...faultsOf(emptyDraft())]).toEqual([['name', 'A tag needs a name']])
    const [a, b, c] = [
      { ...newField(), name: 'due' },
      { ...newField(), name: 'due' },
      { ...newField('Select'), name: 'status', variants: [newVariant('a'), newVariant('')] },
    ]
    const faults = faultsOf({ ...emptyDraft(), name: 'T', fields: [a, b, c] })
    expect(faults.get(b.key)).toBe('There is a field “due” already')
    expect(faults.get(c.variants[1]!.key)).toBe('A variant needs a name')
    const empty = { ...newField('Select'), name: 'status' }
    expect(faultsOf({ ...emptyDraft(), name: 'T', fields: [empty] }).get(empty.key)).toMatch(/one variant/)
  })

  it('knows whose place a path of the service is', () => {
    const { fields } = draftOf(TASK)
    const done = fields[2]!.variants[2]!
    expect(placeOf('fields.status.variants[2].fields.on', fields)).toBe(done.fields[0]!.key)
    expect(placeOf('fields.status.variants[2]', fields)).toBe(done.key)
    expect(placeOf('fields.due', fields)).toBe(fields[1]!.key)
    expect(placeOf('fields', fields)).toBeUndefined()
  })
})

it('keeps how a field and its variants look, as long as the type stays', () => {
  const fields = {
    price: { type: 'Number', unit: '€', decimals: 2 },
    status: { type: 'Select', variants: ['open', { name: 'done', closed: true, hue: 120 }] },
    labels: { type: 'MultiSelect', variants: [{ name: 'a', hue: 0 }] },
  }
  const draft = draftOf({ name: 'T', description: null, extends: [], fields })
  const described = draft.fields.map((field) => ({ ...field, description: 'd' }))
  expect(fieldsOf({ ...draft, fields: described })).toEqual({
    price: { ...fields.price, description: 'd' },
    status: { ...fields.status, description: 'd' },
    labels: { ...fields.labels, description: 'd' },
  })
  const [price] = draft.fields
  expect(fieldsOf({ ...draft, fields: [{ ...price!, type: 'String' }] })).toEqual({ price: 'String' })
})
