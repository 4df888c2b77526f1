import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Caller } from '#src/domain/caller.ts'
import { csvLine, guarded } from '#src/domain/csv-text.ts'
import { ImportThread } from '#src/imports/import-thread.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import { type FaultySource, readFaultyRows } from '#src/operations/imports/faulty-rows.ts'
import { makeWorkingFolder } from '#src/process/working-folders.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'

/** Rows that are looked at together. */
const AT_ONCE = 1000

/**
 * The rows of an import that have a fault, as a CSV file with what is wrong behind them: all, by reading it again, until
 * `signal` aborts.
 */
export async function* faultyRows(
  runtime: Runtime,
  caller: Caller,
  source: FaultySource,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const { columns, isMany, plan, format, file_name, header_row } = source
  const folder = makeWorkingFolder('import')
  let thread: ImportThread | undefined
  // Nobody waits for it any more: what reads a long file is not to go on until it is through.
  const stop = () => void thread?.close()
  signal.addEventListener('abort', stop)
  try {
    const file = await openFile(runtime, caller, source.file_id)
    const path = join(folder, 'file')
    await pipeline(await file.open(), createWriteStream(path, { mode: 0o600 }), { signal })
    const { time_zone } = runtime.services.config
    const read = { path, name: file_name, size: file.size, folder }
    thread = new ImportThread({ file: read, format, header_row, time_zone })
    await thread.survey(plan.targets)
    await thread.begin(plan.targets, 0, 'shown')
    const place = isMany || format === 'markdown' || format === 'notion' ? ['Where'] : []
    yield Buffer.from(csvLine([...columns, ...place, 'Line', 'What is wrong'].map(guarded)))
    for await (const { rows, count } of thread.portions(() => AT_ONCE)) {
      if (!count) continue
      const wanted = { plan, import: source.import, columns, isMany: place.length > 0, rows }
      const { bytes } = await runOperation(runtime, readFaultyRows, caller, wanted, signal)
      if (bytes.length) yield bytes
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await thread?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
