import { type ChangeEvent, useMemo, useState } from 'react'
import { ImportRun } from '#web/import/import-run.tsx'
import { DELIMITERS, readTable } from '#web/import/read-table.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { TextField } from '#web/parts/field.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { guessTargets, type Target } from '#web/rules/import-plan.ts'
import { ImportColumns } from '#web/import/import-columns.tsx'
import css from '#web/import/import-view.module.css'

const NewTagFromTable = loaded(() =>
  import('#web/import/new-tag-from-table.tsx').then(({ NewTagFromTable }) => NewTagFromTable),
)

interface ImportViewProps {
  tags: readonly Tag[]
  tag: Tag | null
  onTag: (tag_id: string | null) => void
}

/** A table becomes items: text in, columns to fields, faults by cell, then all at once. */
export function ImportView({ tags, tag, onTag }: ImportViewProps) {
  const [text, setText] = useState('')
  const [delimiter, setDelimiter] = useState<string>()
  const [isMaking, setMaking] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [chosen, setChosen] = useState<{ of: string; targets: Target[] }>()
  const table = useMemo(() => (text.trim() ? readTable(text, delimiter) : null), [text, delimiter])
  const guessed = useMemo(() => (table ? guessTargets(table.headings, tag) : []), [table, tag])
  // What was chosen belongs to these headings and this tag.
  const key = `${tag?.tag_id} ${tag?.schema_version} ${table?.headings.join('\t')}`
  const targets = chosen?.of === key ? chosen.targets : guessed
  const now = table && {
    key: `${key} ${JSON.stringify(targets)} ${text.length}`,
    choice: [text, delimiter, tag?.tag_id, chosen],
    table,
    tag,
    targets,
  }
  // What has begun goes on as it is, and is not offered once more, when somebody else changes the tag.
  const [begun, setBegun] = useState<typeof now>(null)
  const run = begun && now?.choice.every((each, i) => each === begun.choice[i]) ? begun : now
  const put = (next: string) => {
    setText(next)
    setDelimiter(undefined)
  }
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (file) put(await file.text())
  }
  return (
    <>
      <fieldset className={css.held} disabled={isRunning || isMaking}>
        <PageSection title="1. The table" lead="The first row says what the columns are called.">
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
                onChange={(event) => put(event.target.value)}
              />
            ) : (
              <p>
                {Math.round(text.length / 1000).toLocaleString()} thousand characters.{' '}
                <Button kind="quiet" onClick={() => put('')}>
                  Choose another
                </Button>
              </p>
            )}
          </div>
          {table && (
            <div className={css.row}>
              <label className={css.choice}>
                <span>Between the columns</span>
                <select value={table.delimiter} onChange={(event) => setDelimiter(event.target.value)}>
                  {DELIMITERS.map(([sign, name]) => (
                    <option key={sign} value={sign}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <p className={css.about}>
                {table.rows.length.toLocaleString()} {table.rows.length === 1 ? 'row' : 'rows'},{' '}
                {table.headings.length} {table.headings.length === 1 ? 'column' : 'columns'}
              </p>
            </div>
          )}
        </PageSection>
      </fieldset>
      {table && !table.rows.length && <Note kind="warn">There is a heading, and no row beneath it.</Note>}
      {table && run && table.rows.length > 0 && (
        <>
          <fieldset className={css.held} disabled={isRunning || isMaking}>
            <PageSection
              title="2. What they are"
              lead="The tag that the items get, and where each column goes."
            >
              <label className={css.choice}>
                <span>Tag</span>
                <select value={tag?.tag_id ?? ''} onChange={(event) => onTag(event.target.value || null)}>
                  <option value="">No tag: names and descriptions alone</option>
                  {tags.map(({ tag_id, name }) => (
                    <option key={tag_id} value={tag_id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              {!tag && (
                <NewTagFromTable table={table} isMaking={isMaking} onMaking={setMaking} onMade={onTag} />
              )}
              <ImportColumns
                table={table}
                tag={tag}
                targets={targets}
                onTargets={(next) => setChosen({ of: key, targets: next })}
              />
            </PageSection>
          </fieldset>
          <ImportRun
            key={run.key}
            table={run.table}
            tag={run.tag}
            targets={run.targets}
            isHeld={isMaking}
            onRunning={(running) => {
              setRunning(running)
              setBegun(run)
            }}
          />
        </>
      )}
    </>
  )
}
