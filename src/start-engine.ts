import type { SecretBox } from '#src/auth/secret-box.ts'
import type { Config, DatabaseConfig } from '#src/config/config.ts'
import { SERVICE } from '#src/domain/caller.ts'
import type { Engine, EngineLog, SqlRunner } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { connectionsOf, startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import type { StartThread } from '#src/engine/sqlite-thread-options.ts'
import { withCompleteLog } from '#src/work/complete-log.ts'
import { withIndexClearing } from '#src/work/index-clearing.ts'
import { withRoomForTexts } from '#src/work/text-room.ts'
import { refuseHalfImported } from '#src/operations/service/service-steps.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { otherKey, unreadableWarnings } from '#src/storage/accounts/seal-totp.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

/** What an engine is started with besides the configuration. */
interface EngineParts {
  secrets: SecretBox
  startThread: StartThread
  metrics: EngineMetrics
  log: EngineLog
}

/** Milliseconds that a change of many items may take. */
const CHANGE_TIMEOUT = 60_000

/** The engine of the database that the configuration names, its schema up to date. */
export function startEngine(config: Config, parts: EngineParts): Promise<StartedEngine> {
  const { database, query_timeout: read } = config
  const started = {
    run: sqlRunner([...sqlOperations, ...sqlSteps]),
    timeouts: { read, change: Math.max(read, CHANGE_TIMEOUT) },
  }
  return database.engine === 'postgres'
    ? startOnPostgres(database, config, { ...parts, ...started })
    : startOnSqlite(database.file, { ...parts, ...started })
}

interface RunningParts extends EngineParts {
  run: SqlRunner
  timeouts: { read: number; change: number }
}

async function startOnPostgres(
  database: Extract<DatabaseConfig, { engine: 'postgres' }>,
  { secret_keys }: Config,
  { secrets, ...parts }: RunningParts,
): Promise<StartedEngine> {
  const { unreadable, warnings } = await preparePostgres(
    database.url,
    secrets,
    connectionsOf(database.connections),
  )
  if (unreadable && !secret_keys.length) throw otherKey(unreadable)
  const started = await startPostgresEngine({ ...database, newestId, ...parts })
  // Only now, when an import that begins would see this process.
  const check = { name: refuseHalfImported.name, caller: SERVICE, input: {}, now: Date.now() }
  await started.readInline(check).catch((error: unknown) => started.close().then(() => Promise.reject(error)))
  return {
    engine: withCompleteLog(withRoomForTexts(started)),
    warnings: [...warnings, ...unreadableWarnings(unreadable)],
  }
}

async function startOnSqlite(named: string, { secrets, ...parts }: RunningParts): Promise<StartedEngine> {
  const { file, warnings, ...lock } = await prepareSqliteFile(named, { secrets })
  try {
    const engine = withCompleteLog(
      withRoomForTexts(withIndexClearing(await startSqliteEngine({ file, ...parts }))),
    )
    return { engine: { ...engine, close: () => engine.close().finally(() => lock.release()) }, warnings }
  } catch (error) {
    lock.release()
    throw error
  }
}

interface StartedEngine {
  engine: Engine
  /** What an operator should read, in sentences. */
  warnings: readonly string[]
}
