import type { Caller } from '#src/domain/caller.ts'
import type { ErrorDetails } from '#src/domain/errors.ts'
import { forbidden, notFound } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Look } from '#src/imports/look/look.ts'
import type { ImportPlan, Mapping } from '#src/operations/imports/import-plan.ts'
import type { RowFault } from '#src/operations/imports/plan-rows.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { liveTokens } from '#src/storage/accounts/live-tokens.ts'
import { listedUser } from '#src/storage/accounts/users.ts'
import { changesOf } from '#src/storage/changes/changes.ts'
import { importChanges } from '#src/storage/imports/import-changes.ts'
import { findImport, type ImportRecord } from '#src/storage/imports/imports.ts'
import type { Db } from '#src/sql/query.ts'

/** How far an import has come. */
export interface ImportPlace {
  /** Which of several jobs, one after the other, it is that is under way. */
  turn: string
  /** 0: nothing is written; 1: rows become items; 2: references between rows. */
  pass: 0 | 1 | 2
  /** Rows of the file that are done in this pass. */
  n: number
  /** The name of the file said its format: the look may find another. */
  is_guessed?: true
  /** For the look, which keeps it. */
  header_row?: number
  /** What `run` was asked to do with faults, and `undo` with conflicts. */
  on_fault?: 'refuse' | 'skip'
  on_conflict?: 'refuse' | 'skip'
  /** What the state is again after an undo. */
  before?: 'done' | 'stopped' | 'failed'
  /** Portions of which an undo found nothing left: nothing of them was taken back by it. */
  gone?: Ulid[]
  /** The service failed, not a row: `run` goes on where it was. */
  is_resumable?: true
}

/** How far a process knows an import to be; `n` is null where it moves by itself: checking notes how far it is. */
export interface Reached {
  pass: ImportPlace['pass']
  n: number | null
}

export interface Outcome {
  created: number
  changed: number
  unchanged: number
  skipped: number
  /** The first ones. */
  faults: RowFault[]
  fault_count: number
}

/** What checking a mapping found. */
export interface ImportReport extends Outcome {
  /** The newest event of that moment. */
  newest: Ulid | null
}

export const MAX_FAULTS = 100
export const noOutcome = (): Outcome => ({
  created: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  faults: [],
  fault_count: 0,
})

export function addOutcome(sum: Outcome, more: Outcome): Outcome {
  return {
    created: sum.created + more.created,
    changed: sum.changed + more.changed,
    unchanged: sum.unchanged + more.unchanged,
    skipped: sum.skipped + more.skipped,
    faults: [...sum.faults, ...more.faults].slice(0, MAX_FAULTS),
    fault_count: sum.fault_count + more.fault_count,
  }
}

/** Why an import, or what was asked of it, failed. */
export interface ImportError {
  code: string
  message: string
  suggestion?: string
  details?: ErrorDetails
}

/** As whom an import writes. */
export type ImportCaller = Pick<Caller, 'user_id' | 'scope' | 'client' | 'source' | 'token_hash'>

export function storedCaller({ user_id, scope, client, source, token_hash }: Caller): string {
  const as: ImportCaller = { user_id, scope, client, source, token_hash }
  return JSON.stringify(as)
}

/** An import, and its file, is retained for this long after it was last asked for. */
const LIFE = 7 * 24 * 60 * 60 * 1000

export const expiryOf = (now: Date): string => new Date(now.getTime() + LIFE).toISOString()

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
export const placeOf = ({ place }: ImportRecord): ImportPlace => JSON.parse(place) as ImportPlace
export const planOf = ({ plan }: ImportRecord): ImportPlan | null => parsed(plan)
export const lookOf = ({ look }: ImportRecord): Look | null => parsed(look)

export function reachedOf(record: ImportRecord): Reached {
  const { pass, n } = placeOf(record)
  return { pass, n: pass > 0 || record.job === 'undo' ? n : null }
}

/** Whether no other process has gone on with it from there. */
export function isStillAt(record: ImportRecord, { pass, n }: Reached): boolean {
  const place = placeOf(record)
  return place.pass === pass && (n === null || place.n === n)
}

/** @throws NotFound, for somebody else's too */
export async function ownImport({ db, caller }: SqlContext, import_id: string): Promise<ImportRecord> {
  const id = parseUlid(import_id)
  const found = id && (await findImport(db, id))
  if (!found || found.user_id !== caller.user_id)
    throw notFound('Import', import_id, { suggestion: 'GET /api/imports lists yours' })
  return found
}

/** The changes of an import, and what is in force of them and of those that took them back: either may be undone later. */
async function takenBack(db: Db, record: ImportRecord) {
  const change_ids = await importChanges(db, record.id)
  const undoing = await importChanges(db, record.id, true)
  const inForce = new Set(
    (await changesOf(db, [...change_ids, ...undoing]))
      .filter(({ undone_by }) => undone_by === null)
      .map(({ change_id }) => change_id),
  )
  const { gone = [] } = placeOf(record)
  const isLeft = change_ids.some((id) => inForce.has(id) && !gone.includes(id))
  return {
    change_ids,
    undone: change_ids.length > 0 && !isLeft,
    undone_by: undoing.filter((id) => inForce.has(id)),
  }
}

export const isUndone = async (db: Db, record: ImportRecord): Promise<boolean> =>
  (await takenBack(db, record)).undone

/** An import as it is answered. */
export async function importAnswer(db: Db, record: ImportRecord) {
  const { import_id, file_id, file_name, format, state, created_at, expires_at } = record
  const look = lookOf(record)
  const { n, pass, is_resumable } = placeOf(record)
  const isWritten = record.outcome !== null
  const { newest: _, ...outcome } = parsed<ImportReport>(record.outcome ?? record.report) ?? { newest: null }
  const total = look?.rows ?? 0
  return {
    import_id,
    file_id,
    name: file_name,
    format,
    state,
    created_at,
    expires_at,
    done: !isWritten && state !== 'checking' ? 0 : pass === 2 ? total : Math.min(n, total),
    total,
    tables: (look?.tables ?? []).map(({ tag: _tag, ...table }) => ({
      ...table,
      columns: table.columns.map(({ names: _names, parts: _parts, ...column }) => column),
    })),
    left_out: look?.left_out ?? [],
    ...(record.mapping !== null && { mapping: parsed<Mapping>(record.mapping)! }),
    ...outcome,
    ...(await takenBack(db, record)),
    error: parsed<ImportError>(record.error),
    ...(state === 'failed' && is_resumable && { resumable: is_resumable }),
  }
}

/**
 * Within the change of a portion: whether who began the import still may.
 * @throws Forbidden
 */
export async function checkImporter({ db, now }: SqlContext, record: ImportRecord): Promise<void> {
  const { user_id, client, token_hash } = JSON.parse(record.caller) as ImportCaller
  if (user_id === null) return // an operator
  const user = await listedUser(db, user_id)
  if (!user || user.disabled || user.role === 'reader')
    throw forbidden('The account that began the import may not change the base any more')
  // A session may end meanwhile; a key or an app that was ended is to do nothing any more.
  if (client?.kind === 'session' || token_hash === null) return
  if (!(await liveTokens(db, [token_hash], now)).has(token_hash))
    throw forbidden('The key or app that began the import has ended')
}
