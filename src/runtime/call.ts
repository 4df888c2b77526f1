import type { Caller } from '#src/domain/caller.ts'
import type { KeyedRequest } from '#src/domain/idempotency.ts'
import type { Precondition } from '#src/domain/precondition.ts'
import { Reply, toReply } from '#src/domain/reply.ts'
import { reportRolledBack, rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import {
  asksForProof,
  checkCaller,
  checkLimitedInput,
  isChange,
  isFresh,
  isProposed,
} from '#src/runtime/may-call.ts'
import { checkFresh, findProofs } from '#src/runtime/fresh-proof.ts'
import { forbidden, type ServiceError } from '#src/domain/errors.ts'
import { alone, isStored, keyedRequest } from '#src/runtime/idempotency.ts'
import { findRepeated, forgetKept, keepAnew, keepFailure } from '#src/runtime/stored-failures.ts'
import { openedPage, sealedPage } from '#src/runtime/sealed-pages.ts'
import { runPlanned } from '#src/runtime/run-planned.ts'
import type {
  ComposeContext,
  ComposeOperation,
  Operation,
  SqlOperation,
  Step,
} from '#src/runtime/operation.ts'
import type { Services } from '#src/runtime/services.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

/** What a call needs besides operation, caller and input. */
export interface Runtime {
  engine: Engine
  services: Services
  /** Milliseconds since the epoch. */
  clock(): number
  /** Keeps a change that was called for as a proposal: `{operation, input, precondition}`. */
  propose: ComposeOperation
}

/**
 * One request of an interface: access, validation, then the operation, wherever it runs. `signal` ends a query that
 * nobody waits for any more, and a change of many items; any other change is made once it was asked for.
 */
export async function callOperation(
  runtime: Runtime,
  operation: Operation,
  caller: Caller,
  input: unknown,
  signal?: AbortSignal,
  conditions: Conditions = {},
): Promise<Reply> {
  checkCaller(operation, caller)
  await checkProof(runtime, operation, caller)
  const { secrets } = runtime.services
  const valid = openedPage(secrets, caller, await validateInput(operation, input))
  await checkProofFor(runtime, operation, caller, valid)
  checkLimitedInput(caller, valid)
  const { key, precondition, page_text } = conditions
  const dry_run = isDryRun(operation, valid)
  const proposed = isProposed(operation, caller, dry_run)
  const run = (more: Pick<SqlCall, 'once' | 'page_text'>) => {
    if (!proposed) return runOperation(runtime, operation, caller, valid, signal, { precondition, ...more })
    const call = { operation: operation.name, input: valid, precondition }
    return runOperation(runtime, runtime.propose, caller, call, signal, more)
  }
  if (key === undefined || !canRepeat(operation) || dry_run)
    return sealedPage(secrets, caller, await run({ page_text }))
  const request = keyedRequest(caller, key, operation.name, valid)
  return alone(runtime.engine, caller, key, async () => {
    try {
      return await run({ once: request })
    } catch (error) {
      if (isStored(error)) await keep(runtime, caller, request, error)
      throw error
    }
  })
}

/** What the request says besides its input (additions §5). */
export interface Conditions {
  /** Which states a change may find. */
  precondition?: Precondition | undefined
  /** Characters after which a page of a list ends early. */
  page_text?: number | undefined
  /** An Idempotency-Key. */
  key?: string | undefined
}

/** A change of the base is carried out once under a key; everything else ignores it. */
export const canRepeat = ({ effect, hints, access, needs = 'base' }: Operation): boolean =>
  isChange({ effect, ...(hints && { hints }) }) && access === 'user' && needs === 'base'

async function keep(
  runtime: Runtime,
  caller: Caller,
  request: KeyedRequest,
  error: ServiceError,
): Promise<void> {
  if (error.replayed) return
  const { code, message, suggestion, details } = error
  await runOperation(runtime, keepFailure, caller, {
    request,
    answer: { error: { code, message, suggestion, details } },
  })
}

/** Whether a call can end before it is done: a read by key and a change of one thing are over too soon. */
export function endsEarly(operation: Operation, input: unknown): boolean {
  if (operation.effect === 'compose' || operation.long) return true
  return operation.effect === 'read' ? !isInline(operation, input) : isDryRun(operation, input)
}

function isInline({ inline = false }: { inline?: unknown }, input: unknown): boolean {
  return typeof inline === 'function' ? Boolean(inline(input)) : inline === true
}

/** Without access check and validation: for operations that call others. */
export async function runOperation(
  runtime: Runtime,
  operation: Operation | Step,
  caller: Caller,
  input: unknown,
  signal?: AbortSignal,
  conditions: Pick<SqlCall, 'precondition' | 'once' | 'page_text'> = {},
): Promise<Reply> {
  if (operation.effect !== 'compose') {
    const reply = await runInEngine(runtime, operation, caller, input, signal, conditions)
    // The operation that has planned it plans it again; of everything else the engine's wrappers have given up.
    return rollbackReason(reply) === 'overtaken' ? reply : reportRolledBack(reply)
  }
  const { once } = conditions
  if (once) {
    // What it reads may be changed by what it did.
    const known = await runOperation(runtime, findRepeated, caller, once)
    if (known.meta?.replayed) return known
  }
  let isKept = false
  const context: ComposeContext = {
    caller,
    now: new Date(runtime.clock()),
    services: runtime.services,
    text(step, stepInput) {
      if (step.effect !== 'write') return runOperation(runtime, step, caller, stepInput, signal)
      isKept = true
      return runOperation(runtime, step, caller, stepInput, signal, { once })
    },
    begin: (step, stepInput) => runOperation(runtime, step, caller, stepInput, signal, { once }),
    async forget() {
      if (once) await runOperation(runtime, forgetKept, caller, once)
    },
    async call(other: Operation | Step, otherInput: unknown, as = caller) {
      const { json } = await runOperation(runtime, other, as, otherInput, signal)
      return JSON.parse(json)
    },
  }
  const reply = toReply(await operation.run(context, input as Record<string, unknown>))
  const { before_log, ...notes } = reply.meta ?? {}
  if (once && !notes.replayed && (before_log || !isKept))
    await runOperation(runtime, keepAnew, caller, { request: once, answer: { json: reply.json, notes } })
  return before_log ? new Reply(reply.body, notes) : reply
}

/** What is SQL alone: a read inline or on a reader, a change on the writer. */
async function runInEngine(
  { engine, services, clock }: Runtime,
  operation: SqlOperation | Step,
  caller: Caller,
  input: unknown,
  signal: AbortSignal | undefined,
  conditions: Pick<SqlCall, 'precondition' | 'once' | 'page_text'>,
): Promise<Reply> {
  const { time_zone } = services.config
  const { page_text } = conditions
  const late = 'late' in operation && operation.late ? { late: true } : {}
  const call = { name: operation.name, caller, input, now: clock(), time_zone, page_text, ...late }
  // What a limited caller sees is looked up on one snapshot with what it asks for.
  if (operation.effect === 'read' && !caller.limited && isInline(operation, input))
    return engine.readInline(call)
  const long = 'long' in operation && operation.long
  if ('isDryRun' in operation && operation.isDryRun?.(input as object))
    return engine.read({ ...call, scratch: true }, { signal, long: true })
  if (operation.effect === 'read') return engine.read(call, { signal, long })
  if (isDryRun(operation, input)) return dryRun(engine, call, { signal, long })
  const limits = { signal: long ? signal : undefined }
  const ahead = 'isAhead' in operation && operation.isAhead!(input as object) ? { ahead: 'may' as const } : {}
  const change = { ...call, ...conditions, ...(long && { alone: true as const }), ...ahead }
  const on_scratch = 'isPlanned' in operation && operation.isPlanned!(input as object)
  const made =
    on_scratch || ('plan' in operation && !('isPlanned' in operation))
      ? runPlanned(engine, change, limits, { on_scratch, has_ahead: 'ahead' in operation })
      : engine.write(change, limits)
  const reply = await made
  if (reply.meta?.change_id !== undefined) services.changes.happened()
  if (reply.meta?.rings) services.notifications.happened()
  return reply
}

/** What somebody would be refused who sees a part, because items would leave their sight, is seen only when it is done. */
async function dryRun(engine: Engine, call: SqlCall, limits: Parameters<Engine['read']>[1]): Promise<Reply> {
  const would = await engine.read(call, limits)
  if (!call.caller.limited || !JSON.parse(would.json).changed_count) return would
  // Warnings are told, and refuse only what is done in earnest.
  const input = { ...(call.input as object), dry_run: false, allow_warnings: true }
  await engine.read({ ...call, input, scratch: true }, { ...limits, long: true })
  return would
}

/** @throws Forbidden that names the ways in which the account can prove who it is */
async function checkProof(runtime: Runtime, operation: Operation, caller: Caller): Promise<void> {
  if (asksForProof(operation, runtime.services.config.fresh_proof)) await askForProof(runtime, caller)
}

/** The same where it depends on the input. @throws also what the step throws, e.g. NotFound */
async function checkProofFor(
  runtime: Runtime,
  { changes_as_owner }: Operation,
  caller: Caller,
  input: unknown,
): Promise<void> {
  if (!changes_as_owner || isFresh(caller, runtime.clock())) return
  const { json } = await runOperation(runtime, changes_as_owner, caller, input)
  if (JSON.parse(json) === true) await askForProof(runtime, caller)
}

async function askForProof(runtime: Runtime, caller: Caller): Promise<void> {
  if (isFresh(caller, runtime.clock())) return
  if (!caller.session)
    throw forbidden(`${caller.client?.kind === 'app' ? 'An app' : 'A key'} does not reach this`, {
      suggestion: 'Sign in, and do it in the session',
    })
  const { passwords } = runtime.services.config
  const { json } = await runOperation(runtime, findProofs, caller, { passwords })
  checkFresh({ caller, now: new Date(runtime.clock()) }, JSON.parse(json) as string[])
}

/** What says what it would do changes nothing, so it need not wait for the writer, nor others for it. */
const isDryRun = (operation: Operation | Step, input: unknown): boolean =>
  'input' in operation &&
  'dry_run' in operation.input.properties &&
  (input as { dry_run?: boolean | null }).dry_run === true
