import type { ReactNode } from 'react'
import type { Tag } from '#web/data/tags-query.ts'
import { changeDraft, sayOfColumn } from '#web/import/import-draft.ts'
import type { TableText } from '#web/import/read-table.ts'
import { type Arrangement, type NewColumn, targetsKey } from '#web/import/use-arrangement.ts'
import { Select } from '#web/parts/select.tsx'
import { DATE_ORDERS } from '#web/rules/date-text.ts'
import { fieldColumns, type Target } from '#web/rules/import-plan.ts'
import { DECIMAL_SIGNS } from '#web/rules/number-text.ts'
import { TYPE_WORDS } from '#web/rules/type-words.ts'
import type { FieldType } from '#web/rules/guess-columns.ts'
import css from '#web/import/import-columns.module.css'

interface ImportColumnsProps {
  table: TableText
  tag: Tag | null
  tags: readonly Tag[]
  arrangement: Arrangement
}

/** Where each column goes and how it is read, with its first values beside. */
export function ImportColumns({ table, tag, tags, arrangement }: ImportColumnsProps) {
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
            <div className={css.choices}>
              {arrangement.into === 'new' ? (
                <NewColumnSelect at={i} called={called} tags={tags} columns={arrangement.newColumns} />
              ) : (
                <TargetSelect at={i} called={called} table={table} tag={tag} targets={arrangement.targets} />
              )}
              <ReadingSelect at={i} called={called} arrangement={arrangement} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const FIELD = 'field '
const valueOf = (target: Target | undefined) =>
  typeof target === 'object' ? FIELD + target.field : (target ?? 'skip')
const targetOf = (value: string): Target =>
  value.startsWith(FIELD) ? { field: value.slice(FIELD.length) } : (value as Target)

interface TargetSelectProps {
  at: number
  called: string
  table: TableText
  tag: Tag | null
  targets: readonly Target[]
}

function TargetSelect({ at, called, table, tag, targets }: TargetSelectProps) {
  const put = (value: string) => {
    const target = targetOf(value)
    // A place is taken by one column: the one that was chosen last.
    const others = targets.map((each) => (target !== 'skip' && valueOf(each) === value ? 'skip' : each))
    changeDraft({ targets: { of: targetsKey(table, tag), targets: others.with(at, target) } })
  }
  return (
    <Select
      aria-label={`Where ${called} goes`}
      value={valueOf(targets[at])}
      onChange={(event) => put(event.target.value)}
    >
      <ItemOptions />
      {(tag ? fieldColumns(tag) : []).map(({ field: { name, type } }) => (
        <option key={name} value={FIELD + name}>
          {name}: {TYPE_WORDS[type]}
        </option>
      ))}
    </Select>
  )
}

const ItemOptions = (): ReactNode => (
  <>
    <option value="skip">Leave out</option>
    <option value="name">Name of the item</option>
    <option value="description">Description</option>
  </>
)

const PLAIN: readonly FieldType[] = [
  'String',
  'Number',
  'Boolean',
  'Date',
  'DateTime',
  'Select',
  'MultiSelect',
]
const textOf = (column: NewColumn | undefined) =>
  typeof column === 'object' ? [column.type, column.of].filter(Boolean).join(' ') : (column ?? 'skip')

function columnOf(text: string): NewColumn {
  const [type = '', of] = text.split(' ')
  if (type === 'skip' || type === 'name' || type === 'description') return type
  return { type: type as FieldType, ...(of !== undefined && { of }) }
}

interface NewColumnSelectProps {
  at: number
  called: string
  tags: readonly Tag[]
  columns: readonly NewColumn[]
}

function NewColumnSelect({ at, called, tags, columns }: NewColumnSelectProps) {
  const put = (column: NewColumn) => {
    // An item has one name and one description: the column that was chosen last.
    for (const [i, other] of columns.entries())
      if (i !== at && other === column && column !== 'skip') sayOfColumn(i, { type: { type: 'String' } })
    sayOfColumn(at, { type: column })
  }
  return (
    <Select
      aria-label={`What ${called} becomes`}
      value={textOf(columns[at])}
      onChange={(event) => put(columnOf(event.target.value))}
    >
      <ItemOptions />
      {PLAIN.map((type) => (
        <option key={type} value={type}>
          {TYPE_WORDS[type]}
        </option>
      ))}
      {tags.length > 0 && (
        <>
          <optgroup label={TYPE_WORDS.Reference}>
            {tags.map(({ tag_id, name }) => (
              <option key={tag_id} value={`Reference ${tag_id}`}>
                Item of {name}, by its name
              </option>
            ))}
          </optgroup>
          <optgroup label={TYPE_WORDS.MultiReference}>
            {tags.map(({ tag_id, name }) => (
              <option key={tag_id} value={`MultiReference ${tag_id}`}>
                Items of {name}, by their names
              </option>
            ))}
          </optgroup>
        </>
      )}
    </Select>
  )
}

interface ReadingSelectProps {
  at: number
  called: string
  arrangement: Arrangement
}

/** How dates and numbers are written, where that can be said in more than one way. */
function ReadingSelect({ at, called, arrangement }: ReadingSelectProps) {
  const { tag, targets, readings, guessed, asked } = arrangement
  const target = targets[at]
  const field =
    typeof target === 'object' && tag && fieldColumns(tag).find(({ field }) => field.name === target.field)
  const type = field ? field.field.type : undefined
  const [reading, own] = [readings[at], guessed[at]]
  if (!reading || !own) return null
  const isDate = type === 'Date' || type === 'DateTime'
  if (isDate && own.order === 'YMD' && reading.order === 'YMD') return null
  if (!isDate && (type !== 'Number' || (own.sign === '.' && reading.sign === '.'))) return null
  const isAsked = asked.includes(at)
  return (
    <Select
      aria-label={`How ${called} is written`}
      aria-invalid={isAsked || undefined}
      value={(isDate ? reading.order : reading.sign) ?? ''}
      onChange={({ target: { value } }) =>
        sayOfColumn(at, isDate ? { order: value as 'DMY' } : { sign: value as '.' })
      }
    >
      {isAsked && (
        <option value="">{isDate ? 'Day or month first?' : 'Which sign is the decimal one?'}</option>
      )}
      {(isDate ? DATE_ORDERS : DECIMAL_SIGNS).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </Select>
  )
}
