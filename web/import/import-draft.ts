import { useSyncExternalStore } from 'react'
import { onSessionState, sessionState } from '#web/api/session-state.ts'
import type { ImportJob } from '#web/import/import-job.ts'
import { holdPage } from '#web/parts/use-leave-guard.ts'
import type { DateOrder } from '#web/rules/date-text.ts'
import type { TypeChoice } from '#web/rules/guess-columns.ts'
import type { Target } from '#web/rules/import-plan.ts'
import type { DecimalSign } from '#web/rules/number-text.ts'

/** What somebody has said of a column; what is not said is guessed. */
export interface ColumnChoice {
  /** Of a new tag: what the column becomes. */
  type?: TypeChoice | 'skip' | 'name' | 'description'
  order?: DateOrder
  sign?: DecimalSign
  /** What does not fit is left empty. */
  isEmptied?: boolean
}

/** A table on its way to items, with all that was said of it. */
export interface Draft {
  text: string
  file: string | null
  delimiter: string | undefined
  /** What the rows become where the address names no tag. */
  into: 'new' | 'bare' | null
  /** What the new tag is to be called. */
  name: string
  columns: Readonly<Record<number, ColumnChoice>>
  /** Where the columns go in a tag that is there, said of these headings and this tag. */
  targets: { of: string; targets: readonly Target[] } | null
  /** Rows meet items by the column that goes there; '': they do not. Undefined: as it is guessed. */
  match: string | undefined
  job: ImportJob | null
}

const EMPTY: Draft = {
  text: '',
  file: null,
  delimiter: undefined,
  into: null,
  name: '',
  columns: {},
  targets: null,
  match: undefined,
  job: null,
}

/** Kept while the tab is open: one may leave the page to mend a tag, and come back. */
let draft = EMPTY
const listeners = new Set<() => void>()

export function changeDraft(change: Partial<Draft>): void {
  // Done is what ends by itself, when nobody looks at the page.
  if (change.job && change.job !== draft.job) change.job.subscribe(holdWhileUnsaved)
  // What has been imported is not what is being looked at any more.
  draft = { ...draft, ...(draft.job?.state === 'done' && { job: null }), ...change }
  holdWhileUnsaved()
  for (const listener of listeners) listener()
}

let letGo: (() => void) | undefined

/** A table that was not imported, or is being imported, goes with the tab: closing, loading again and signing out ask. */
function holdWhileUnsaved(): void {
  const isHeld = draft.text !== '' && draft.job?.state !== 'done'
  if (isHeld) letGo ??= holdPage()
  else {
    letGo?.()
    letGo = undefined
  }
}

/** Another table: nothing that was said of the one before holds. */
export const putTable = (text: string, file: string | null): void =>
  changeDraft({ ...EMPTY, into: draft.into, text, file })

export const sayOfColumn = (column: number, said: ColumnChoice): void =>
  changeDraft({ columns: { ...draft.columns, [column]: { ...draft.columns[column], ...said } } })

export const useDraft = (): Draft =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => draft,
  )

// The next who signs in is somebody else.
onSessionState(() => {
  if (sessionState() === 'signed_out') changeDraft(EMPTY)
})
