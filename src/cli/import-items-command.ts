import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Options, refuseNoFile } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { Progress } from '#src/cli/progress.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest, conflict, invalid, ServiceError, unprocessable } from '#src/domain/errors.ts'
import { fileName } from '#src/domain/file-name.ts'
import { counted, didYouMean } from '#src/domain/message-words.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { MeasuredContent } from '#src/files/measured-content.ts'
import { openStore as openFileStore } from '#src/files/open-store.ts'
import { formatOf, hasHeaderRow, otherFormat } from '#src/imports/format-of.ts'
import { ImportThread } from '#src/imports/import-thread.ts'
import type { ImportTask } from '#src/imports/import-worker.ts'
import type { Look } from '#src/imports/look/look.ts'
import { IMPORT_FORMATS, ImportFault, type ImportFormat } from '#src/imports/source.ts'
import type { Mapping } from '#src/operations/imports/import-plan.ts'
import type { ImportError, ImportReport, Outcome } from '#src/operations/imports/import-record.ts'
import { referToTags, settleImport } from '#src/operations/imports/import-steps.ts'
import { IMPORT_JOB_STEPS } from '#src/operations/imports/job-steps.ts'
import {
  addOperatorImport,
  beginOperatorJob,
  dropOperatorImport,
  findOperatorImport,
  keepOperatorFile,
} from '#src/operations/imports/operator-steps.ts'
import { makeWorkingFolder } from '#src/process/working-folders.ts'
import type { ImportRecord } from '#src/storage/imports/imports.ts'
import { EmbeddedFiles, type EmbeddedId } from '#src/work/embedded-files.ts'
import { ImportJob } from '#src/work/import-job.ts'

export const IMPORT_STEPS = [
  ...IMPORT_JOB_STEPS,
  addOperatorImport,
  beginOperatorJob,
  dropOperatorImport,
  findOperatorImport,
  keepOperatorFile,
]

