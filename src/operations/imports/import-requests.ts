import { conflict, type ServiceError } from '#src/domain/errors.ts'
import { counted } from '#src/domain/message-words.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { jsonUpTo } from '#src/domain/up-to.ts'
import type { ImportFormat } from '#src/imports/source.ts'
import {
  expiryOf,
  type ImportPlace,
  importAnswer,
  isUndone,
  lookOf,
  ownImport,
  placeOf,
  storedCaller,
} from '#src/operations/imports/import-record.ts'
import type { Mapping } from '#src/operations/imports/import-plan.ts'
import { settlePlan } from '#src/operations/imports/settle-plan.ts'
import { readableFile } from '#src/operations/files/file-steps.ts'
import type { Db } from '#src/sql/query.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { holdFiles, releaseFiles } from '#src/storage/files/file-uses.ts'
import { importChanges } from '#src/storage/imports/import-changes.ts'
import {
  deleteImportRow,
  expiredImports,
  findImport,
  holderOf,
  holdersOfNoImport,
  type ImportRecord,
  insertImport,
  updateImport,
} from '#src/storage/imports/imports.ts'

/** The turn that it is to have, by which who has asked for it waits for its end. */
interface Asked {
  turn: string
}

/** As it is answered while it is done. */
const asBegun = async (db: Db, import_id: Ulid): Promise<Reply> =>
  Reply.of(await importAnswer(db, (await findImport(db, import_id))!), { status: 202 })

/** What somebody asks for is noted; the runner does it. */
export const requestLook = defineStep({
  name: 'requestLook',
  effect: 'write',
  async run(
    context,
    {
      file_id,
      format,
      is_guessed,
      header_row,
      turn,
    }: Asked & {
      file_id: Ulid
      format: ImportFormat
      is_guessed: boolean
      header_row?: number | undefined
    },
  ): Promise<Reply> {
    const { db, caller, now, newId } = context
    const file = await readableFile(context, file_id)
    const import_id = newId()
    const place: ImportPlace = {
      turn,
      pass: 0,
      n: 0,
      ...(is_guessed && { is_guessed }),
      ...(header_row !== undefined && { header_row }),
    }
    await insertImport(db, {
      import_id,
      user_id: caller.user_id,
      file_id,
      file_name: file.name,
      format,
      caller: storedCaller(caller),
      created_at: now.toISOString(),
      expires_at: expiryOf(now),
      state: 'reading',
      job: 'look',
      place: JSON.stringify(place),
    })
    await holdFiles(db, [file_id], holderOf(import_id), { shared: false })
    return asBegun(db, import_id)
  },
})

/** Bytes of a mapping as JSON, which is kept with the import. */
const MAX_MAPPING = 4 * 1024 * 1024

/**
 * A mapping as JSON, once it is known to fit the file. It may be long, so it is looked at without holding the writer; the job
 * settles it again.
 * @throws what `settlePlan` throws; Conflict where it is too late
 */
export const checkMapping = defineStep({
  name: 'checkMapping',
  effect: 'read',
  async run(context, { import_id, mapping }: { import_id: string; mapping: Mapping }): Promise<string> {
    const record = await mappedImport(context, import_id)
    const text = jsonUpTo(mapping, 'tables', MAX_MAPPING)
    await settlePlan(context.db, lookOf(record)!, mapping)
    return text
  },
})

/** @throws Conflict where it is too late */
export const requestCheck = defineStep({
  name: 'requestCheck',
  effect: 'write',
  async run(
    context,
    { import_id, mapping, turn }: Asked & { import_id: string; mapping: string },
  ): Promise<Reply> {
    const record = await mappedImport(context, import_id)
    const place: ImportPlace = { turn, pass: 0, n: 0 }
    return request(context, record, {
      state: 'checking',
      job: 'check',
      place,
      mapping,
      plan: null,
      report: null,
    })
  },
})

async function mappedImport(context: SqlContext, import_id: string): Promise<ImportRecord> {
  const record = await ownImport(context, import_id)
  if (record.state !== 'ready' && record.state !== 'checking') throw wrongState(record, MAPPED)
  // Before its first portion a run checks all rows once more: it was accepted, and is not to vanish.
  if (record.job === 'run') throw wrongState(record, 'Stop it first')
  return record
}

const MAPPED = 'Only what is ready can be mapped; upload the file again for another import'

export const requestRun = defineStep({
  name: 'requestRun',
  effect: 'write',
  async run(
    context,
    { import_id, on_fault: asked, turn }: Asked & { import_id: string; on_fault?: 'refuse' | 'skip' },
  ): Promise<Reply> {
    const record = await ownImport(context, import_id)
    const { is_resumable, ...before } = placeOf(record)
    if (record.state === 'failed' && is_resumable) {
      const place = { ...before, turn, ...(asked && { on_fault: asked }) }
      return request(context, record, { state: 'running', job: 'run', place })
    }
    const on_fault = asked ?? 'refuse'
    if (record.state !== 'ready')
      throw wrongState(record, 'It runs once; upload the file again for another import')
    if (record.report === null)
      throw conflict('It is not said yet what is to become of the columns', {
        suggestion: `Say it with PUT /api/imports/${record.import_id}; {} takes what the look said`,
      })
    const { fault_count, faults } = JSON.parse(record.report) as { fault_count: number; faults: object[] }
    if (fault_count && on_fault === 'refuse') throw refused(fault_count, faults)
    const place: ImportPlace = { turn, pass: 0, n: 0, on_fault }
    return request(context, record, { state: 'checking', job: 'run', place })
  },
})

