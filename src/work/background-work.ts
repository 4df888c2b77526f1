import type { FastifyBaseLogger } from 'fastify'
import { VERSION } from '#src/domain/version.ts'
import { processMetrics } from '#src/metrics/process-metrics.ts'
import { sweepWorkingFolders } from '#src/process/working-folders.ts'
import { watchAuditHead } from '#src/work/audit-head-watch.ts'
import { MemoryKeeper } from '#src/work/memory-keeper.ts'
import { startSweeper } from '#src/work/sweeper.ts'
import { watchTokens } from '#src/work/token-watcher.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { ColumnReader } from '#src/work/column-reader.ts'
import { FileSweeper } from '#src/work/file-sweeper.ts'
import { TextEnterer } from '#src/work/text-enterer.ts'
import { TextFolder } from '#src/work/text-folder.ts'
import { Deliverer } from '#src/work/deliverer.ts'
import { Importer } from '#src/work/importer.ts'
import { WordIndexer } from '#src/work/word-indexer.ts'
import { ViewWatcher } from '#src/work/view-watcher.ts'
import type { Backups } from '#src/work/backups.ts'
import { watchFigures } from '#src/work/webhook-figures.ts'

export interface BackgroundWork {
  /** What begins new work by itself stops here, while the last requests end. */
  finish(): Promise<unknown>
  /** Once no request is under way any more. */
  stop(): Promise<void>
}

/** What the service does without being asked, alongside its requests. */
export function startBackgroundWork(
  runtime: Runtime,
  backups: Backups,
  log: FastifyBaseLogger,
  heartbeat?: number,
): BackgroundWork {
  const sweeper = startSweeper(
    runtime,
    (err) => log.error({ err }, 'expired rows could not be swept'),
    (each) => log.warn(each),
  )
  const figures = processMetrics(runtime.services.metrics, VERSION)
  watchFigures(runtime)
  const head = watchAuditHead(runtime, (heads) => log.info(heads, 'head of the audit log'))
  const swept = sweepWorkingFolders().catch((err: unknown) =>
    log.warn({ err }, 'what killed processes have left in the temporary folder was not swept'),
  )
  const workers = [
    new Deliverer(runtime, log),
    new TextFolder(runtime, log),
    new ColumnReader(runtime),
    new WordIndexer(runtime, log),
    new TextEnterer(runtime, log),
    new Importer(runtime, log),
    new ViewWatcher(runtime, log),
    new FileSweeper(runtime, log),
    backups.start(runtime, log),
  ]
  const memory = new MemoryKeeper()
  const watcher = watchTokens(runtime, (err) => log.warn({ err }, 'sessions were not looked at'), heartbeat)
  return {
    finish: () => Promise.all([swept, ...workers.map((each) => each.stop())]),
    async stop() {
      watcher.stop()
      memory.stop()
      figures.stop()
      head.stop()
      await sweeper.stop()
    },
  }
}
