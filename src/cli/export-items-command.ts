import { createWriteStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportPages, whereReadable } from '#src/api/export/export-pages.ts'
import { type Options, printWarnings, refuseSurplus } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { Progress } from '#src/cli/progress.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest } from '#src/domain/errors.ts'
import { openStore as openFileStore } from '#src/files/open-store.ts'
import { parseExactJson } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import { EXPORT_FORMATS, type ExportFormat, ExportInput } from '#src/operations/export/export-schemas.ts'
import {
  exportNames,
  exportPage,
  exportTags,
  findViewFilter,
  planExport,
} from '#src/operations/export/export-steps.ts'
import { findReadableFile } from '#src/operations/files/file-steps.ts'
import { withBytes } from '#src/operations/files/open-file.ts'
import { narrowed } from '#src/operations/views/narrowed-view.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { makeFile } from '#src/transfer/make-file.ts'

/** What the command runs on the database. */
export const EXPORT_STEPS = [
  exportNames,
  exportPage,
  exportTags,
  findReadableFile,
  findViewFilter,
  planExport,
]

type ExportConfig = Pick<Config, 'files' | 'time_zone'>

/** By the ending of a file's name. */
const BY_NAME: readonly [RegExp, ExportFormat][] = [
  [/\.(?:jsonl|ndjson)$/i, 'jsonl'],
  [/\.zip$/i, 'markdown'],
  [/\.csv$/i, 'csv'],
]
/** It asks for a format, as a word of a name (`base.2026-02-01`) does not. */
const ENDING = /\.[a-z][a-z0-9]*$/i

/** What has no ending is CSV. @throws BadRequest: no format goes by this ending */
function formatOf(out: string): ExportFormat {
  const found = BY_NAME.find(([name]) => name.test(out))?.[1]
  const [ending] = ENDING.exec(basename(out)) ?? []
  if (found || ending === undefined) return found ?? 'csv'
  throw badRequest(`No format goes by the name '${out}'`, {
    suggestion: `It ends with .csv, .jsonl, .ndjson or .zip (Markdown), or --format is one of ${EXPORT_FORMATS.join(', ')}`,
  })
}

/** What the words after `export-items` ask for; it is done when it is given the database. @throws BadRequest */
export async function readExportCommand(
  words: readonly string[],
  options: Options,
  config: ExportConfig,
): Promise<(store: Store) => Promise<string | undefined>> {
  refuseSurplus('export-items', words)
  const { json = false, out, view } = options
  if (json && out === undefined)
    throw badRequest('export-items --json says what was written, and needs --out FILE')
  const input = await inputOf(options, config)
  if (input.format === 'markdown' && out === undefined && process.stdout.isTTY)
    throw badRequest('A zip is nothing to look at in a terminal', { suggestion: 'Name a file: --out FILE' })
  return async (store) => {
    const asked = view === undefined ? input : await withView(store, input, view)
    await writeExport(store, config, asked, out)
    if (out === undefined) return undefined
    const { size } = statSync(out)
    if (json) return JSON.stringify({ file: out, format: input.format, bytes: size }, null, 2)
    process.stderr.write(`Exported to ${out}\n`)
    return undefined
  }
}

async function inputOf(
  { filter, fields, format, sort, 'as-of': as_of, out = '' }: Options,
  { time_zone }: ExportConfig,
): Promise<ExportInput> {
  if (format !== undefined && !EXPORT_FORMATS.some((each) => each === format))
    throw badRequest(`There is no format '${format}'`, {
      suggestion: `--format is one of ${EXPORT_FORMATS.join(', ')}`,
    })
  const given = {
    format: format ?? formatOf(out),
    ...(filter !== undefined && { filter: jsonOf('--filter', filter) }),
    ...(fields !== undefined && { fields: listOf('--fields', fields) }),
    ...(sort !== undefined && { sort: sortOf(sort) }),
    ...(as_of !== undefined && { as_of }),
    time_zone,
  }
  return (await validateInput({ input: ExportInput }, given)) as ExportInput
}

const listOf = (option: string, text: string): unknown =>
  text.trimStart().startsWith('[') ? jsonOf(option, text) : text.split(',').map((each) => each.trim())

/** `Task.due,-name`: what has a minus before it goes down. */
function sortOf(text: string): unknown {
  const keys = listOf('--sort', text)
  if (!Array.isArray(keys)) return keys
  return keys.map((key: unknown) => {
    if (typeof key !== 'string') return key
    return key.startsWith('-') ? { by: key.slice(1), direction: 'desc' } : { by: key }
  })
}

function jsonOf(option: string, text: string): unknown {
  try {
    return parseExactJson(text, { what: option })
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message, { suggestion: 'In a shell put it between single quotes' })
  }
}

async function withView(
  store: Store,
  { filter, ...input }: ExportInput,
  view_id: string,
): Promise<ExportInput> {
  const own = await store.call(findViewFilter, { view_id })
  return { ...input, filter: narrowed(own, filter) }
}

async function writeExport(
  store: Store,
  { files }: ExportConfig,
  input: ExportInput,
  out: string | undefined,
): Promise<void> {
  const bytes = openFileStore(files)
  const file = async (file_id: string) => {
    const found = await whereReadable(store.call(findReadableFile, { file_id }))
    return found && withBytes(found, bytes)
  }
  const { meta, pieces } = await exportPages({ read: store.read, file, now: new Date() }, input)
  printWarnings(meta)
  const write = (target: NodeJS.WritableStream) =>
    pipeline(Readable.from(counted(pieces, out !== undefined)), target, { end: target !== process.stdout })
  if (out === undefined) await write(process.stdout)
  else await makeFile(out, (unfinished) => write(createWriteStream(unfinished)))
}

/** Where the terminal shows the export itself, nothing is said between its lines. */
async function* counted(pieces: AsyncIterable<Buffer>, hasFile: boolean): AsyncGenerator<Buffer, void> {
  const progress = hasFile || !process.stdout.isTTY ? new Progress() : undefined
  let bytes = 0
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      progress?.show(() => `${(bytes / 1e6).toFixed(1)} MB written`)
      yield piece
    }
  } finally {
    progress?.end()
  }
}
