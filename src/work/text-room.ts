import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '#src/domain/reply.ts'
import type { Engine, Limits } from '#src/engine/engine.ts'
import { isWithoutRoom } from '#src/storage/large/waiting-texts.ts'

/** Before a change is tried again, and for how long it is. */
const PAUSE_MS = 500
const MOST_MS = 60_000

/**
 * The engine, whose changes wait where too many texts of others are still to be entered into the index of searches
 * (decision 52).
 */
export function withRoomForTexts(engine: Engine): Engine {
  return {
    ...engine,
    read: (call, limits) =>
      call.plan ? whenThereIsRoom(() => engine.read(call, limits), limits) : engine.read(call, limits),
    write: (call, limits) => whenThereIsRoom(() => engine.write(call, limits), limits),
  }
}

async function whenThereIsRoom(work: () => Promise<Reply>, limits: Limits | undefined): Promise<Reply> {
  const until = performance.now() + MOST_MS
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isWithoutRoom(error) || limits?.signal?.aborted || performance.now() > until) throw error
      await sleep(PAUSE_MS)
    }
}
