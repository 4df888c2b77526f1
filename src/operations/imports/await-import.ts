import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Static } from 'typebox'
import { ServiceError } from '#src/domain/errors.ts'
import type { ImportError } from '#src/operations/imports/import-record.ts'
import { findOwnImport } from '#src/operations/imports/import-requests.ts'
import type { Import } from '#src/operations/imports/import-schemas.ts'
import type { ComposeContext, Step } from '#src/runtime/operation.ts'
import { Reply } from '#src/domain/reply.ts'

/** Milliseconds after which a request is answered before what it asked for is done. */
const PATIENCE = 5000
/** Between two looks, in milliseconds: at first often. */
const [LEAST, MOST] = [10, 250]

type Answer = Static<typeof Import>

/** What was asked for, and the turn under which it is done. */
interface Begun {
  import_id: string
  turn: string
}

/** Asks for it and waits, once under an Idempotency-Key: what was answered to the same request is answered again. */
export async function beginOnce<I extends object>(
  context: ComposeContext,
  step: Step<I & { turn: string }, Reply>,
  input: I,
  wait: (context: ComposeContext, begun: Begun) => Promise<Reply>,
): Promise<Reply> {
  const turn = randomUUID()
  const reply = await context.begin(step, { ...input, turn })
  if (reply.meta?.replayed) return reply
  return wait(context, { import_id: (JSON.parse(reply.json) as Answer).import_id, turn })
}

/**
 * The import once what was asked for under a turn is done: 200; or as it is after five seconds: 202.
 * @throws what went wrong with it
 */
export async function awaitImport(context: ComposeContext, begun: Begun): Promise<Reply> {
  const { isDone, answer } = await lookUntil(context, begun, () => false)
  return Reply.of(answer, isDone ? undefined : { status: 202 })
}

/** The same once it runs, or has been refused. */
export async function awaitStart(context: ComposeContext, begun: Begun): Promise<Reply> {
  const { answer } = await lookUntil(context, begun, ({ state }) => state === 'running')
  return Reply.of(answer, { status: 202 })
}

async function lookUntil(
  { call, forget, services }: ComposeContext,
  begun: Begun,
  isEnough: (answer: Answer) => boolean,
): Promise<{ isDone: boolean; answer: Answer }> {
  services.imports.happened()
  const until = performance.now() + PATIENCE
  for (let wait = LEAST; ; wait = Math.min(MOST, wait * 1.5)) {
    const found = await call(findOwnImport, begun)
    const { isDone, answer } = found as { isDone: boolean; answer: Answer }
    if (isDone && answer.error) {
      await forget()
      throw errorOf(answer.error as ImportError)
    }
    if (isDone || isEnough(answer) || performance.now() > until) return { isDone, answer }
    await setTimeout(wait)
  }
}

const errorOf = ({ code, message, suggestion, details }: ImportError): ServiceError =>
  new ServiceError(code as ServiceError['code'], message, {
    ...(suggestion !== undefined && { suggestion }),
    ...(details && { details }),
  })
