import { ulidTime } from '#src/domain/ulid.ts'
import { findNewestId } from '#src/operations/service/service-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { checkStillMay } from '#src/runtime/still-may.ts'
import { warmColumns } from '#src/storage/columns/warm-columns.ts'
import { isAnyLeaving, takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { makeMissingIndex } from '#src/storage/large/rebuild-indexes.ts'
import { countWaitingTexts, enterSomeTexts, isRoomForTexts } from '#src/storage/large/waiting-texts.ts'
import { bringBack } from '#src/storage/large/returning-items.ts'
import { foldSome, unfolded } from '#src/storage/text-folding/text-folding.ts'
import { clearWords, needsClearing } from '#src/storage/words/clear-words.ts'
import { enterSlice, finishEntering } from '#src/storage/words/enter-words.ts'
import { countWaiting, planWords, sizeOfWaiting, type WordPlan } from '#src/storage/words/plan-words.ts'

/** Milliseconds by which the clocks of machines may differ without a word. */
const CLOCK_SLACK = 60_000

/** New ids go on after the newest one, so all of them bear its time until the clock has caught up. */
export async function clockWarnings(runtime: Runtime): Promise<string[]> {
  const { id } = await runStep(runtime, findNewestId, {})
  const now = runtime.clock()
  if (id === null || ulidTime(id) <= now + CLOCK_SLACK) return []
  const [newest, here] = [ulidTime(id), now].map((time) => new Date(time).toISOString())
  return [
    `The clock of this machine says ${here}, but the newest entry of the database is of ${newest}: new entries bear that time until the clock has caught up. Set the clock right (NTP)`,
  ]
}

/** Items in one transaction, for which others wait. */
const AT_ONCE = 500

/** Takes some of what large deletions have left in the indexes out of them; whether something is left. */
export const clearIndexes = defineStep<object, { left: boolean }>({
  name: 'clearIndexes',
  effect: 'write',
  run: async ({ db }) => ({ left: (await makeMissingIndex(db)) || (await takeSomeOut(db, AT_ONCE)) }),
})

/** Makes one of the indexes that a large change has left out; whether others may be missing. */
export const makeIndex = defineStep<object, { left: boolean }>({
  name: 'makeIndex',
  effect: 'write',
  long: true,
  run: async ({ db }) => ({ left: await makeMissingIndex(db) }),
})

/** Gives the indexes back what they should have of deleted items (row ids), which a change is to restore after that. */
export const returnToIndexes = defineStep<{ ids: readonly number[] }, null>({
  name: 'returnToIndexes',
  effect: 'write',
  async run({ db }, { ids }) {
    await bringBack(db, ids)
    return null
  },
})

/** Whether large deletions have left something in the indexes. */
export const findLeaving = defineStep<object, { left: boolean }>({
  name: 'findLeaving',
  effect: 'read',
  run: async ({ db }) => ({ left: await isAnyLeaving(db) }),
})

/** How many texts an upgrade has left to be folded, roughly: row ids of which some may be gone. */
export const findUnfolded = defineStep<object, { left: number }>({
  name: 'findUnfolded',
  effect: 'read',
  async run({ db }) {
    const found = await unfolded(db)
    return { left: found ? found.last - found.done : 0 }
  },
})

/** Folds some of the texts that an upgrade has left. */
export const foldTexts = defineStep<object, { left: number }>({
  name: 'foldTexts',
  effect: 'write',
  run: async ({ db }) => ({ left: await foldSome(db) }),
})

/** How many texts are to be entered into the trigram index after their changes. */
export const findWaitingTexts = defineStep<object, { waiting: number }>({
  name: 'findWaitingTexts',
  effect: 'read',
  run: async ({ db }) => ({ waiting: await countWaitingTexts(db) }),
})

/** Enters some of them; how many are left. None is entered while a large change is writing all of their items. */
export const enterTexts = defineStep<object, { waiting: number; has_entered: boolean }>({
  name: 'enterTexts',
  effect: 'write',
  long: true,
  run: ({ db }) => enterSomeTexts(db),
})

/**
 * Whether a change that found no room for its texts may be tried again.
 * @throws Unauthorized, Forbidden where its caller may not make it any more
 */
export const findRoomForTexts = defineStep<object, { room: boolean }>({
  name: 'findRoomForTexts',
  effect: 'read',
  async run(context) {
    await checkStillMay(context, 'editor')
    return { room: await isRoomForTexts(context.db) }
  },
})

/** How long one call reads on, in milliseconds: anyone who comes meanwhile waits for that. */
const TURN = 10

/** Reads some of the columns that searches and aggregates over many items will ask for. */
export const readColumns = defineStep<object, { more: boolean }>({
  name: 'readColumns',
  effect: 'read',
  late: true,
  async run({ db }) {
    const until = performance.now() + TURN
    let more: boolean
    do more = await warmColumns(db)
    while (more && performance.now() < until)
    return { more }
  },
})

/** Changes that are counted as waiting for the word index; more than these are as many. */
const MOST_COUNTED = 100_000

interface WordWork {
  /** Changes that the word index has still to take in. */
  waiting: number
  /** Bytes of the texts and values of those that are next. */
  bytes: number
  /** Whether something is to leave it. */
  clear: boolean
}

/** What the word index has to do. */
export const findWordWork = defineStep<object, WordWork>({
  name: 'findWordWork',
  effect: 'read',
  async run({ db }) {
    // What is still to be folded would have to be taken in again.
    if (await unfolded(db)) return { waiting: 0, bytes: 0, clear: false }
    return {
      waiting: await countWaiting(db, MOST_COUNTED),
      bytes: await sizeOfWaiting(db),
      clear: await needsClearing(db),
    }
  },
})

/** Works out what the word index takes in next, without holding the writer; null where nothing waits. */
export const planEntering = defineStep<{ rows?: number }, WordPlan | null>({
  name: 'planEntering',
  effect: 'read',
  long: true,
  run: async ({ db }, { rows }) => (await planWords(db, { rows })) ?? null,
})

/** Writes some of the words of such a plan; false where it has come to nothing, as others were entered meanwhile. */
export const enterWords = defineStep<Parameters<typeof enterSlice>[1], boolean>({
  name: 'enterWords',
  effect: 'write',
  long: true,
  run: async ({ db }, given) => enterSlice(db, given),
})

/** Lets searches see what was entered; false as before. */
export const finishWords = defineStep<Parameters<typeof finishEntering>[1], boolean>({
  name: 'finishWords',
  effect: 'write',
  long: true,
  run: async ({ db }, given) => finishEntering(db, given),
})

/** Removes some of what purged items have left in the word index; whether there is more. */
export const clearWordIndex = defineStep<object, { more: boolean }>({
  name: 'clearWordIndex',
  effect: 'write',
  long: true,
  run: async ({ db }) => ({ more: await clearWords(db) }),
})
