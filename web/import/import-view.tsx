import { type ChangeEvent, useEffect, useMemo, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import type { Tag } from '#web/data/tags-query.ts'
import { ImportColumns } from '#web/import/import-columns.tsx'
import { changeDraft, type Draft, putTable, useDraft } from '#web/import/import-draft.ts'
import type { ImportJob } from '#web/import/import-job.ts'
import { ImportRun } from '#web/import/import-run.tsx'
import { DELIMITERS, readTable, type TableText } from '#web/import/read-table.ts'
import { type Arrangement, useArrangement } from '#web/import/use-arrangement.ts'
import { Button } from '#web/parts/button.tsx'
import { Field, TextField } from '#web/parts/field.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { Select } from '#web/parts/select.tsx'
import css from '#web/import/import-view.module.css'

interface ImportViewProps {
  tags: readonly Tag[]
  tag: Tag | null
  onTag: (tag_id: string | null) => void
}

/** A table becomes items: text in, columns to fields, faults by cell, then all at once. */
export function ImportView({ tags, tag, onTag }: ImportViewProps) {
  const draft = useDraft()
  const { text, delimiter, job } = draft
  const table = useMemo(() => (text.trim() ? readTable(text, delimiter) : null), [text, delimiter])
  const arrangement = useArrangement(table, tag, draft)
  const state = useJobState(job)
  // What has begun is fixed: it goes on as it is, or is left.
  const isHeld = state === 'running' || state === 'stopped'
  return (
    <>
      <fieldset className={css.held} disabled={isHeld}>
        <PageSection title="1. The table" lead="The first row says what the columns are called.">
          <Source draft={draft} table={table} />
        </PageSection>
      </fieldset>
      {table && !table.rows.length && <Note kind="warn">There is a heading, and no row beneath it.</Note>}
      {table && table.rows.length > 0 && (
        <>
          <fieldset className={css.held} disabled={isHeld}>
            <PageSection
              title="2. What they are"
              lead="The tag that the items get, and where each column goes."
            >
              <Into tags={tags} tag={tag} arrangement={arrangement} onTag={onTag} />
              {arrangement.into === 'new' && (
                <Field
                  label="Name of the new tag"
                  placeholder="What one row is: Book, Invoice"
                  value={draft.name}
                  maxLength={200}
                  autoComplete="off"
                  fault={takenBy(draft.name, tags)}
                  onChange={(event) => changeDraft({ name: event.target.value })}
                />
              )}
              {arrangement.into && (
                <ImportColumns table={table} tag={tag} tags={tags} arrangement={arrangement} />
              )}
            </PageSection>
          </fieldset>
          {arrangement.into && (
            <ImportRun
              table={table}
              tag={tag}
              arrangement={arrangement}
              draft={draft}
              isTaken={arrangement.into === 'new' && takenBy(draft.name, tags) !== undefined}
              onTag={onTag}
            />
          )}
        </>
      )}
    </>
  )
}

const takenBy = (name: string, tags: readonly Tag[]): string | undefined =>
  tags.some((tag) => tag.name === name.trim())
    ? 'There is a tag of this name already: choose it above.'
    : undefined

/** It stops where the page is left, and can be gone on with when one comes back. */
function useJobState(job: ImportJob | null): ImportJob['state'] | null {
  useSyncExternalStore(job?.subscribe ?? never, job?.snapshot ?? zero)
  useEffect(() => () => job?.stop(), [job])
  return job?.state ?? null
}

const never = () => () => undefined
const zero = () => 0

function Source({ draft, table }: { draft: Draft; table: TableText | null }) {
  const { text, file } = draft
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? []
    if (chosen) putTable(await chosen.text(), chosen.name)
  }
  return (
    <>
      <div className={css.source}>
        <label className={css.file}>
          Choose a CSV or TSV file
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            onChange={(event) => void choose(event)}
          />
        </label>
        {text.length < 200_000 ? (
          <TextField
            label="or paste rows from a spreadsheet"
            rows={6}
            spellCheck={false}
            className={css.text}
            value={text}
            onChange={(event) => putTable(event.target.value, null)}
          />
        ) : (
          <p>
            {file ?? 'The table'}: {Math.round(text.length / 1000).toLocaleString()} thousand characters.{' '}
            <Button kind="quiet" onClick={() => putTable('', null)}>
              Choose another
            </Button>
          </p>
        )}
      </div>
      {table && (
        <div className={css.row}>
          <label className={css.choice}>
            <span>Between the columns</span>
            <Select
              value={table.delimiter}
              onChange={(event) => changeDraft({ delimiter: event.target.value, columns: {}, targets: null })}
            >
              {DELIMITERS.map(([sign, name]) => (
                <option key={sign} value={sign}>
                  {name}
                </option>
              ))}
            </Select>
          </label>
          <p className={css.about}>
            {table.rows.length.toLocaleString()} {table.rows.length === 1 ? 'row' : 'rows'},{' '}
            {table.headings.length} {table.headings.length === 1 ? 'column' : 'columns'}
          </p>
        </div>
      )}
    </>
  )
}

interface IntoProps {
  tags: readonly Tag[]
  tag: Tag | null
  arrangement: Arrangement
  onTag: (tag_id: string | null) => void
}

/** A tag that is there, a new one, or none: said, never guessed. */
function Into({ tags, tag, arrangement, onTag }: IntoProps) {
  const value = tag ? `tag ${tag.tag_id}` : (arrangement.into ?? '')
  const put = (next: string) => {
    const [kind, tag_id = null] = next.split(' ')
    changeDraft({ into: kind === 'new' || kind === 'bare' ? kind : null, match: undefined })
    onTag(tag_id)
  }
  return (
    <div className={css.row}>
      <label className={css.choice}>
        <span>Tag</span>
        <Select aria-label="Tag" value={value} onChange={(event) => put(event.target.value)}>
          {!value && <option value="">Choose what one row is</option>}
          <option value="new">A new tag, made of the columns</option>
          {tags.map(({ tag_id, name }) => (
            <option key={tag_id} value={`tag ${tag_id}`}>
              {name}
            </option>
          ))}
          <option value="bare">No tag: names and descriptions alone</option>
        </Select>
      </label>
      {tag && (
        <p className={css.about}>
          <Link href={`/tags/${tag.tag_id}/schema`}>Change its fields</Link>: the table stays here meanwhile.
        </p>
      )}
    </div>
  )
}
