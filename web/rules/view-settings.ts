import { type ItemTemplate, readTemplate } from '#web/rules/item-template.ts'
import { type ColumnTag, type FieldColumn, fieldColumns } from '#web/rules/column.ts'
import { type Layout, readLayout } from '#web/rules/layout.ts'
import { readSort, type SortKey, type TableState, writeSort } from '#web/rules/table-state.ts'

/** What a view stores besides its filter: the service takes whatever there is, so it is read with care. */
export interface ViewSettings {
  /** As in the address: `Task.due:desc,name`. */
  sort_by?: string
  group_by?: string
  /** How the columns are arranged. */
  columns?: object
  /** Charts and sums are open. */
  charts?: boolean
  /** A board, a calendar, a gallery; without it a table. */
  layout?: Layout
  /** New items begin with what its filter asks for, and this. */
  template?: ItemTemplate
}

/** A field by the id of its tag, which says nothing to a person. */
const OF_TAG_ID = /^[0-9A-Z]{26}\./i

/** Written in the address for "no groups", where the view has some. */
export const NO_GROUP = '-'

export interface ReadViewSettings {
  sort: readonly SortKey[]
  group: string | null
  columns: object | undefined
  charts: boolean
  layout: Layout | null
  template: ItemTemplate | null
}

export function readViewSettings(settings: Readonly<Record<string, unknown>>): ReadViewSettings {
  const { sort_by, group_by, columns, charts, layout } = settings
  return {
    sort: typeof sort_by === 'string' ? readSort(sort_by) : [],
    group: typeof group_by === 'string' && group_by ? group_by : null,
    columns: typeof columns === 'object' && columns !== null ? columns : undefined,
    charts: charts === true,
    layout: typeof layout === 'object' && layout !== null ? readLayout({ ...layout }) : null,
    template: readTemplate(settings),
  }
}

export function writeViewSettings(read: ReadViewSettings): ViewSettings {
  const { sort, group, columns, charts, layout, template } = read
  return {
    ...(sort.length && { sort_by: writeSort(sort) }),
    ...(group !== null && { group_by: group }),
    ...(columns && Object.keys(columns).length && { columns }),
    ...(charts && { charts }),
    ...(layout && layout.kind !== 'table' && { layout }),
    ...(template && { template }),
  }
}

/**
 * Without an order or a group by fields that their tags do not have any more, or whose tags are not there any more, by
 * which nothing could be read, also where references lead to them; those fields too. Null: which there are is not known.
 */
export function withoutGone<T extends Pick<ReadViewSettings, 'sort' | 'group'>>(
  read: T,
  tags: readonly ColumnTag[] | null,
): { kept: T; gone: readonly string[] } {
  if (!tags) return { kept: read, gone: [] }
  const goneIn = (path: string): string | undefined => {
    for (const part of path.split('->')) {
      const key = part.toLowerCase()
      const begins = (name: string) => key.startsWith(`${name.toLowerCase()}.`)
      const own = tags.filter(({ tag_id, name }) => begins(tag_id) || begins(name))
      const isField = ({ tag, field }: FieldColumn) =>
        [tag.tag_id, tag.name].some((name) => `${name}.${field.name}`.toLowerCase() === key)
      if (own.flatMap((tag) => fieldColumns(tag, false)).some(isField)) continue
      if (own.length || OF_TAG_ID.test(part)) return part.slice(part.indexOf('.') + 1)
      // What every item has is in no tag.
      if (part.includes('.')) return part
    }
    return undefined
  }
  const sort = read.sort.filter(({ by }) => goneIn(by) === undefined)
  const group = read.group !== null && goneIn(read.group) !== undefined ? null : read.group
  const asked = [...read.sort.map(({ by }) => by), ...(read.group === null ? [] : [read.group])]
  const gone = new Set(asked.map(goneIn).filter((field) => field !== undefined))
  return { kept: gone.size ? { ...read, sort, group } : read, gone: [...gone] }
}

/** What a table shows of a view: what the address says, else what the view stores. */
export function groupShown(state: Pick<TableState, 'group'>, saved: string | null): string | null {
  return state.group === NO_GROUP ? null : (state.group ?? saved)
}

/** For the address: nothing where it is as the view has it. */
export const groupToWrite = (group: string | null, saved: string | null): string | null =>
  group === saved ? null : (group ?? NO_GROUP)
