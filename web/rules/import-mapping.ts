import { foldHeading, ownField } from '#src/domain/column-heading.ts'
import { type ColumnTag, columnsOf, type FieldColumn, type FieldType } from '#web/rules/column.ts'

/** A column of a file, as its preview answers. */
export interface LookedColumn {
  name: string
  type: string
  of?: readonly string[] | undefined
  format?: string | undefined
  samples: readonly string[]
  to: unknown
}

export interface LookedTable {
  name: string
  rows: number
  columns: readonly LookedColumn[]
  untagged?: boolean | undefined
}

/** `skip`, `name`, `description`, `item_id`, `field <name>` of the tag, `new <type>` or `new <type> <whose items>`. */
export type Place = string

export interface ColumnDraft {
  place: Place
  /** How dates or numbers are written; '': as it is clear. */
  format: string
  make: boolean
}

/** What becomes of a table. */
export interface TableDraft {
  isTaken: boolean
  /** A tag that is there by its id, a new one by its name, or none. */
  tag: { id: string } | { new: string } | null
  /** The column by which rows meet items; '': each becomes one of its own. */
  key: string
  clear: boolean
  columns: Readonly<Record<string, ColumnDraft>>
}

type ColumnWish = null | string | { field: string; [more: string]: unknown }
interface TableWish {
  name: string
  tag: { id: string } | { new: { name: string } } | null
  key?: string
  clear?: true
  columns: Record<string, ColumnWish>
}

interface Mapping {
  tables: TableWish[]
}

export const fieldColumns = (tag: ColumnTag): FieldColumn[] =>
  columnsOf([tag]).filter((column): column is FieldColumn => column.kind === 'field')

/** Rows that were pasted have no name of their own. */
export const PASTED = 'pasted'

/** What a table becomes if nobody says otherwise; `asked` is the tag whose page one comes from. */
export function firstDraft(
  table: LookedTable,
  tags: readonly ColumnTag[],
  asked: ColumnTag | null,
): TableDraft {
  const found = asked ?? tags.find(({ name }) => name === table.name) ?? null
  const tag = found
    ? { id: found.tag_id }
    : table.untagged
      ? null
      : { new: table.name === PASTED ? '' : table.name }
  return { isTaken: true, tag, key: '', clear: false, columns: placed(table, found, tag !== null) }
}

/** What the service says behind rows that had faults, in the file of them. */
const BEHIND_FAULTS = ['Where', 'Line', 'What is wrong']

/** Where the columns go in that tag: to the fields that are called alike, else to new ones. */
export function placed(
  { columns }: LookedTable,
  tag: ColumnTag | null,
  hasFields: boolean,
): Record<string, ColumnDraft> {
  const fields = new Map((tag ? fieldColumns(tag) : []).map(({ field }) => [foldHeading(field.name), field]))
  const taken = new Set<string>()
  const isOfFaults = columns.at(-1)?.name === BEHIND_FAULTS.at(-1)
  return Object.fromEntries(
    columns.map((column) => {
      const field = namesOf(column, columns, tag).flatMap((name) => fields.get(foldHeading(name)) ?? [])[0]
      const isOwn = field && typeof column.to !== 'string' && !taken.has(field.name)
      if (isOwn) taken.add(field.name)
      const isSaid = isOfFaults && BEHIND_FAULTS.includes(column.name)
      const place = isSaid ? 'skip' : isOwn ? `field ${field.name}` : placeOf(column, hasFields)
      return [column.name, { place, format: column.format ?? '', make: false }]
    }),
  )
}

/** How the field of a column may be called: as its heading in an export of the tag says, or as the preview does. */
function namesOf(
  { name, to }: LookedColumn,
  columns: readonly LookedColumn[],
  tag: ColumnTag | null,
): string[] {
  const own = tag && ownField(name, tag)
  const isOthers = columns.some((each) => each.name !== name && fieldAt(each.to) === own)
  return [own !== null && !isOthers ? own : null, fieldAt(to), name].filter((each) => each !== null)
}

const fieldAt = (to: unknown): string | null =>
  typeof to === 'object' && to !== null && 'field' in to ? String(to.field) : null

function placeOf({ to, type, of = [] }: LookedColumn, hasFields: boolean): Place {
  if (to === 'item_id' || to === null) return 'skip'
  if (typeof to === 'string') return to
  return hasFields ? ['new', type, ...of.slice(0, 1)].join(' ') : 'skip'
}

/** A name, a description and each field are of one column: the one that was chosen last. */
export function withPlace(draft: TableDraft, column: string, place: Place): TableDraft {
  const isOnce = place !== 'skip' && !place.startsWith('new ')
  const columns = Object.fromEntries(
    Object.entries(draft.columns).map(([name, each]) => {
      if (name === column) return [name, { ...each, place }]
      return [name, isOnce && each.place === place ? { ...each, place: 'skip' } : each]
    }),
  )
  const isKeyGone = columns[draft.key]?.place === 'skip'
  return { ...draft, columns, ...(isKeyGone && { key: '' }) }
}

/** The whole mapping as it is sent: nothing is left to defaults of the service. */
export function mappingOf(
  tables: readonly LookedTable[],
  drafts: Readonly<Record<string, TableDraft>>,
): Mapping {
  return {
    tables: tables.flatMap((table): TableWish[] => {
      const draft = drafts[table.name]
      if (!draft?.isTaken) return []
      const { tag, key, clear } = draft
      return [
        {
          name: table.name,
          tag: tag && 'new' in tag ? { new: { name: tag.new.trim() } } : tag,
          ...(key && { key }),
          ...(key && clear && { clear: true as const }),
          columns: Object.fromEntries(
            table.columns.map((column) => [column.name, wishOf(column, draft.columns[column.name]!)]),
          ),
        },
      ]
    }),
  }
}

