import type { Static, TObject, TSchema } from 'typebox'
import { type Caller, OPERATOR } from '#src/domain/caller.ts'
import type { Config, DatabaseConfig } from '#src/config/config.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Engine, EngineLog, SqlRunner } from '#src/engine/engine.ts'
import type { SqlOperation, Step } from '#src/runtime/operation.ts'
import { checkSchema, refuseHalfImported } from '#src/operations/service/service-steps.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { refuseNoDatabase } from '#src/sql/database-file.ts'
import { logMemory } from '#src/storage/log/log-memory.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

/** The database of the service, for commands. */
export interface Store {
  call: Call
  /** The same where the answer goes on as it is. */
  read<I extends object>(step: Step<I>, input: I): Promise<Reply>
  close(): Promise<void>
}

/** By the operator, or for `as`. */
interface Call {
  <I extends object, O>(step: Step<I, O>, input: I, as?: Caller): Promise<O>
  <I extends TObject, O extends TSchema>(
    operation: SqlOperation<I, O>,
    input: Static<I>,
    as?: Caller,
  ): Promise<Static<O>>
}

/** @throws ServiceUnavailable where there is none or it is of another version; Conflict where it is half imported */
export async function openStore(
  { database }: Config,
  operations: readonly (SqlOperation | Step)[],
): Promise<Store> {
  const engine = await openEngine(database, sqlRunner([...operations, ...CHECKS]))
  const reply = ({ name, effect }: SqlOperation | Step, input: unknown, caller: Caller = OPERATOR) =>
    engine[effect]({ name, caller, input, now: Date.now() })
  const store: Store = {
    async call(operation: SqlOperation | Step, input: unknown, as?: Caller) {
      return JSON.parse((await reply(operation, input, as)).json)
    },
    read: (step, input) => reply(step, input),
    close: () => engine.close(),
  }
  try {
    for (const check of CHECKS) await store.call(check, {})
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

const CHECKS = [checkSchema, refuseHalfImported]

/** Loads the engine that is needed alone: a command should start fast. */
async function openEngine(database: DatabaseConfig, run: SqlRunner): Promise<Engine> {
  if (database.engine === 'postgres') {
    const { startPostgresEngine } = await import('#src/engine/postgres-engine.ts')
    const { url, listen_url } = database
    return startPostgresEngine({
      url,
      listen_url,
      run,
      newestId,
      remember: logMemory,
      log,
      writes_for: 'everybody',
    })
  }
  refuseNoDatabase(database.file)
  const { openLocalEngine } = await import('#src/engine/local-engine.ts')
  return openLocalEngine(database.file, { run, newestId })
}

const log: EngineLog = (level, message) => void process.stderr.write(`${level}: ${message}\n`)
