import type { Import } from '#web/data/imports-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import type { Drafts } from '#web/import/import-drafts.ts'
import { SaveFaults } from '#web/import/save-faults.tsx'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import type { TableDraft } from '#web/rules/import-mapping.ts'
import css from '#web/import/import-outcome.module.css'

interface ImportOutcomeProps {
  data: Import
  tags: readonly Tag[]
  drafts: Drafts
  isBusy: boolean
  onRun: (on_fault: 'refuse' | 'skip') => void
}

/** What an import would do: counts, its first rows, its faults by line; and the button that does it. */
export function ImportOutcome({ data, tags, drafts, isBusy, onRun }: ImportOutcomeProps) {
  const { created = 0, changed = 0, unchanged = 0, skipped = 0, fault_count = 0, tables } = data
  const counts = [
    [created, 'made'],
    [changed, 'changed'],
    [unchanged, 'as they are already'],
    [skipped - fault_count, 'overtaken by later rows of the same key'],
    [fault_count, fault_count === 1 ? 'left out: it has a fault' : 'left out: they have faults'],
  ] as const
  const taken = tables.filter(({ name }) => drafts[name]?.isTaken)
  const [first] = taken
  return (
    <>
      <ul className={css.counts} aria-label="What it would do">
        {counts.map(([count, words]) =>
          count > 0 || words === 'made' ? (
            <li key={words}>
              <strong>{count.toLocaleString()}</strong> {words}
            </li>
          ) : null,
        )}
      </ul>
      {newOnes(taken, drafts, tags)}
      {taken.every(({ rows }) => rows === 0) && (
        <p>There is no row but the first, which names the columns. Add one above it, or rows beneath.</p>
      )}
      {first?.first?.length ? <FirstRows rows={first.first} draft={drafts[first.name]!} /> : null}
      <Faults data={data} />
      <p>
        <Button
          kind="primary"
          icon="upload"
          disabled={isBusy || created + changed === 0}
          onClick={() => onRun(fault_count ? 'skip' : 'refuse')}
        >
          {buttonWords({ created, changed, fault_count })}
        </Button>
      </p>
    </>
  )
}

const many = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`

/** What the button does, to the letter. */
function buttonWords({
  created,
  changed,
  fault_count,
}: Record<'created' | 'changed' | 'fault_count', number>) {
  if (!created && !changed) return 'There is nothing to import'
  const parts = [
    created && `${changed ? 'make' : 'Import'} ${many(created, 'item')}`,
    changed && `Update ${many(changed, 'item')}`,
  ].filter(Boolean)
  const words = parts.toReversed().join(' and ')
  return fault_count ? `${words}, without ${many(fault_count, 'row')}` : words
}

/** Tags and fields that are made. */
function newOnes(tables: Import['tables'], drafts: Drafts, tags: readonly Tag[]) {
  const words = tables.flatMap(({ name }) => {
    const { tag, columns } = drafts[name]!
    if (!tag) return []
    if ('new' in tag) return [`the tag “${tag.new.trim()}”`]
    const found = tags.find(({ tag_id }) => tag_id === tag.id)
    const fields = Object.entries(columns).filter(([, { place }]) => place.startsWith('new '))
    return fields.length
      ? [
          `the ${fields.length === 1 ? 'field' : 'fields'} ${fields.map(([column]) => `“${column}”`).join(', ')} of ${found?.name ?? 'the tag'}`,
        ]
      : []
  })
  return words.length ? <p>New: {words.join('; ')}.</p> : null
}

/** The first rows as they would be read. */
function FirstRows({ rows, draft }: { rows: readonly Record<string, string>[]; draft: TableDraft }) {
  const columns = Object.entries(draft.columns).filter(([, { place }]) => place !== 'skip')
  const shown = columns.toSorted(([, a], [, b]) => Number(b.place === 'name') - Number(a.place === 'name'))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div className={css.scroller} tabIndex={0} role="group" aria-label="First rows">
      <table className={css.table}>
        <caption>The first rows</caption>
        <thead>
          <tr>
            {shown.map(([name, { place }]) => (
              <th key={name} scope="col">
                {headingOf(name, place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name
            <tr key={i}>
              {shown.map(([name]) => (
                <td key={name}>{Object.hasOwn(row, name) ? row[name] : ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const headingOf = (column: string, place: string): string => {
  if (place === 'name') return 'Name'
  if (place === 'description') return 'Description'
  return place.startsWith('field ') ? place.slice('field '.length) : column
}

function Faults({ data }: { data: Import }) {
  const { faults = [], fault_count: count = 0, tables } = data
  if (!count) return null
  // Of several tables each fault says of which.
  const isMany = tables.length > 1
  return (
    <Note kind="warn">
      <p>
        {count === 1
          ? 'One row has a fault and stays out:'
          : `${count.toLocaleString()} rows have faults and stay out:`}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <div className={css.scroller} tabIndex={0} role="group" aria-label="Faults">
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Column</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {faults.map(({ table, line, file, column, message, suggestion }) => (
              <tr key={`${table} ${file} ${line} ${column} ${message}`}>
                <td>{file ?? (isMany ? `${table}, ${line}` : line)}</td>
                <td>{column}</td>
                <td>
                  {message}
                  {suggestion && <span className={css.suggestion}>{suggestion}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > faults.length && <p>and {(count - faults.length).toLocaleString()} more</p>}
      <p className={css.save}>
        <SaveFaults data={data} />
      </p>
    </Note>
  )
}