function wishOf(column: LookedColumn, { place, format, make }: ColumnDraft): ColumnWish {
  if (place === 'skip') return null
  const [kind, ...rest] = place.split(' ')
  const more = { ...(format && { format }), ...(make && { make }) }
  if (kind === 'field') return { field: rest.join(' '), ...more }
  if (kind !== 'new') return place
  const [type, ...of] = rest
  const field = fieldAt(column.to) ?? cleaned(column.name)
  const whose = of.length ? { of: [of.join(' ')] } : {}
  return { field, ...(type !== column.type && { type }), ...whose, ...more }
}

/** A heading as the name of a field. */
const cleaned = (heading: string) => heading.replaceAll('->', ' ').replaceAll('.', ' ').trim() || 'Column'

/** A mapping as the service gives it back. */
export interface Said {
  tables?: readonly SaidTable[] | undefined
}
interface SaidTable {
  name: string
  tag?: { id: string } | { new: { name: string } } | null | undefined
  key?: string | undefined
  clear?: boolean | undefined
  columns?: Readonly<Record<string, unknown>> | undefined
}

/** What was said of an import before, by this page or another client. */
export function draftsOf(
  tables: readonly LookedTable[],
  tags: readonly ColumnTag[],
  { mapping, asked }: { mapping?: Said | undefined; asked: ColumnTag | null },
): Record<string, TableDraft> {
  const wishes = mapping?.tables
  return Object.fromEntries(
    tables.map((table) => {
      const first = firstDraft(table, tags, tables.length === 1 ? asked : null)
      const wish = wishes?.find(({ name }) => name === table.name)
      return [
        table.name,
        wishes ? (wish ? said(table, wish, first, tags) : { ...first, isTaken: false }) : first,
      ]
    }),
  )
}

function said(
  table: LookedTable,
  wish: SaidTable,
  first: TableDraft,
  tags: readonly ColumnTag[],
): TableDraft {
  const tag = wish.tag === undefined ? first.tag : tagSaid(wish.tag, tags)
  const found = (tag && 'id' in tag && tags.find(({ tag_id }) => tag_id === tag.id)) || null
  const usual = placed(table, found, tag !== null)
  const columns = table.columns.map((column) => {
    const said = wish.columns ?? {}
    const given = Object.hasOwn(said, column.name) ? (said[column.name] as ColumnWish) : undefined
    return [
      column.name,
      given === undefined ? usual[column.name]! : columnSaid(column, given, found),
    ] as const
  })
  return {
    isTaken: true,
    tag,
    key: wish.key ?? '',
    clear: wish.clear ?? false,
    columns: Object.fromEntries(columns),
  }
}

function tagSaid(tag: NonNullable<SaidTable['tag']> | null, tags: readonly ColumnTag[]): TableDraft['tag'] {
  if (tag === null) return null
  if ('new' in tag) return { new: tag.new.name }
  return { id: tags.find(({ tag_id, name }) => tag_id === tag.id || name === tag.id)?.tag_id ?? tag.id }
}

function columnSaid(column: LookedColumn, wish: ColumnWish, tag: ColumnTag | null): ColumnDraft {
  if (wish === null) return { place: 'skip', format: '', make: false }
  if (typeof wish === 'string') return { place: wish, format: '', make: false }
  const { field, type = column.type, of, format = '', make = false } = wish
  const isThere = tag && fieldColumns(tag).some((each) => each.field.name === field)
  const whose = (of as readonly string[] | undefined)?.[0]
  const place = isThere ? `field ${field}` : ['new', String(type), ...(whose ? [whose] : [])].join(' ')
  return { place, format: String(format), make: Boolean(make) }
}

/** The type of the field that a column goes to; undefined where it goes to none. */
export function typeAt(place: Place, tag: ColumnTag | null): FieldType | undefined {
  const [kind, ...rest] = place.split(' ')
  if (kind === 'new') return rest[0] as FieldType
  if (kind !== 'field' || !tag) return undefined
  return fieldColumns(tag).find(({ field }) => field.name === rest.join(' '))?.field.type
}

const ISO = /^\d{4}-\d{2}-\d{2}/
const PLAIN = /^[+-]?\d+$/

/** Ways in which the cells of a column may be written, where there is more than one. */
export function formatsFor(
  type: FieldType | undefined,
  { samples, format }: LookedColumn,
): readonly (readonly [value: string, words: string])[] {
  if (type === 'Date' || type === 'DateTime')
    return format || samples.some((each) => !ISO.test(each)) ? DATE_FORMATS : []
  if (type !== 'Number') return []
  return format || samples.some((each) => !PLAIN.test(each)) ? NUMBER_FORMATS : []
}

const DATE_FORMATS = [
  ['', 'As it is clear'],
  ['DMY', 'Day, month, year'],
  ['MDY', 'Month, day, year'],
  ['YMD', 'Year, month, day'],
] as const
const NUMBER_FORMATS = [
  ['', '1,234.5'],
  ['1.234,5', '1.234,5'],
] as const

/** Types by whose values rows can meet items. */
const KEYS: ReadonlySet<string> = new Set(['String', 'Number', 'Date', 'DateTime', 'Select', 'Boolean'])

/** Columns by which rows can meet items. */
export const keysOf = ({ columns }: TableDraft, tag: ColumnTag | null): string[] =>
  Object.entries(columns).flatMap(([name, { place }]) =>
    place === 'name' || place === 'item_id' || KEYS.has(typeAt(place, tag) ?? '') ? [name] : [],
  )