/** What the words after `import-items` ask for. @throws BadRequest */
export function readImportCommand(
  [path, ...others]: readonly string[],
  options: Options,
  config: Config,
): (store: Store) => Promise<string> {
  if (path === undefined) throw badRequest('import-items wants the file that is to be imported')
  if (others.length) throw badRequest(`import-items does not take '${others[0]}'`)
  if (existsSync(path)) refuseNoFile(path)
  const format = options.format ?? formatOf(path)
  const formats = IMPORT_FORMATS.join(', ')
  if (format === undefined)
    throw badRequest(`The name '${path}' does not say its format`, {
      suggestion: otherFormat(path, `--format (${formats})`),
    })
  if (!(IMPORT_FORMATS as readonly string[]).includes(format))
    throw badRequest(`There is no format '${format}'`, { suggestion: `--format is one of ${formats}` })
  const header_row = headerRow(options['header-row'], format as ImportFormat)
  return async (store) => {
    refuseNoFile(path)
    const { size } = await stat(path)
    const folder = makeWorkingFolder('import')
    const task = {
      file: { path, name: basename(path), size, folder },
      format: format as ImportFormat,
      is_guessed: options.format === undefined,
      header_row,
      time_zone: config.time_zone,
    }
    try {
      return await new OperatorImport(store, task, config).carryOut(options)
    } catch (error) {
      if (!(error instanceof ImportFault)) throw error
      throw unprocessable(
        error.message,
        error.suggestion === undefined ? {} : { suggestion: error.suggestion },
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function headerRow(text: string | undefined, format: ImportFormat): number | undefined {
  if (text === undefined) return undefined
  if (!hasHeaderRow(format)) throw badRequest(`Files of the format ${format} have no row of headings`)
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw badRequest(`--header-row is the number of a line, from 1, not '${text}'`)
  return Number(text)
}

class OperatorImport {
  private readonly store: Store
  private readonly task: ImportTask
  private readonly config: Config

  constructor(store: Store, task: ImportTask, config: Config) {
    this.store = store
    this.task = task
    this.config = config
  }

  async carryOut(options: Options): Promise<string> {
    const look = await this.look()
    const { format, file } = this.task
    const import_id = await this.store.call(addOperatorImport, { file_name: file.name, format, look })
    let isWritten = false
    try {
      const mapping = await this.mapping(look, options)
      const checked = await this.work(
        await this.store.call(beginOperatorJob, { import_id, mapping }),
        'checked',
      )
      const { newest: _, ...report } = JSON.parse(checked.report!) as ImportReport
      const { left_out } = look
      const found = { ...report, left_out }
      if (options['dry-run']) return told(found, 'would be', options)
      if (found.fault_count && options.json) {
        process.exitCode = 1
        return told(found, 'would be', options)
      }
      if (found.fault_count)
        throw conflict(told(found, 'would be', options), {
          suggestion: 'Nothing was written: correct these first',
        })
      const done = await this.work(await this.store.call(beginOperatorJob, { import_id }), 'written')
      isWritten = done.outcome !== null
      return told({ ...(JSON.parse(done.outcome!) as Outcome), left_out }, 'were', options)
    } finally {
      if (!isWritten) await this.store.call(dropOperatorImport, { import_id })
    }
  }

  private async look(): Promise<Look> {
    const thread = new ImportThread(this.task)
    try {
      const { format, ...look } = await thread.look()
      if (format) this.task.format = format
      return await this.store.call(referToTags, { look })
    } finally {
      await thread.close()
    }
  }

  /** The tag is one that is there, else a new one. */
  private async mapping(look: Look, { tag, key }: Options): Promise<Mapping> {
    const tables = (named: object): Mapping => ({
      tables: look.tables.map(({ name, columns }) => ({
        name,
        ...named,
        ...(key !== undefined && columns.some((column) => column.name === key) && { key }),
      })),
    })
    const names = new Set(look.tables.flatMap(({ columns }) => columns.map(({ name }) => name)))
    if (key !== undefined && !names.has(key))
      throw invalid([
        { path: '--key', message: `no table has a column '${key}'; ${didYouMean(key, [...names])}` },
      ])
    if (tag === undefined) return key === undefined ? {} : tables({})
    const existing = tables({ tag: { id: tag } })
    try {
      await this.store.call(settleImport, { look, mapping: existing })
      return existing
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'NotFound') throw error
      return tables({ tag: { new: { name: tag } } })
    }
  }

  private async work(record: ImportRecord, done: string): Promise<ImportRecord> {
    const progress = new Progress({ atOnce: true })
    const job = new ImportJob({
      call: (step, input) => this.store.call(step, input),
      signal: new AbortController().signal,
      record,
      task: this.task,
      withFiles: new EmbeddedFiles(this.task, keepEmbedded(this.store, this.config, record.import_id))
        .withFiles,
      onProgress: (rows, total) =>
        progress.show(
          () => `${progress.isTerminal ? barOf(rows, total) : ''}${rows} of ${total} rows ${done}`,
        ),
    })
    await job.carryOut()
    progress.end()
    const after = await this.store.call(findOperatorImport, { import_id: record.import_id })
    if (after.error) {
      const { code, message, suggestion } = JSON.parse(after.error) as ImportError
      throw new ServiceError(
        code as ServiceError['code'],
        message,
        suggestion === undefined ? {} : { suggestion },
      )
    }
    return after
  }
}

const nextBlob = ulidSource()

/** As the service does with what is uploaded. */
function keepEmbedded(
  store: Store,
  { files, file_limit }: Pick<Config, 'files' | 'file_limit'>,
  import_id: string,
): EmbeddedId {
  const bytes = openFileStore(files)
  return async (name, source, was) => {
    const blob = nextBlob(Date.now())
    const content = new MeasuredContent(source, (size) => {
      if (size > file_limit) throw badRequest(`'${name}' in the archive is larger than FILE_LIMIT`)
    })
    await bytes.put(blob, content)
    const measured = { ...content.measure(name), name: fileName(name), blob, import_id, was }
    const { file_id, isNew } = await store.call(keepOperatorFile, measured)
    if (!isNew) await bytes.remove(blob)
    return file_id
  }
}

/** A bar, on a terminal. */
function barOf(rows: number, total: number): string {
  const full = Math.round((30 * rows) / Math.max(1, total))
  return `[${'#'.repeat(full).padEnd(30)}] `
}

const MOST_LEFT_OUT = 50

type Verb = 'were' | 'would be'

function told(outcome: Outcome & Pick<Look, 'left_out'>, verb: Verb, { json }: Options): string {
  if (json) return JSON.stringify(outcome)
  const { created, changed, unchanged, skipped, faults, fault_count, left_out } = outcome
  const lines = faults.map(({ table, file, line, column, message }) => {
    const place = [file ?? table, `line ${line}`, column].filter(Boolean).join(', ')
    return `${place}: ${message}`
  })
  if (fault_count > faults.length) lines.push(`and ${counted(fault_count - faults.length, 'more fault')}`)
  const left = left_out.slice(0, MOST_LEFT_OUT).map(({ name, reason }) => `left out: ${name}: ${reason}`)
  if (left_out.length > left.length) left.push(`and ${left_out.length - left.length} more are left out`)
  return [
    ...left,
    ...lines,
    `${being(created, 'item', verb)} made, ${changed} changed; ${unchanged} are as they were; ${being(skipped, 'row', verb)} left out`,
  ].join('\n')
}

const being = (count: number, what: string, verb: Verb): string =>
  counted(count, `${what} ${verb === 'were' ? 'was' : verb}`, `${what}s ${verb}`)
