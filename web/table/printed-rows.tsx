import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { knownItemName, readItemNames } from '#web/data/item-names.ts'
import { knownValue, readPathValues } from '#web/data/path-values.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'
import { useActions } from '#web/parts/action.ts'
import { toast } from '#web/parts/toast.tsx'
import { cellText } from '#web/rules/cell-text.ts'
import type { Column } from '#web/rules/column.ts'
import { referredBy } from '#web/rules/referred-by.ts'
import css from '#web/table/printed-rows.module.css'

/** Some forty pages; more is a matter for an export. */
const MOST = 2000

interface PrintedRowsProps {
  title: string
  source: RowSource | null
  columns: readonly Column[]
}

/** The table as paper wants it: all rows, whole, with the heading on each page. The grid draws only what is in sight. */
export function PrintedRows({ title, source, columns }: PrintedRowsProps) {
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const rowsNow = useEffectEvent(() => source?.rows.slice(0, MOST) ?? null)
  // Also by the browser's own menu: with the rows that are read already.
  useEffect(() => {
    const show = () => flushSync(() => setRows(rowsNow()))
    const hide = () => setRows(null)
    addEventListener('beforeprint', show)
    addEventListener('afterprint', hide)
    return () => {
      removeEventListener('beforeprint', show)
      removeEventListener('afterprint', hide)
    }
  }, [])
  const print = async () => {
    if (!source) return
    try {
      // To the end, also where nobody has counted the rows yet.
      const read = await source.read(0, MOST - 1)
      await readPathValues(read, columns)
      await readItemNames(
        read.flatMap((row) => columns.flatMap((column) => referredBy(column, knownValue(column, row)))),
      )
      window.print()
    } catch (error) {
      toast({ text: `Could not be printed: ${(error as Error).message}`, kind: 'danger' })
    }
  }
  useActions([{ id: 'table.print', title: 'Print', keys: 'mod+p', group: 'Table', run: () => void print() }])
  if (!rows || !source) return null
  const more = source.total - rows.length
  return (
    <div className={css.printed} data-printed>
      <table className={css.table}>
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.item_id}>
              {columns.map((column) => (
                <td key={column.key}>
                  {cellText(column, knownValue(column, row), (id) => knownItemName(id) ?? 'deleted item')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p>
          {title}: the first {rows.length.toLocaleString()} of {source.total.toLocaleString()}
        </p>
      )}
    </div>
  )
}
