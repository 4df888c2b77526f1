import type { Reply } from '#src/domain/reply.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'

/** Characters of all answers that are kept, and of one of them. */
const MAX_KEPT = 8_000_000
const MAX_ANSWER = 250_000
/** Characters of a question that is worth remembering. */
const MAX_QUESTION = 4000
/** Questions that are remembered to have been asked. */
const MAX_ASKED = 2000

/** What was answered since the last write. */
interface Kept {
  version: number | null
  /** By question; what is still being answered too, so that nobody asks it twice at once. */
  answers: Map<string, Promise<Reply>>
  size: number
  /** A question that comes once is not worth keeping its answer. */
  asked: Set<string>
}

const keptBy = new WeakMap<Engine, Kept>()

/**
 * The answer to a read whose answer hangs on nothing but its input, its user and the database: a question that comes
 * again is answered from memory until something is written. A read that begins after a write was acknowledged never
 * gets an answer from before it.
 */
export function readOrKept(engine: Engine, call: SqlCall): Promise<Reply> {
  const version = engine.version()
  if (version === null) return engine.read(call)
  const question = `${call.name} ${call.caller.user_id} ${JSON.stringify(call.input)}`
  if (question.length > MAX_QUESTION) return engine.read(call)
  const kept = keptAt(engine, version)
  const known = kept.answers.get(question)
  if (known) return known
  const reading = engine.read(call)
  if (!askedBefore(kept, question)) return reading
  kept.answers.set(question, reading)
  reading.then(
    ({ json }) => weigh(kept, question, json.length, engine.version() === version),
    () => kept.answers.delete(question),
  )
  return reading
}

function keptAt(engine: Engine, version: number): Kept {
  const kept = keptBy.get(engine)
  if (kept?.version === version && kept.size < MAX_KEPT) return kept
  const fresh: Kept = { version, answers: new Map(), size: 0, asked: kept?.asked ?? new Set() }
  keptBy.set(engine, fresh)
  return fresh
}

function askedBefore({ asked }: Kept, question: string): boolean {
  if (asked.has(question)) return true
  if (asked.size >= MAX_ASKED) asked.clear()
  asked.add(question)
  return false
}

function weigh(kept: Kept, question: string, size: number, holds: boolean): void {
  if (holds && size <= MAX_ANSWER) kept.size += size
  else kept.answers.delete(question)
}
