import type { Column, FieldColumn } from '#web/rules/column.ts'

/** How the items of a table are laid out. */
export interface Layout {
  kind: LayoutKind
  /** The key of the field that makes the columns of a board, the days of a calendar, the pictures of a gallery. */
  by?: string
  /** Of a calendar: the field in which an item ends. */
  until?: string
  /** Of a board: the Number that is summed up in the heads. */
  sum?: string
  /** Of a calendar: one week instead of a month. */
  week?: true
}

export const LAYOUT_KINDS = ['table', 'board', 'calendar', 'gallery'] as const
export type LayoutKind = (typeof LAYOUT_KINDS)[number]

export const TABLE: Layout = { kind: 'table' }

/** What a table shows of a view: what the address says, else what the view stores. */
export const layoutShown = (asked: Layout | null, saved: Layout | null): Layout => asked ?? saved ?? TABLE

/** For the address: nothing where it is as the view has it. */
export const layoutToWrite = (layout: Layout, saved: Layout | null): Layout | null =>
  isSame(layout, saved ?? TABLE) ? null : layout

const isSame = (a: Layout, b: Layout) =>
  a.kind === b.kind && a.by === b.by && a.until === b.until && a.sum === b.sum && a.week === b.week

/** Another kind of the same table: what groups its rows makes the columns of its board. */
export const turnedTo = (kind: LayoutKind, from: Layout, group: FieldColumn | undefined): Layout =>
  kind === 'board' && group && BOARD.has(group.field.type)
    ? { ...from, kind, by: group.key }
    : { ...from, kind }

/** What stands in a view or an address; whatever else is there is left out, and without a kind it is none. */
export function readLayout(given: Readonly<Record<string, unknown>>): Layout | null {
  const kind = LAYOUT_KINDS.find((each) => each === given['kind'])
  if (!kind) return null
  const text = (name: 'by' | 'until' | 'sum') => {
    const value = given[name]
    return typeof value === 'string' && value !== '' && { [name]: value }
  }
  return {
    kind,
    ...text('by'),
    ...text('until'),
    ...text('sum'),
    ...((given['week'] === true || given['week'] === '1') && { week: true }),
  }
}

const PARTS = ['by', 'until', 'sum'] as const

/** `l=board&by=…&sum=…` */
export function layoutOfQuery(query: URLSearchParams): Layout | null {
  return readLayout({
    kind: query.get('l'),
    week: query.get('week'),
    ...Object.fromEntries(PARTS.map((name) => [name, query.get(name)])),
  })
}

export function layoutToQuery(layout: Layout, query: URLSearchParams): void {
  query.set('l', layout.kind)
  for (const name of PARTS) if (layout[name] !== undefined) query.set(name, layout[name])
  if (layout.week) query.set('week', '1')
}

const BOARD = new Set(['Select', 'Boolean', 'Reference'])
const DATES = new Set(['Date', 'DateTime'])
const NUMBERS = new Set(['Number'])
const FILES = new Set(['File'])

/** Those that every item may have come before those that a variant brings along. */
const ofTypes = (columns: readonly Column[], types: ReadonlySet<string>): FieldColumn[] =>
  columns
    .filter((column): column is FieldColumn => column.kind === 'field' && types.has(column.field.type))
    .toSorted((a, b) => Number(!!a.field.parents) - Number(!!b.field.parents))

/** Fields whose values make columns: an item has one of them at most. */
export const boardFields = (columns: readonly Column[]): FieldColumn[] => ofTypes(columns, BOARD)

export const sumFields = (columns: readonly Column[]): FieldColumn[] => ofTypes(columns, NUMBERS)

export const pictureFields = (columns: readonly Column[]): FieldColumn[] => ofTypes(columns, FILES)

/** What puts an item on a day; when it was made and changed come last, and are not moved. */
export const dateColumns = (columns: readonly Column[]): Column[] => [
  ...ofTypes(columns, DATES),
  ...columns.filter(({ kind }) => kind === 'created_at' || kind === 'updated_at'),
]

/** In which an item that begins in a field ends: of the same tag, so that both are one change. */
export const endFields = (columns: readonly Column[], from: Column | undefined): FieldColumn[] =>
  from?.kind !== 'field'
    ? []
    : ofTypes(columns, new Set([from.field.type])).filter(
        ({ key, tag }) => key !== from.key && tag.tag_id === from.tag.tag_id,
      )

/** The chosen one; where there is none, or none any more, the first. */
export const chosenColumn = <C extends Column>(
  columns: readonly C[],
  key: string | undefined,
): C | undefined => columns.find((each) => each.key === key) ?? columns[0]
