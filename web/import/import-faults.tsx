import { sayOfColumn } from '#web/import/import-draft.ts'
import { type TableText, writeTable } from '#web/import/read-table.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { saveFile } from '#web/parts/save-file.ts'
import type { CellFault } from '#web/rules/import-plan.ts'
import css from '#web/import/import-run.module.css'

const MOST = 100

interface ImportFaultsProps {
  table: TableText
  faults: readonly CellFault[]
  /** Columns whose values may be left empty where they do not fit. */
  optional: ReadonlySet<number>
  /** How many are left empty, by column. */
  emptied: ReadonlyMap<number, number>
  isHeld: boolean
}

/** What is wrong, cell by cell, and what can be done about it. */
export function ImportFaults({ table, faults, optional, emptied, isHeld }: ImportFaultsProps) {
  const faulty = new Set(faults.map(({ row }) => row))
  const byColumn = Map.groupBy(
    faults.filter(({ column }) => optional.has(column)),
    ({ column }) => column,
  )
  return (
    <>
      {[...emptied].map(([column, count]) => (
        <p key={column} className={css.row}>
          “{table.headings[column]}”: {values(count)} that {count === 1 ? 'does' : 'do'} not fit{' '}
          {count === 1 ? 'stays' : 'stay'} empty.
          <Button kind="quiet" disabled={isHeld} onClick={() => sayOfColumn(column, { isEmptied: false })}>
            Leave the rows out instead
          </Button>
        </p>
      ))}
      {faulty.size > 0 && (
        <Note kind="warn">
          <p>{faulty.size === 1 ? 'One row stays' : `${faulty.size.toLocaleString()} rows stay`} out:</p>
          <FaultTable table={table} faults={faults} />
          <div className={css.row}>
            {[...byColumn].map(([column, some]) => (
              <Button key={column} disabled={isHeld} onClick={() => sayOfColumn(column, { isEmptied: true })}>
                Leave {values(some.length)} of “{table.headings[column]}” empty
              </Button>
            ))}
            <Button icon="download" onClick={() => saveRows(table, faults)}>
              Save these rows as a file
            </Button>
          </div>
        </Note>
      )}
    </>
  )
}

const values = (count: number) => (count === 1 ? '1 value' : `${count.toLocaleString()} values`)

function FaultTable({ table, faults }: { table: TableText; faults: readonly CellFault[] }) {
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <div className={css.scroller} tabIndex={0} role="group" aria-label="Faults">
        <table className={css.faults}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, MOST).map(({ row, column, message }) => (
              <tr key={`${row} ${column} ${message}`}>
                <td>{row + 2}</td>
                <td>{table.headings[column]}</td>
                <td>{table.rows[row]?.[column]}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {faults.length > MOST && <p>and {(faults.length - MOST).toLocaleString()} more</p>}
    </>
  )
}

/** The faulty rows as a file, with what is wrong in a last column. */
function saveRows(table: TableText, faults: readonly CellFault[]): void {
  const byRow = [...Map.groupBy(faults, ({ row }) => row)].toSorted(([a], [b]) => a - b)
  const rows = byRow.map(([row, some]) => [
    ...table.rows[row]!,
    some.map(({ column, message }) => `${table.headings[column] ?? ''}: ${message}`).join('; '),
  ])
  const text = writeTable([...table.headings, 'What is wrong'], rows)
  saveFile(new Blob([text], { type: 'text/csv' }), 'rows-with-faults.csv')
}
