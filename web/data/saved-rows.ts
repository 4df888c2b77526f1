import { Slot } from '#web/store.ts'

/** Milliseconds within which an answer that was asked for before a save may still arrive. */
const LATE = 30_000
/** Rows that are remembered. */
const MOST = 1000

interface StoredRow {
  item_id: string
  updated_at: string
}

interface SavedRow {
  row: StoredRow
  until: number
}

const saved = new Slot<ReadonlyMap<string, SavedRow>>('saved_rows', 'account', () => new Map())

/** The answers of saves. */
export function keepSavedRows(rows: readonly StoredRow[]): void {
  if (!rows.length) return
  const until = performance.now() + LATE
  const all = new Map(saved.get())
  for (const row of rows) {
    all.delete(row.item_id)
    all.set(row.item_id, { row, until })
  }
  saved.set(new Map([...all].slice(-MOST)))
}

/** A row that was read; where it was read before this page saved it, as it was saved. */
export function asSaved<R extends StoredRow>(row: R): R {
  const kept = saved.get().get(row.item_id)
  const isOlder = kept && kept.until > performance.now() && row.updated_at < kept.row.updated_at
  return isOlder ? { ...row, ...kept.row } : row
}
