import { Link } from 'wouter'
import type { Import } from '#web/data/imports-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { ImportColumns } from '#web/import/import-columns.tsx'
import type { Drafts } from '#web/import/import-drafts.ts'
import { Field } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { Name } from '#web/parts/name.tsx'
import { keysOf, placed, type TableDraft } from '#web/rules/import-mapping.ts'
import css from '#web/import/import-tables.module.css'

interface ImportTablesProps {
  tables: Import['tables']
  tags: readonly Tag[]
  drafts: Drafts
  onDraft: (table: string, draft: TableDraft) => void
}

/** What each table of a file becomes: which tag its rows get, what they meet, where its columns go. */
export function ImportTables({ tables, tags, drafts, onDraft }: ImportTablesProps) {
  const [only] = tables
  if (tables.length === 1 && only)
    return <TableChoices {...{ table: only, tables, tags }} draft={drafts[only.name]!} onDraft={onDraft} />
  return (
    <ul className={css.tables} aria-label="Tables">
      {tables.map((table) => {
        const draft = drafts[table.name]!
        return (
          <li key={table.name} className={css.table}>
            <label className={css.taken}>
              <input
                type="checkbox"
                checked={draft.isTaken}
                onChange={({ target }) => onDraft(table.name, { ...draft, isTaken: target.checked })}
              />
              <strong>
                <Name of={table.name} />
              </strong>
              <span className={css.about}>
                {table.rows.toLocaleString()} {table.rows === 1 ? 'row' : 'rows'}
              </span>
            </label>
            {draft.isTaken && (
              <details open={table === only}>
                <summary>What its rows become</summary>
                <TableChoices {...{ table, tables, tags, draft, onDraft }} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface TableChoicesProps extends Omit<ImportTablesProps, 'drafts'> {
  table: Import['tables'][number]
  draft: TableDraft
}

function TableChoices({ table, tables, tags, draft, onDraft }: TableChoicesProps) {
  const { name } = table
  const put = (change: Partial<TableDraft>) => onDraft(name, { ...draft, ...change })
  const tag = draft.tag && 'id' in draft.tag ? draft.tag.id : null
  const found = tags.find(({ tag_id }) => tag_id === tag) ?? null
  const isNew = draft.tag !== null && 'new' in draft.tag
  const chooseTag = (value: string) => {
    const next = tags.find(({ tag_id }) => tag_id === value) ?? null
    const columns = placed(table, next, value !== 'none')
    put({ tag: next ? { id: next.tag_id } : value === 'none' ? null : { new: name }, key: '', columns })
  }
  const about = tables.length > 1 ? ` of ${name}` : ''
  return (
    <div className={css.choices}>
      <div className={css.row}>
        <div className={css.choice}>
          <span aria-hidden>What a row is</span>
          <Listbox
            label={`What a row${about} is`}
            value={tag ?? (isNew ? 'new' : 'none')}
            options={[
              ['new', 'A new tag, made of the columns'],
              ...tags.map((each) => [each.tag_id, each.name, 'Tags'] as const),
              ['none', 'No tag: name and description alone'],
            ]}
            onValue={chooseTag}
          />
        </div>
        {draft.tag && 'new' in draft.tag && (
          <Field
            label={`Name of the new tag${about}`}
            placeholder="What one row is: Book, Invoice"
            value={draft.tag.new}
            required
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => put({ tag: { new: target.value } })}
          />
        )}
        <div className={css.choice}>
          <span aria-hidden>Where an item is there already</span>
          <Listbox
            label={`Where an item${about} is there already`}
            value={draft.key}
            options={[
              ['', 'Make every row a new item'],
              ...keysOf(draft, found).map((key) => [key, `Update it where ${key} is equal`] as const),
            ]}
            onValue={(key) => put({ key })}
          />
        </div>
      </div>
      {draft.key !== '' && (
        <label className={css.check}>
          <input
            type="checkbox"
            checked={draft.clear}
            onChange={({ target }) => put({ clear: target.checked })}
          />
          Empty cells clear what the item has
        </label>
      )}
      {found && (
        <p className={css.about}>
          <Link href={`/tags/${found.tag_id}/schema`}>Change its fields</Link>: what is said here stays
          meanwhile.
        </p>
      )}
      <ImportColumns
        {...{ table, tables, tags, draft }}
        tag={found}
        onDraft={(next) => onDraft(name, next)}
      />
    </div>
  )
}
