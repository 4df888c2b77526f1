import { isDate } from '#src/domain/date-time.ts'
import { type Layout, layoutOfQuery, layoutToQuery } from '#web/rules/layout.ts'
import { searchFor, type SearchMatch } from '#web/rules/search-text.ts'

/** What the address of a table says besides its base: `?f=&q=&s=&g=&l=&on=&at=&item=`. */
export interface TableState {
  /** As people write it: names or ids, whatever the builder made. */
  filter: Record<string, unknown> | null
  /** Any text. */
  text: string
  sort: readonly SortKey[]
  /** The path that groups the rows. */
  group: string | null
  /** How the items are laid out; null: as the view has it, else as a table. */
  layout: Layout | null
  /** The day on which a calendar is; null: today. */
  day: string | null
  /** The moment as of which the items are shown; null: as they are. */
  at: string | null
  /** The item that is open next to the table. */
  item: string | null
}

export interface SortKey {
  by: string
  direction: 'asc' | 'desc'
}

/** How a table is ordered where nobody has said. */
export const NEWEST_FIRST: readonly SortKey[] = [{ by: 'created_at', direction: 'desc' }]

/** The service takes no more. */
const MOST_SORT_KEYS = 4

export function readTableState(search: string): TableState {
  const query = new URLSearchParams(search)
  return {
    filter: readFilter(query.get('f')),
    text: query.get('q') ?? '',
    sort: readSort(query.get('s')),
    group: query.get('g') || null,
    layout: layoutOfQuery(query),
    day: readDay(query.get('on')),
    at: readAt(query.get('at')),
    item: query.get('item') || null,
  }
}

/** The query of an address, without `?`; what is as it is by itself is left out. */
export function writeTableState(state: TableState): string {
  const { filter, text, sort, group, layout, day, at, item } = state
  const query = new URLSearchParams()
  if (filter) query.set('f', JSON.stringify(filter))
  if (text) query.set('q', text)
  if (sort.length) query.set('s', writeSort(sort))
  if (group) query.set('g', group)
  if (layout) layoutToQuery(layout, query)
  if (day) query.set('on', day)
  if (at) query.set('at', at)
  if (item) query.set('item', item)
  return query.toString()
}

const readDay = (text: string | null): string | null => (text && isDate(text) ? text : null)

/** A moment as the service writes it; what else is there is none. */
function readAt(text: string | null): string | null {
  const time = text ? Date.parse(text) : NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function readFilter(text: string | null): TableState['filter'] {
  if (!text) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** `Task.due:desc,name`; a comma or colon in a field's name is escaped. */
export function readSort(text: string | null): SortKey[] {
  if (!text) return []
  return text
    .split(',')
    .slice(0, MOST_SORT_KEYS)
    .flatMap((each) => {
      const [, name = '', direction] = /^(.*?)(?::(asc|desc))?$/s.exec(each) ?? []
      const by = decode(name)
      return by ? [{ by, direction: direction === 'desc' ? ('desc' as const) : ('asc' as const) }] : []
    })
}

export const writeSort = (sort: readonly SortKey[]): string => sort.map(writeSortKey).join(',')

const writeSortKey = ({ by, direction }: SortKey) =>
  by.replaceAll(/[%,:]/g, (char) => encodeURIComponent(char)) + (direction === 'desc' ? ':desc' : '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export interface Question {
  filter?: Record<string, unknown>
  sort?: (SortKey | { by: 'relevance' })[]
  /** Where the text was met is wanted too. */
  snippets?: true
  /** The base as it was then. */
  as_of?: string
}

/** What is asked of the service: the base (a tag, a view), narrowed by the filter and the text. */
export function questionOf(
  base: Record<string, unknown> | null,
  { filter, text, sort, at }: Pick<TableState, 'filter' | 'text' | 'sort'> & { at?: string | null },
  match: SearchMatch = 'words',
): Question {
  const search = searchFor(text, match)
  const parts = [base, filter, search].filter((each) => each !== null)
  return {
    ...(parts.length === 1 && { filter: parts[0]! }),
    ...(parts.length > 1 && { filter: { and: parts } }),
    ...(sort.length && { sort: [...sort] }),
    ...(search && { snippets: true }),
    ...(at && { as_of: at }),
  }
}
