import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { bulkCreate } from '#web/api/operations.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepMore, type Undoable } from '#web/data/undo-stack.ts'
import { findNames } from '#web/import/find-names.ts'
import { type TableText, writeTable } from '#web/import/read-table.ts'
import { Button } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import {
  type CellFault,
  type ImportItem,
  planImport,
  resolveNames,
  type Target,
} from '#web/rules/import-plan.ts'
import { newKey } from '#web/rules/new-key.ts'
import css from '#web/import/import-run.module.css'

interface ImportRunProps {
  table: TableText
  tag: Tag | null
  targets: readonly Target[]
  /** What the rows become is being changed: a run would use what they were. */
  isHeld: boolean
  onRunning: (isRunning: boolean) => void
}

/** Items in one request. */
const AT_ONCE = 1000
const MOST_FAULTS = 100

interface Progress {
  state: 'finding' | 'running' | 'stopped' | 'done'
  made: number
  fault?: string
}

const NO_NAMES: ReadonlyMap<string, readonly string[]> = new Map()

/** What is wrong by cell, and the making: thousands at a time, until it is done or stopped. */
export function ImportRun({ table, tag, targets, isHeld, onRunning }: ImportRunProps) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [found, setFound] = useState(NO_NAMES)
  const [isLookedUp, setLookedUp] = useState(false)
  const stop = useRef<AbortController>(null)
  const kept = useRef<Undoable>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const plan = useMemo(() => planImport(table.rows, targets, tag), [table, targets, tag])
  useEffect(() => {
    const looking = new AbortController()
    findNames(plan.names, looking.signal).then(
      (names) => {
        setFound(names)
        setLookedUp(true)
      },
      () => undefined,
    )
    return () => looking.abort()
  }, [plan])
  const { items, faults } = useMemo(
    () => (isLookedUp ? resolveNames(plan, targets, found) : plan),
    [plan, targets, found, isLookedUp],
  )
  const faulty = new Set(faults.map(({ row }) => row))
  const good = items.filter(({ row }) => !faulty.has(row))

  const run = async () => {
    const control = new AbortController()
    stop.current = control
    let made = progress?.made ?? 0
    setProgress({ state: 'running', made })
    onRunning(true)
    try {
      while (made < good.length && !control.signal.aborted) {
        const some = good.slice(made, made + AT_ONCE).map((item) => newItem(item, tag))
        // Sent again after a break it makes nothing twice.
        const headers = { 'idempotency-key': newKey() }
        const { data, change_id } = await call(bulkCreate, { items: some }, { headers })
        made += data.length
        const words = `Imported ${many(made)}`
        kept.current = keepMore(kept.current, { words, change_id, renew: () => client.invalidateQueries() })
        setProgress({ state: 'running', made })
      }
      setProgress({ state: control.signal.aborted ? 'stopped' : 'done', made })
      say(control.signal.aborted ? `Stopped after ${made} items` : `Imported ${made} items`)
    } catch (error) {
      const fault = error instanceof Fault ? faultWords(error, good, made) : String(error)
      setProgress({ state: 'stopped', made, fault })
    }
    onRunning(false)
    await client.invalidateQueries()
  }
  const { state, made = 0, fault } = progress ?? {}
  return (
    <PageSection title="3. Look, then import">
      {!isLookedUp && plan.names.length > 0 && <p>Looking up the items that are referred to…</p>}
      {faults.length > 0 && <Faults table={table} faults={faults} faulty={faulty} />}
      {state !== 'done' && (
        <div className={css.row}>
          {state === 'running' ? (
            <Button icon="stop" onClick={() => stop.current?.abort()}>
              Stop
            </Button>
          ) : (
            <Button
              kind="primary"
              icon="upload"
              disabled={!good.length || !isLookedUp || isHeld}
              onClick={() => void run()}
            >
              {made ? `Go on with ${many(good.length - made)}` : `Import ${many(good.length)}`}
            </Button>
          )}
          {progress && (
            <>
              <progress aria-label="Imported" max={good.length} value={made} />
              <span>
                {made.toLocaleString()} of {good.length.toLocaleString()}
              </span>
            </>
          )}
        </div>
      )}
      {fault !== undefined && <Note kind="danger">{fault}</Note>}
      {state === 'done' && (
        <Note kind="good">
          <p>
            Imported {many(made)}. Ctrl Z takes all of them back; so does the{' '}
            <Link href="/history">history</Link>.
          </p>
          <p>
            <Link href={tag ? `/tags/${tag.tag_id}` : '/items'}>Look at them</Link>
          </p>
        </Note>
      )}
    </PageSection>
  )
}

const many = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

const newItem = ({ name, description, values }: ImportItem, tag: Tag | null) => ({
  name,
  ...(description !== undefined && { description }),
  ...(tag && { tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: values }] }),
})

/** The service counts the items of one request; a person counts rows. */
function faultWords(
  { problems, message, suggestion }: Fault,
  good: readonly ImportItem[],
  made: number,
): string {
  const [first] = problems
  const at = /^items\[(\d+)\]/.exec(first?.path ?? '')?.[1]
  if (!first || at === undefined) return [message, suggestion].filter(Boolean).join('. ')
  return `Row ${good[made + Number(at)]!.row + 2}: ${first.message}`
}

interface FaultsProps {
  table: TableText
  faults: readonly CellFault[]
  faulty: ReadonlySet<number>
}

function Faults({ table, faults, faulty }: FaultsProps) {
  const save = () => {
    const messages = Map.groupBy(faults, ({ row }) => row)
    const rows = [...faulty]
      .toSorted((a, b) => a - b)
      .map((row) => [
        ...table.rows[row]!,
        messages
          .get(row)!
          .map(({ column, message }) => `${table.headings[column] ?? ''}: ${message}`)
          .join('; '),
      ])
    const url = URL.createObjectURL(
      new Blob([writeTable([...table.headings, 'What is wrong'], rows)], { type: 'text/csv' }),
    )
    const link = Object.assign(document.createElement('a'), { href: url, download: 'rows-with-faults.csv' })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
  }
  return (
    <Note kind="warn">
      <p>{faulty.size === 1 ? 'One row stays' : `${faulty.size.toLocaleString()} rows stay`} out:</p>
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
            {faults.slice(0, MOST_FAULTS).map(({ row, column, message }) => (
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
      {faults.length > MOST_FAULTS && <p>and {(faults.length - MOST_FAULTS).toLocaleString()} more</p>}
      <div>
        <Button icon="download" onClick={save}>
          Save these rows as a file
        </Button>
      </div>
    </Note>
  )
}
