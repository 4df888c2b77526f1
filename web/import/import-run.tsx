import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { type Fault, toFault } from '#web/api/fault.ts'
import { runImport, stopImport, undoImport } from '#web/api/operations.ts'
import { type Import, importQuery } from '#web/data/imports-query.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { SaveFaults } from '#web/import/save-faults.tsx'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/import/import-steps.module.css'

interface ImportRunProps {
  data: Import
  tags: readonly Tag[]
  progress: ReactNode
}

/** How far it is; its end, and the way back. */
export function ImportRun({ data, tags, progress }: ImportRunProps) {
  const client = useQueryClient()
  const [isBusy, alone] = useBusy()
  const [fault, setFault] = useState<Fault | null>(null)
  const { import_id, state, undone, undone_by, error, change_ids, fault_count = 0 } = data
  const ask = (request: () => Promise<{ data: Import }>) =>
    alone(async () => {
      setFault(null)
      const answer = await request().catch(toFault)
      if (answer instanceof Error) setFault(answer)
      else client.setQueryData(importQuery(import_id).queryKey, answer.data)
      await client.invalidateQueries()
    })
  const undo = (on_conflict: 'refuse' | 'skip') => ask(() => call(undoImport, { import_id, on_conflict }))
  if (state === 'running')
    return (
      <PageSection title="4. On its way" lead="It goes on when this page is left, and is found here again.">
        {progress}
        <p>
          <Button
            icon="stop"
            disabled={isBusy}
            onClick={() => void ask(() => call(stopImport, { import_id }))}
          >
            Stop
          </Button>
        </p>
      </PageSection>
    )
  if (!data.tables.length && state === 'failed') return null
  const conflicts = (fault?.details ?? (error?.details as Fault['details'] | undefined))?.conflicts
  const refused = fault?.message ?? error?.message
  return (
    <PageSection title={state === 'done' ? '4. Done' : '4. Ended'}>
      <Note kind={state === 'done' && !undone ? 'good' : 'plain'}>
        <p>{undone ? 'All of it was taken back.' : `${importedWords(data)}.`}</p>
        {!undone && undone_by.length > 0 && <p>A part of it was taken back.</p>}
        {state === 'stopped' && !undone && <p>It was stopped: the rest was not imported.</p>}
        <p className={css.row}>
          <Link href={placeOf(data, tags)}>Look at them</Link>
          <Link href="/import">Another file</Link>
          <Link href="/history">History</Link>
        </p>
      </Note>
      {!undone && fault_count > 0 && (
        <Note kind="warn">
          <p>
            {fault_count === 1 ? 'One row has a fault' : `${fault_count.toLocaleString()} rows have faults`},
            and stayed out.
          </p>
          <p>
            <SaveFaults data={data} />
          </p>
        </Note>
      )}
      {refused !== undefined && (
        <Note kind="danger">
          <p>{refused}</p>
          {data.resumable && error?.suggestion && <p>{error.suggestion}</p>}
        </Note>
      )}
      {data.resumable && (
        <p className={css.row}>
          <Button
            kind="primary"
            disabled={isBusy}
            onClick={() => void ask(() => call(runImport, { import_id }))}
          >
            Go on
          </Button>
        </p>
      )}
      {!undone && change_ids.length > 0 && (
        <p className={css.row}>
          <Button icon="undo" disabled={isBusy} onClick={() => void undo('refuse')}>
            {isBusy
              ? 'Taking it back …'
              : undone_by.length > 0
                ? 'Undo what is left of it'
                : 'Undo all of it'}
          </Button>
          {Array.isArray(conflicts) && conflicts.length > 0 && (
            <Button disabled={isBusy} onClick={() => void undo('skip')}>
              Undo the rest, and leave what was changed since
            </Button>
          )}
        </p>
      )}
    </PageSection>
  )
}

/** It was to be taken back, and was changed since. */
export const hasConflicts = ({ error }: Import): boolean =>
  Array.isArray((error?.details as Fault['details'] | undefined)?.conflicts)

const many = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

export function importedWords({ created = 0, changed = 0, unchanged = 0 }: Import): string {
  if (!changed && !unchanged) return `Imported ${many(created)}`
  const parts = [created && `made ${many(created)}`, changed && `updated ${many(changed)}`].filter(Boolean)
  const words = parts.length ? parts.join(' and ') : 'changed nothing: all of it is there already'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The page of the tag that the rows got, where it is one. */
function placeOf({ mapping, tables }: Import, tags: readonly Tag[]): string {
  const wishes = mapping?.tables
  const names = (wishes ?? tables).map(({ name }, i) => {
    const tag = wishes?.[i]?.tag
    return tag ? ('id' in tag ? tag.id : tag.new.name) : tag === null ? '' : name
  })
  const found = tags.filter(({ tag_id, name }) => names.includes(tag_id) || names.includes(name))
  return found.length === 1 ? `/tags/${found[0]!.tag_id}` : '/items'
}
