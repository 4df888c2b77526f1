import { useCallback, useSyncExternalStore } from 'react'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { onItemsChanged } from '#web/data/items-changed.ts'
import { type CellRow, cellValue } from '#web/rules/cell-value.ts'
import type { Column, PathColumn } from '#web/rules/column.ts'
import { soon } from '#web/parts/soon.ts'
import { KeyedSlot, Slot } from '#web/store.ts'

/** Ids in one request. */
const AT_ONCE = 200
/** Milliseconds in which cells gather, and in which changes do. */
const GATHER = 10
const SETTLE = 400
/** Values are dropped, oldest first, when there are more. */
const MOST = 50_000

interface Asked {
  item_id: string
  column: PathColumn
}

const values = new KeyedSlot<string, unknown>('path_values', 'account', MOST)
/** Cells that were looked at, and those that are to be asked for. */
const looked = new KeyedSlot<string, Asked>('looked_at_paths', 'account', MOST)
const wanted = new Slot<readonly string[]>('wanted_paths', 'account', () => [])

const keyOf = ({ item_id, column }: Asked) => `${item_id} ${column.as_of ?? ''} ${column.key}`

/** What a path leads to from an item; undefined until it is known. Cells in view are asked for together. */
export function usePathValue(item_id: string, column: PathColumn): unknown {
  const key = keyOf({ item_id, column })
  const subscribe = useCallback(
    (listener: () => void) => {
      const end = values.watch(key, listener)
      looked.set(key, { item_id, column })
      if (!values.has(key)) ask([key])
      return () => {
        end()
        if (!values.isWatched(key)) looked.delete(key)
      }
    },
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for both
    [key],
  )
  return useSyncExternalStore(subscribe, () => values.get(key))
}

/** The value of any cell, also of one that lies behind a reference, as far as it is known. */
export const knownValue = (column: Column, row: CellRow): unknown =>
  column.kind === 'path'
    ? (values.get(keyOf({ item_id: row.item_id, column })) ?? null)
    : cellValue(column, row)

export const isKnownValue = (column: Column, { item_id }: CellRow): boolean =>
  column.kind !== 'path' || values.has(keyOf({ item_id, column }))

/** Reads what of some rows lies behind references. */
export async function readPathValues(rows: readonly CellRow[], columns: readonly Column[]): Promise<void> {
  const paths = columns.filter((column) => column.kind === 'path')
  const ids = rows.map(({ item_id }) => item_id)
  for (let i = 0; paths.length && i < ids.length; i += AT_ONCE) await read(ids.slice(i, i + AT_ONCE), paths)
}

// Whatever changed, it may lie behind a reference: what is in sight is read again, the rest when it comes into sight.
const settle = soon(() => {
  for (const key of values.keys()) if (!values.isWatched(key)) values.delete(key)
  ask(values.watched().filter((key) => !looked.get(key)?.column.as_of))
}, SETTLE)
onItemsChanged(settle)

function ask(keys: readonly string[]): void {
  wanted.update((all) => [...all, ...keys])
  askSoon()
}

const askSoon = soon(() => void askAll(), GATHER)

async function askAll(): Promise<void> {
  // What is still in the viewport; the rest has scrolled by.
  const asked = [...new Set(wanted.get())].flatMap((key) => looked.get(key) ?? [])
  wanted.empty()
  for (const some of Map.groupBy(asked, ({ column }) => column.as_of).values()) {
    const ids = [...new Set(some.map(({ item_id }) => item_id))]
    const columns = [...new Map(some.map(({ column }) => [column.key, column])).values()]
    for (let i = 0; i < ids.length; i += AT_ONCE)
      // They stay unknown, and are asked for when they come into view again.
      await read(ids.slice(i, i + AT_ONCE), columns).catch(() => undefined)
  }
}

async function read(ids: readonly string[], columns: readonly PathColumn[]): Promise<void> {
  const { as_of } = columns[0]!
  const { data } = await call(searchItems, {
    filter: { id: { in: [...ids] } },
    fields: ['item_id', ...columns.map(({ key }) => key)],
    limit: AT_ONCE,
    ...(as_of && { as_of }),
  })
  const found = new Map(data.map((each) => [each.item_id, each as unknown as Record<string, unknown>]))
  for (const item_id of ids)
    for (const column of columns) keep({ item_id, column }, found.get(item_id)?.[column.key] ?? null)
}

function keep(asked: Asked, value: unknown): void {
  const key = keyOf(asked)
  const isSame = values.has(key) && JSON.stringify(values.get(key)) === JSON.stringify(value)
  if (!isSame) values.set(key, value)
}
