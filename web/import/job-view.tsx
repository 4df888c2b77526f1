import { useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { changeDraft, putTable } from '#web/import/import-draft.ts'
import type { ImportJob } from '#web/import/import-job.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import css from '#web/import/import-run.module.css'

/** How far it is; stopped, it goes on with the list that it began with. */
export function JobView({ job }: { job: ImportJob }) {
  useSyncExternalStore(job.subscribe, job.snapshot)
  if (job.state === 'done') return <Done job={job} />
  const { made, total, refused } = job
  return (
    <>
      <div className={css.row}>
        {job.state === 'running' ? (
          <Button icon="stop" onClick={() => job.stop()}>
            Stop
          </Button>
        ) : (
          <>
            {refused.size > 0 ? (
              <Button kind="primary" onClick={() => void job.leaveOut()}>
                Go on without {refused.size === 1 ? 'this row' : `these ${refused.size} rows`}
              </Button>
            ) : (
              <Button kind="primary" icon="upload" onClick={() => void job.run()}>
                Go on with {many(job.left)}
              </Button>
            )}
            <Button onClick={() => changeDraft({ job: null })}>
              {made ? `Leave it at ${made.toLocaleString()}` : 'Change the table'}
            </Button>
          </>
        )}
        <progress aria-label="Imported" max={total} value={total - job.left} />
        <span>
          {made.toLocaleString()} of {total.toLocaleString()}
        </span>
      </div>
      {job.fault !== undefined && <Note kind="danger">{job.fault}</Note>}
    </>
  )
}

const many = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

function Done({ job: { made, created, updated, tag_id } }: { job: ImportJob }) {
  const words = updated
    ? [created && `made ${many(created)}`, `updated ${many(updated)}`].filter(Boolean).join(' and ')
    : `Imported ${many(made)}`
  return (
    <Note kind="good">
      <p>
        {words.charAt(0).toUpperCase() + words.slice(1)}. Ctrl Z takes all of it back; so does the{' '}
        <Link href="/history">history</Link>.
      </p>
      <p className={css.row}>
        <Link href={tag_id ? `/tags/${tag_id}` : '/items'}>Look at them</Link>
        <Button kind="quiet" onClick={() => putTable('', null)}>
          Another table
        </Button>
      </p>
    </Note>
  )
}