export function refused(fault_count: number, faults: readonly object[]): ServiceError {
  return conflict(`${counted(fault_count, 'row has', 'rows have')} a fault, so nothing was written`, {
    suggestion: 'Correct the file or the mapping, or leave such rows out with on_fault: "skip"',
    details: { faults, fault_count },
  })
}

export const requestUndo = defineStep({
  name: 'requestUndo',
  effect: 'write',
  async run(
    context,
    { import_id, on_conflict, turn }: Asked & { import_id: string; on_conflict: 'refuse' | 'skip' },
  ): Promise<Reply> {
    const record = await ownImport(context, import_id)
    const { state } = record
    if (state !== 'done' && state !== 'stopped' && state !== 'failed')
      throw wrongState(record, state === 'running' ? 'Stop it first' : 'Nothing was written by it')
    if (await isUndone(context.db, record))
      throw conflict('The import is undone already', {
        suggestion: 'Undo the changes under undone_by to bring it back',
      })
    if (!(await importChanges(context.db, record.id)).length)
      throw conflict('The import wrote nothing', { suggestion: 'There is nothing to undo' })
    const place: ImportPlace = { turn, pass: 0, n: 0, on_conflict, before: state }
    return request(context, record, { state: 'running', job: 'undo', place })
  },
})

type Requested = Partial<Omit<ImportRecord, 'id' | 'import_id' | 'user_id' | 'place'>> & {
  place: ImportPlace
}

async function request(
  { db, caller, now }: SqlContext,
  record: ImportRecord,
  { place, ...values }: Requested,
): Promise<Reply> {
  await updateImport(db, record.id, {
    ...values,
    place: JSON.stringify(place),
    caller: storedCaller(caller),
    error: null,
    expires_at: expiryOf(now),
  })
  return asBegun(db, record.import_id)
}

export async function stopRunning(context: SqlContext, import_id: string) {
  const record = await ownImport(context, import_id)
  if (record.job !== 'run') throw wrongState(record, 'Only what runs can be stopped')
  // Nothing is written while it is checked once more.
  const state = record.state === 'checking' ? ('ready' as const) : ('stopped' as const)
  const stopped = { state, job: null } as const
  await updateImport(context.db, record.id, stopped)
  return importAnswer(context.db, { ...record, ...stopped })
}

export async function dropImport(context: SqlContext, import_id: string): Promise<{ import_id: Ulid }> {
  const record = await ownImport(context, import_id)
  if (record.job === 'run' || record.job === 'undo') throw wrongState(record, 'Stop it first')
  await drop(context, record)
  return { import_id: record.import_id }
}

async function drop(
  { db, now }: SqlContext,
  { id, import_id }: Pick<ImportRecord, 'id' | 'import_id'>,
): Promise<void> {
  await releaseFiles(db, holderOf(import_id), now)
  await deleteImportRow(db, id)
}

const SWEPT = 100
/** Forgets imports whose time is over, and what those kept that are gone with their account; whether there may be more. */
export const sweepImports = defineStep({
  name: 'sweepImports',
  effect: 'write',
  async run(context): Promise<boolean> {
    const expired = await expiredImports(context.db, context.now.toISOString(), SWEPT)
    for (const each of expired) await drop(context, each)
    const left = await holdersOfNoImport(context.db, SWEPT)
    for (const holder of left) await releaseFiles(context.db, holder, context.now)
    return expired.length === SWEPT || left.length === SWEPT
  },
})

/** The import, and whether what was asked for under that turn is done. */
export const findOwnImport = defineStep({
  name: 'findOwnImport',
  effect: 'read',
  inline: true,
  async run(context, { import_id, turn }: { import_id: string; turn?: string }) {
    const record = await ownImport(context, import_id)
    const isDone = record.job === null || (turn !== undefined && placeOf(record).turn !== turn)
    return { isDone, answer: await importAnswer(context.db, record) }
  },
})

export const dropFailedImport = defineStep({
  name: 'dropFailedImport',
  effect: 'write',
  async run(context, { import_id }: { import_id: Ulid }): Promise<null> {
    const record = await findImport(context.db, import_id)
    if (record?.state === 'failed' && record.look === null) await drop(context, record)
    return null
  },
})

function wrongState({ import_id, state }: ImportRecord, suggestion: string): ServiceError {
  return conflict(`The import '${import_id}' is ${state}`, { suggestion })
}
