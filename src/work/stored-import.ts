import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type ImportFile, ImportFault, type ImportFormat } from '#src/imports/source.ts'
import { storeFile } from '#src/operations/files/store-file.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import {
  type ImportCaller,
  type ImportError,
  type ImportPlace,
  lookOf,
  placeOf,
  type Reached,
  reachedOf,
} from '#src/operations/imports/import-record.ts'
import { asImportError, endImportJob, findImportJob } from '#src/operations/imports/import-steps.ts'
import { checkMayStore } from '#src/operations/imports/run-steps.ts'
import { makeWorkingFolder } from '#src/process/working-folders.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'
import type { ImportRecord } from '#src/storage/imports/imports.ts'
import { EmbeddedFiles, type EmbeddedId } from '#src/work/embedded-files.ts'
import { ImportJob } from '#src/work/import-job.ts'

/** What is to be done with an import whose file is the service's: its file is fetched, its job done, its end noted. */
export class StoredImport {
  private readonly runtime: Runtime
  private readonly import_id: Ulid
  private readonly signal: AbortSignal
  /** Of the job that is carried out: another one may be asked for meanwhile. */
  private turn: Ulid | null = null

  constructor(runtime: Runtime, import_id: Ulid, signal: AbortSignal) {
    this.runtime = runtime
    this.import_id = import_id
    this.signal = signal
  }

  /** @throws what is no fault of the file or its mapping: it is tried again later */
  async carryOut(): Promise<void> {
    const record = await this.call(NOBODY, findImportJob, { import_id: this.import_id })
    if (!record) return
    this.turn = placeOf(record).turn
    const caller = callerOf(record)
    let job: ImportJob | undefined
    const folder = makeWorkingFolder('import')
    try {
      const { time_zone } = this.runtime.services.config
      const call = <I extends object, O>(step: Step<I, O>, input: NoInfer<I>) =>
        this.call(caller, step, input)
      const file = record.job === 'undo' ? null : await this.fetch(caller, record, folder)
      const task = file && { file, ...readingOf(record), time_zone }
      const { withFiles } = new EmbeddedFiles(task, this.keepEmbedded(caller))
      job = new ImportJob({ call, signal: this.signal, record, task, withFiles })
      await job.carryOut()
    } catch (error) {
      const told = errorOf(error)
      if (this.signal.aborted || !told) throw error
      await this.fail(record, told, job?.reached ?? reachedOf(record))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  private async fail(record: ImportRecord, error: ImportError, reached: Reached): Promise<void> {
    const current = await this.call(NOBODY, findImportJob, { import_id: this.import_id })
    const place = current ? placeOf(current) : null
    const mayGoOn = place !== null && error.code === 'InsufficientStorage'
    await this.end(record, { place, reached, error, mayGoOn })
  }

  /** Ends a job that has failed so often that nothing is gained by another try: who wants it says when it goes on. */
  async giveUp(cause: unknown, tries: number): Promise<void> {
    const record = await this.call(NOBODY, findImportJob, { import_id: this.import_id })
    if (!record) return
    const place = placeOf(record)
    if (this.turn !== null && place.turn !== this.turn) return
    const error = givenUp(record, stateAfter(record, place), cause, tries)
    await this.end(record, { place, reached: reachedOf(record), error, mayGoOn: true })
  }

  /** `mayGoOn`: it is no fault of the rows, so that what has written some can go on behind them. */
  private async end(
    record: ImportRecord,
    {
      place,
      reached,
      error,
      mayGoOn,
    }: { place: ImportPlace | null; reached: Reached; error: ImportError; mayGoOn: boolean },
  ): Promise<void> {
    const state = stateAfter(record, place)
    const is_resumable = mayGoOn && record.job === 'run' && state === 'failed'
    const values = {
      state,
      error: JSON.stringify(error),
      ...(is_resumable && { place: JSON.stringify({ ...place, is_resumable }) }),
    }
    const { turn } = placeOf(record)
    await this.call(NOBODY, endImportJob, { import_id: this.import_id, turn, reached, values })
  }

  private async fetch(
    caller: Caller,
    { file_id, file_name }: ImportRecord,
    folder: string,
  ): Promise<ImportFile> {
    const file = await openFile(this.runtime, caller, file_id!)
    const path = join(folder, 'file')
    await pipeline(await file.open(), createWriteStream(path, { mode: 0o600 }), { signal: this.signal })
    return { path, name: file_name, size: file.size, folder }
  }

  private keepEmbedded(caller: Caller): EmbeddedId {
    return async (name, content, was) => {
      await this.call(caller, checkMayStore, { import_id: this.import_id })
      return (await storeFile(this.runtime, caller, { name, content, may_be_known: true, was })).file_id
    }
  }

  private async call<I extends object, O>(caller: Caller, step: Step<I, O>, input: NoInfer<I>): Promise<O> {
    const { json } = await runOperation(this.runtime, step, caller, input)
    return JSON.parse(json) as O
  }
}

/** What failed: looking at a file makes nothing of it; of a mapping it stays ready for another one. */
function stateAfter({ job }: ImportRecord, place: ImportPlace | null): ImportRecord['state'] {
  if (job === 'look') return 'failed'
  if (job === 'undo') return place?.before ?? 'done'
  return job === 'check' || !place || place.pass === 0 ? 'ready' : 'failed'
}

function readingOf(record: ImportRecord) {
  const { is_guessed = false, header_row } = placeOf(record)
  const format = record.format as ImportFormat
  return { format, is_guessed, header_row: header_row ?? lookOf(record)?.header_row }
}

function callerOf({ caller }: ImportRecord): Caller {
  const as = JSON.parse(caller) as ImportCaller
  // A session may end meanwhile: each portion, and each file, asks whether its account still may.
  const token_hash = as.client?.kind === 'session' ? null : as.token_hash
  return { ...NOBODY, ...as, token_hash, role: 'editor' }
}

/** Why an import was given up, and what goes on with it once that is mended. */
function givenUp(
  { job, import_id }: ImportRecord,
  state: ImportRecord['state'],
  cause: unknown,
  tries: number,
): ImportError {
  const isTold = cause instanceof ServiceError
  const reason = isTold ? cause.message : "a fault of the service's own"
  const next = {
    look: 'look at the file again by another import of it',
    check: 'say again what is to become of the columns',
    run:
      state === 'failed'
        ? 'run it again: it goes on behind the rows that it has written. Or undo it'
        : 'run it again: nothing is written yet',
    undo: 'undo it again: what is taken back already stays so',
  }[job!]
  return {
    code: isTold ? cause.code : 'InternalServerError',
    message: `The import could not go on, which was tried ${tries} times: ${reason}`,
    suggestion: `The log of the service has the cause under '${import_id}'. Once it is mended, ${next}`,
  }
}

/** What may pass by itself, and is no fault of what was given. A full disk does not, and says so itself. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['ServiceUnavailable', 'InternalServerError'])

/** Null: it is no fault of what was given. */
function errorOf(error: unknown): ImportError | null {
  if (error instanceof ImportFault) {
    const { message, suggestion, place } = error
    const { file, line } = place
    return {
      code: 'BadRequest',
      message,
      ...(suggestion !== undefined && { suggestion }),
      details: { ...(file !== undefined && { file }), ...(line !== undefined && { line }) },
    }
  }
  if (!(error instanceof ServiceError)) return null
  return OF_THE_SERVICE.has(error.code) ? null : asImportError(error)
}
