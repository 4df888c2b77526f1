import type { Ulid } from '#src/domain/ulid.ts'
import type { CatalogField, CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

export const KNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
export const GONE = '01BRZ3NDEKTSV4RRFFQ69G5FAV'
export const UNKNOWN = '01CRZ3NDEKTSV4RRFFQ69G5FAV'
export const TASK_ID = '01DRZ3NDEKTSV4RRFFQ69G5FAV'

let fieldId = 10
const fieldsFrom = (fields: Record<string, Partial<CatalogField>>): ReadonlyMap<string, CatalogField> =>
  new Map(
    Object.entries(fields).map(([name, more]) => [
      name,
      { id: fieldId++, name, type: 'String', variants: [], ...more },
    ]),
  )
const tagFrom = (id: number, name: string, tag_id: Ulid, fields: CatalogTag['fields']): CatalogTag => ({
  id,
  name,
  tag_id,
  fields,
})
const TAGS: CatalogTag[] = [
  {
    ...tagFrom(
      1,
      'Task',
      TASK_ID,
      fieldsFrom({
        title: {},
        effort: { type: 'Number' },
        done: { type: 'Boolean' },
        due: { type: 'Date' },
        starts: { type: 'DateTime' },
        owner: { type: 'Reference' },
        people: { type: 'MultiReference' },
        status: { type: 'Select', variants: ['open', 'closed', 'left'] },
        labels: { type: 'MultiSelect', variants: ['home', 'work'] },
        file: { type: 'File' },
        closed_by: { type: 'Reference', parents: [{ field: 'status', variants: ['closed'] }] },
        why: {
          type: 'Select',
          variants: ['bored', 'ill'],
          parents: [{ field: 'status', variants: ['closed', 'left'] }],
        },
        note: {
          parents: [
            { field: 'why', variants: ['ill'] },
            { field: 'status', variants: ['left'] },
          ],
        },
        lost: { parents: [{ field: 'nowhere', variants: ['x'] }] },
        round: { type: 'Select', variants: ['x'], parents: [{ field: 'round', variants: ['x'] }] },
      }),
    ),
    left: fieldsFrom({ old: {} }),
  },
  tagFrom(2, 'Chore', '01ERZ3NDEKTSV4RRFFQ69G5FAV', fieldsFrom({ 'who else': { type: 'Reference' } })),
  tagFrom(3, 'v1.0 notes', '01FRZ3NDEKTSV4RRFFQ69G5FAV', fieldsFrom({ text: {} })),
  tagFrom(4, 'Bare', '01GRZ3NDEKTSV4RRFFQ69G5FAV', fieldsFrom({})),
  tagFrom(8, 'T', '01HRZ3NDEKTSV4RRFFQ69G5FAV', fieldsFrom({ size: { type: 'Number' } })),
]
const ROW_IDS = new Map<Ulid, number>([
  [KNOWN, 77],
  [GONE, 78],
])
/** What filters are read by where no base is needed. */
export const CATALOG: TagCatalog = {
  time: { now: new Date('2026-01-31T23:30:00.000Z'), time_zone: 'Europe/Vienna' },
  byId: async (tag_id) => TAGS.find((tag) => tag.tag_id === tag_id),
  byName: async (name) => TAGS.find((tag) => tag.name === name),
  names: async () => TAGS.map(({ name }) => name),
  textFields: async () => [10, 17],
  extending: async ({ id }) => (id === 1 ? [1, 2] : id === 3 ? [3, 5, 6] : [id]),
  // Chore extends Task, and Task the notes.
  bases: async ({ id }) => TAGS.filter((tag) => tag.id === (id === 2 ? 1 : id === 1 ? 3 : 0)),
  itemRowIds: async (ids) => {
    if (!ids.length) throw new Error('nothing is looked up for no ids')
    return new Map(ids.flatMap((each) => (ROW_IDS.has(each) ? [[each, ROW_IDS.get(each)!] as const] : [])))
  },
}
