import type { Import } from '#web/data/imports-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { type Choice, Listbox } from '#web/parts/listbox.tsx'
import { Name } from '#web/parts/name.tsx'
import type { FieldType } from '#web/rules/column.ts'
import {
  type ColumnDraft,
  fieldColumns,
  formatsFor,
  type LookedColumn,
  type TableDraft,
  typeAt,
  withPlace,
} from '#web/rules/import-mapping.ts'
import { readNumber, sayNumber, thisLocale } from '#web/rules/typed-number.ts'
import { TYPE_WORDS } from '#web/rules/type-words.ts'
import css from '#web/import/import-columns.module.css'

const PLAIN: readonly FieldType[] = [
  'String',
  'Number',
  'Boolean',
  'Date',
  'DateTime',
  'Select',
  'MultiSelect',
]
/** Fields that may name what is not there yet. */
const MAKING: ReadonlySet<string> = new Set(['Reference', 'MultiReference', 'Select', 'MultiSelect'])
/** A table of a thousand columns is mapped by its first ones, and the rest as the preview says. */
const MOST_SHOWN = 100

interface ImportColumnsProps {
  table: Import['tables'][number]
  tables: Import['tables']
  tags: readonly Tag[]
  tag: Tag | null
  draft: TableDraft
  onDraft: (draft: TableDraft) => void
}

/** Where each column goes and how it is read, with values of it alongside. */
export function ImportColumns({ table, tables, tags, tag, draft, onDraft }: ImportColumnsProps) {
  const { columns } = table
  const hasFields = draft.tag !== null
  const whose = [...new Set([...tables.map(({ name }) => name), ...tags.map(({ name }) => name)])]
  return (
    <>
      <ul className={css.columns} aria-label={`Columns of ${table.name}`}>
        {columns.slice(0, MOST_SHOWN).map((column) => {
          const own = draft.columns[column.name]!
          const put = (change: Partial<ColumnDraft>) =>
            onDraft({ ...draft, columns: { ...draft.columns, [column.name]: { ...own, ...change } } })
          return (
            <li key={column.name} className={css.column} data-skipped={own.place === 'skip' || undefined}>
              <strong>
                <Name of={column.name} />
              </strong>
              <span className={css.samples}>{column.samples.slice(0, 3).join(' · ')}</span>
              <div className={css.choices}>
                <Listbox
                  label={`Where ${column.name} goes`}
                  value={own.place}
                  options={placesFor(column, { tag, hasFields, whose })}
                  onValue={(place) => onDraft(withPlace(draft, column.name, place))}
                />
                <Reading column={column} draft={own} type={typeAt(own.place, tag)} onChange={put} />
              </div>
            </li>
          )
        })}
      </ul>
      {columns.length > MOST_SHOWN && (
        <p>and {columns.length - MOST_SHOWN} more, which go to fields that are called as they are.</p>
      )}
    </>
  )
}

interface ReadingProps {
  column: LookedColumn
  draft: ColumnDraft
  type: FieldType | undefined
  onChange: (change: Partial<ColumnDraft>) => void
}

/** How dates and numbers are written; whether what is missing is made. */
function Reading({ column, draft: { format, make, place }, type, onChange }: ReadingProps) {
  const formats = formatsFor(type, column)
  const mayMake = MAKING.has(type ?? '') && !(place.startsWith('new ') && type?.endsWith('Select'))
  return (
    <>
      {formats.length > 0 && (
        <Listbox
          label={`How ${column.name} is written`}
          value={format}
          options={formats}
          onValue={(next) => onChange({ format: next })}
        />
      )}
      {type === 'Number' && <NumberRead samples={column.samples} format={format} />}
      {mayMake && (
        <label className={css.make}>
          <input
            type="checkbox"
            checked={make}
            aria-label={`Make what is missing of ${column.name}`}
            onChange={({ target }) => onChange({ make: target.checked })}
          />
          Make what is missing
        </label>
      )}
    </>
  )
}

/** What a number of the column is read as, where that can be taken for another one. */
function NumberRead({ samples, format }: { samples: readonly string[]; format: string }) {
  const sign = format === '1.234,5' ? ',' : '.'
  const sample = samples.find((each) => readNumber(each, '.') !== readNumber(each, ','))
  const value = sample === undefined ? null : readNumber(sample, sign)
  if (sample === undefined) return null
  return (
    <span className={css.read} data-fault={value === null || undefined}>
      {sample} {value === null ? 'is no number so' : `is ${sayNumber(value, thisLocale())}`}
    </span>
  )
}

interface Around {
  tag: Tag | null
  hasFields: boolean
  whose: readonly string[]
}

function placesFor({ type, to }: LookedColumn, { tag, hasFields, whose }: Around): Choice[] {
  const places: Choice[] = [
    ['skip', 'Leave out'],
    ['name', 'Name of the item'],
    ['description', 'Description'],
    ...(to === 'item_id' ? [['item_id', 'Id of the item'] as const] : []),
  ]
  if (!hasFields) return places
  const own = (tag ? fieldColumns(tag) : []).map(
    ({ field }) =>
      [`field ${field.name}`, `${field.name}: ${TYPE_WORDS[field.type]}`, `Fields of ${tag!.name}`] as const,
  )
  const types = PLAIN.includes(type as FieldType) || isReferring(type) ? PLAIN : [...PLAIN, type as FieldType]
  return [
    ...places,
    ...own,
    ...types.map((each) => [`new ${each}`, TYPE_WORDS[each], 'A new field'] as const),
    ...(isReferring(type)
      ? [[`new ${type}`, `${TYPE_WORDS[type as FieldType]}: any`, 'A new field'] as const]
      : []),
    ...whose.flatMap((name) => [
      [`new Reference ${name}`, `Item of ${name}, by its name`, TYPE_WORDS.Reference] as const,
      [`new MultiReference ${name}`, `Items of ${name}, by their names`, TYPE_WORDS.MultiReference] as const,
    ]),
  ]
}

const isReferring = (type: string): boolean => type === 'Reference' || type === 'MultiReference'
