import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine, Limits, SqlCall } from '#src/engine/engine.ts'
import { findRoomForTexts } from '#src/operations/service/upkeep-steps.ts'

/** Between two looks whether there is room, and for how long a change waits for it. */
const PAUSE_MS = 500
const MOST_MS = 60_000

/**
 * The engine, whose changes wait where too many texts of others are still to be entered into the index of searches
 * (decision 52), while their callers may make them.
 */
export function withRoomForTexts(engine: Engine): Engine {
  return {
    ...engine,
    read: (call, limits) =>
      call.plan
        ? whenThereIsRoom(engine, call, limits, () => engine.read(call, limits))
        : engine.read(call, limits),
    write: (call, limits) => whenThereIsRoom(engine, call, limits, () => engine.write(call, limits)),
  }
}

async function whenThereIsRoom(
  engine: Engine,
  call: SqlCall,
  limits: Limits | undefined,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const until = performance.now() + MOST_MS
  for (;;) {
    const reply = await work()
    if (rollbackReason(reply) !== 'no_text_room') return reply
    do {
      if (limits?.signal?.aborted || performance.now() > until) return reply
      await sleep(PAUSE_MS)
    } while (!(await isThereRoom(engine, call)))
  }
}

/** Asked of a reader: to try the change itself would keep others from writing each time. */
async function isThereRoom(engine: Engine, { caller, now }: SqlCall): Promise<boolean> {
  // How much waits has nothing to do with what the caller sees.
  const { limited: _, ...whole } = caller
  const call = { name: findRoomForTexts.name, caller: whole, input: {}, now, late: false }
  const { json } = await engine.read(call)
  return (JSON.parse(json) as { room: boolean }).room
}
