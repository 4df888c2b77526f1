import { useMemo, useState } from 'react'
import type { Column } from '#web/rules/column.ts'
import type { PathChoice } from '#web/rules/path-column.ts'

/** How somebody has arranged the columns of one table. */
export interface ColumnSettings {
  /** Keys in order; columns that are not named are where they would be by themselves. */
  order?: readonly string[]
  hidden?: readonly string[]
  widths?: Readonly<Record<string, number>>
  /** How many stay when the table is scrolled sideways, the name included. */
  frozen?: number
  /** Ids of tags whose fields are shown besides. */
  tags?: readonly string[]
  /** Keys of columns behind references. */
  paths?: readonly string[]
}

export const MIN_WIDTH = 60
const MAX_WIDTH = 900
export const MOST_FROZEN = 3

/** Where they are stored: without a view in this browser, under the tag. */
export interface ColumnStore {
  settings: ColumnSettings
  change: (settings: ColumnSettings) => void
  /** They are not as the view has them. */
  isChanged: boolean
  /** Back to what the view has. */
  forget: () => void
}

/** `saved`: what a view has; until that is saved again, changes are stored in this browser. */
export function useStoredColumns(key: string, saved: ColumnSettings = NONE): ColumnStore {
  const name = `facet.columns.${key}`
  const [kept, setKept] = useState(() => ({ name, settings: read(name) }))
  const current = kept.name === name ? kept : { name, settings: read(name) }
  return {
    settings: current.settings ?? saved,
    change: (settings) => {
      localStorage.setItem(name, JSON.stringify(settings))
      setKept({ name, settings })
    },
    isChanged: current.settings !== null,
    forget: () => {
      localStorage.removeItem(name)
      setKept({ name, settings: null })
    },
  }
}

const NONE: ColumnSettings = {}

function read(name: string): ColumnSettings | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') as ColumnSettings | null
  } catch {
    return null
  }
}

export interface ArrangedColumns {
  /** Those that are shown, in order, with their widths. */
  shown: readonly Column[]
  all: readonly Column[]
  isHidden: (key: string) => boolean
  frozen: number
  hide: (key: string, hidden: boolean) => void
  resize: (key: string, width: number) => void
  /** By this many places; the name stays first. */
  move: (key: string, by: number) => void
  freeze: (count: number) => void
  /** Whether the fields of this tag are shown besides. */
  hasTag: (tag_id: string) => boolean
  showTag: (tag_id: string, on: boolean) => void
  /** Columns behind references that could be shown besides. */
  choices: readonly PathChoice[]
  showPath: (key: string) => void
  reset: () => void
}

export function useArrangedColumns(
  columns: readonly Column[],
  { settings, change }: ColumnStore,
  choices: readonly PathChoice[],
): ArrangedColumns {
  const all = useMemo(() => arranged(columns, settings), [columns, settings])
  const hidden = useMemo(() => new Set(settings.hidden), [settings])
  const shown = useMemo(() => all.filter(({ key }) => !hidden.has(key)), [all, hidden])
  return {
    all,
    shown,
    isHidden: (key) => hidden.has(key),
    frozen: Math.min(settings.frozen ?? 1, MOST_FROZEN, shown.length),
    hide: (key, off) => {
      // What lies behind a reference is not there by itself.
      const paths = settings.paths?.filter((each) => each !== key)
      if (off && paths && paths.length !== settings.paths?.length) return change({ ...settings, paths })
      const rest = (settings.hidden ?? []).filter((each) => each !== key)
      change({ ...settings, hidden: off ? [...rest, key] : rest })
    },
    resize: (key, width) => {
      const kept = Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH))
      change({ ...settings, widths: { ...settings.widths, [key]: kept } })
    },
    move: (key, by) => {
      const keys = shown.map((each) => each.key)
      const from = keys.indexOf(key)
      const to = from + by
      if (from < 1 || to < 1 || to >= keys.length) return
      const order = keys.toSpliced(from, 1).toSpliced(to, 0, key)
      change({
        ...settings,
        order: [...order, ...all.map((each) => each.key).filter((each) => hidden.has(each))],
      })
    },
    freeze: (count) => change({ ...settings, frozen: count }),
    hasTag: (tag_id) => settings.tags?.includes(tag_id) ?? false,
    showTag: (tag_id, on) => {
      const rest = (settings.tags ?? []).filter((each) => each !== tag_id)
      change({ ...settings, tags: on ? [...rest, tag_id] : rest })
    },
    choices,
    showPath: (key) => change({ ...settings, paths: [...(settings.paths ?? []), key] }),
    reset: () => change({}),
  }
}

function arranged(columns: readonly Column[], { order = [], widths = {} }: ColumnSettings): Column[] {
  const place = new Map(order.map((key, i) => [key, i]))
  const [name, ...rest] = columns
  const known = rest
    .filter(({ key }) => place.has(key))
    .toSorted((a, b) => place.get(a.key)! - place.get(b.key)!)
  let next = 0
  // New columns keep their own place; known ones take the others in their order.
  const merged = rest.map((column) => (place.has(column.key) ? known[next++]! : column))
  return [name!, ...merged].map((column) => ({ ...column, width: widths[column.key] ?? column.width }))
}
