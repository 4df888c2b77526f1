import type { Tag } from '#web/data/tags-query.ts'
import type { TableText } from '#web/import/read-table.ts'
import { fieldColumns, type Target } from '#web/rules/import-plan.ts'
import css from '#web/import/import-columns.module.css'

interface ImportColumnsProps {
  table: TableText
  tag: Tag | null
  targets: readonly Target[]
  onTargets: (targets: Target[]) => void
}

const FIELD = 'field '
const valueOf = (target: Target | undefined) =>
  typeof target === 'object' ? FIELD + target.field : (target ?? 'skip')
const targetOf = (value: string): Target =>
  value.startsWith(FIELD) ? { field: value.slice(FIELD.length) } : (value as Target)

/** Where each column goes, with its first values beside. */
export function ImportColumns({ table, tag, targets, onTargets }: ImportColumnsProps) {
  const fields = tag ? fieldColumns(tag) : []
  const put = (at: number, value: string) => {
    const target = targetOf(value)
    // A place is taken by one column: the one that was chosen last.
    const others = targets.map((each) => (target !== 'skip' && valueOf(each) === value ? 'skip' : each))
    onTargets(others.with(at, target))
  }
  return (
    <ul className={css.columns} aria-label="Columns">
      {table.headings.map((heading, i) => {
        const called = heading || `Column ${i + 1}`
        return (
          // oxlint-disable-next-line react/no-array-index-key -- columns have no other name that is unique
          <li key={i} className={css.column}>
            <strong>{called}</strong>
            <span className={css.samples}>
              {table.rows
                .slice(0, 3)
                .map((row) => row[i])
                .filter(Boolean)
                .join(' · ')}
            </span>
            <select
              aria-label={`Where ${called} goes`}
              value={valueOf(targets[i])}
              onChange={(event) => put(i, event.target.value)}
            >
              <option value="skip">Leave out</option>
              <option value="name">Name of the item</option>
              <option value="description">Description</option>
              {fields.map(({ field: { name, type } }) => (
                <option key={name} value={FIELD + name}>
                  {name} ({type})
                </option>
              ))}
            </select>
          </li>
        )
      })}
    </ul>
  )
}
