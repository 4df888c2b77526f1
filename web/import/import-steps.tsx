import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#web/api/call.ts'
import { type Fault, toFault } from '#web/api/fault.ts'
import { mapImport, runImport } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { type Import, importQuery, importsQuery } from '#web/data/imports-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { keepUndoable, LARGE_AT_ONCE } from '#web/data/undo-stack.ts'
import { ImportAbout } from '#web/import/import-about.tsx'
import { type Drafts, holdDrafts, keepDrafts, useKeptDrafts } from '#web/import/import-drafts.ts'
import { ImportOutcome } from '#web/import/import-outcome.tsx'
import { hasConflicts, ImportRun, importedWords } from '#web/import/import-run.tsx'
import { ImportTables } from '#web/import/import-tables.tsx'
import { Button } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { draftsOf, mappingOf } from '#web/rules/import-mapping.ts'
import { type NamedTables, problemWords } from '#web/rules/import-problem.ts'
import css from '#web/import/import-steps.module.css'

interface ImportStepsProps {
  data: Import
  tags: readonly Tag[]
  /** The tag whose page one comes from. */
  tag: Tag | null
}

/** One import on its way: what it is, what it would do, how far it is, and its end. */
export function ImportSteps({ data, tags, tag }: ImportStepsProps) {
  useEnd(data)
  const { import_id, state, tables } = data
  const kept = useKeptDrafts(import_id)
  const drafts = kept ?? draftsOf(tables, tags, { mapping: data.mapping, asked: tag })
  const { fault, isBusy, check, run } = useRequests(data, drafts)
  const refused = fault ?? (data.error && { told: toldOf(data.error), mapping: data.mapping ?? {} })
  const isSettling = state === 'ready' || state === 'checking'
  const isKnown = sameText(data.mapping, mappingOf(tables, drafts))
  const isChecked = isKnown && data.fault_count !== undefined
  const isHeld = kept !== undefined && isSettling && !isKnown
  useEffect(() => holdDrafts(import_id, isHeld), [import_id, isHeld])
  const choices = useRef<HTMLFieldSetElement>(null)
  const see = () => {
    const inputs = [...(choices.current?.elements ?? [])].filter((each) => each instanceof HTMLInputElement)
    const wrong = inputs.find(({ validity }) => !validity.valid)
    if (!wrong) return void check()
    wrong.closest('details')?.setAttribute('open', '')
    // Its field says so, and takes the focus.
    wrong.checkValidity()
  }
  return (
    <>
      <ImportAbout data={data} />
      {isSettling && (
        <fieldset ref={choices} className={css.held} disabled={isBusy || state === 'checking'}>
          <PageSection title="2. What it is" lead="What a row becomes, and where each column goes.">
            <ImportTables
              tables={tables}
              tags={tags}
              drafts={drafts}
              onDraft={(table, draft) => keepDrafts(import_id, { ...drafts, [table]: draft })}
            />
          </PageSection>
        </fieldset>
      )}
      {isSettling && (
        <PageSection title="3. What it would do">
          {state === 'checking' ? (
            <Progress data={data} words="checked" />
          ) : (
            <>
              {!isChecked && (
                <p className={css.row}>
                  <Button kind="primary" icon="eye" disabled={isBusy} onClick={see}>
                    {isBusy ? 'Looking …' : 'See what it would do'}
                  </Button>
                  Nothing is written yet.
                </p>
              )}
              {refused && <FaultNote {...refused} />}
              {isChecked && (
                <ImportOutcome
                  data={data}
                  tags={tags}
                  drafts={drafts}
                  isBusy={isBusy}
                  onRun={(on_fault) => void run(on_fault)}
                />
              )}
            </>
          )}
        </PageSection>
      )}
      {!isSettling && state !== 'reading' && (
        <ImportRun data={data} tags={tags} progress={<Progress data={data} words="written" />} />
      )}
    </>
  )
}

/** What is asked of the service, and why it refused. */
function useRequests({ import_id, tables }: Import, drafts: Drafts) {
  const client = useQueryClient()
  const [isBusy, alone] = useBusy()
  const [fault, setFault] = useState<Refusal | null>(null)
  const { queryKey } = importQuery(import_id)
  const ask = (request: () => Promise<{ data: Import }>) =>
    alone(async () => {
      setFault(null)
      const answer = await request().catch(toFault)
      if (answer instanceof Error) {
        setFault({ told: answer, mapping: mappingOf(tables, drafts) })
        await client.invalidateQueries({ queryKey })
      } else client.setQueryData(queryKey, answer.data)
    })
  return {
    fault,
    isBusy,
    check: () =>
      ask(() => call(mapImport, { import_id, ...mappingOf(tables, drafts) } as InputOf<typeof mapImport>)),
    run: (on_fault: 'refuse' | 'skip') => ask(() => call(runImport, { import_id, on_fault })),
  }
}

/** When it is over while somebody looks: what shows the base is read again, and Ctrl Z takes it back. */
function useEnd(data: Import): void {
  const client = useQueryClient()
  const before = useRef(data.state)
  useEffect(() => {
    const was = before.current
    before.current = data.state
    if (was !== 'running' || data.state === 'running') return
    void client.invalidateQueries()
    // What was taken back, in part too, or was to be, is over otherwise.
    if (data.undone || data.undone_by.length || hasConflicts(data) || !data.change_ids.length) return
    const words = importedWords(data)
    say(words)
    keepUndoable({
      words,
      change_ids: data.change_ids,
      at_once: LARGE_AT_ONCE,
      renew: () => client.invalidateQueries(),
    })
  }, [client, data])
  useEffect(() => () => void client.invalidateQueries({ queryKey: importsQuery.queryKey }), [client])
}

function Progress({ data: { done, total }, words }: { data: Import; words: string }) {
  return (
    <div className={css.row}>
      <progress className={css.progress} aria-label={`Rows ${words}`} max={Math.max(1, total)} value={done} />
      <span>
        {done.toLocaleString()} of {total.toLocaleString()} rows {words}
      </span>
    </div>
  )
}

/** Of a call, or of the work on an import. */
type Told = Pick<Fault, 'message'> & { suggestion?: string | undefined; problems?: Fault['problems'] }

const toldOf = ({ details, ...error }: NonNullable<Import['error']>): Told => ({
  ...error,
  problems: (details as Fault['details'] | undefined)?.errors ?? [],
})

/** Why it was refused, and of which mapping. */
interface Refusal {
  told: Told
  mapping: NamedTables
}

function FaultNote({ told: { message, problems = [], suggestion }, mapping }: Refusal) {
  const words = problems.slice(0, 20).map((each) => problemWords(each, mapping))
  return (
    <Note kind="danger">
      {words.length > 1 ? (
        <ul>
          {words.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      ) : (
        <p>{words[0] ?? message}</p>
      )}
      {suggestion && <p>{suggestion}</p>}
    </Note>
  )
}

/** Whether two mappings say the same, in whatever order. */
const sameText = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b)
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? ''
