import type { MeasuredProcess } from '#test/bounded/measured-process.ts'

/** Milliseconds of computing that are too few to say how they grow. */
const FLOOR = 60
/** The most that twice as much may cost. */
const MOST_RATIO = 2.5
/** Milliseconds of the event loop in one piece. */
const MOST_TURN = 250
/** How often something is measured before a fault is believed. */
const REPEATED = 3
/** Requests after which it is looked what stays of them, and bytes of each that may not. */
const KEPT_ROUND = 12
const MOST_KEPT = 0.4
/** Requests after which code is compiled that runs for each. */
const WARM_UP = 3
/** Rounds after which what is kept for a while, in caches that are bounded, must have come to an end. */
const ROUNDS = 6

/** Sends a request of a size. */
export type Send = (size: number) => Promise<unknown>

/** What is wrong with the cost of a request: it grows faster than its size, or stops the event loop. */
export async function findFault(
  service: MeasuredProcess,
  send: Send,
  most: number,
): Promise<string | undefined> {
  const first = await service.cost(() => send(most))
  if (first.turn > MOST_TURN) {
    const turns = await repeat(async () => (await service.cost(() => send(most))).turn)
    if (Math.min(...turns) > MOST_TURN)
      return `it stops the event loop for ${turns.map(Math.round).join(', ')} ms`
  }
  if (first.computed <= FLOOR) return undefined
  const half = Math.floor(most / 2)
  const ratios = []
  for (let i = 0; i < REPEATED; i++) {
    const small = (await service.cost(() => send(half))).computed
    const large = (await service.cost(() => send(most))).computed
    if (large <= FLOOR || large / small <= MOST_RATIO) return undefined
    ratios.push(`${small.toFixed(0)} → ${large.toFixed(0)} ms`)
  }
  return `twice as much costs more than ${MOST_RATIO} times as much: ${ratios.join(', ')}`
}

/** What is wrong with the memory: of requests of which each is another, it keeps a part. */
export async function findLeak(
  service: MeasuredProcess,
  send: Send,
  size: number,
): Promise<string | undefined> {
  const growths: number[] = []
  for (let i = 0; i < WARM_UP; i++) await send(size)
  let before = await service.memory()
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < KEPT_ROUND; i++) await send(size)
    const after = await service.memory()
    if (after - before < KEPT_ROUND * size * MOST_KEPT) return undefined
    growths.push(Math.round((after - before) / 1024))
    before = after
  }
  return `of ${KEPT_ROUND} requests of ${size} bytes stay each time: ${growths.join(', ')} KiB`
}

async function repeat<T>(work: () => Promise<T>): Promise<T[]> {
  const results = []
  for (let i = 0; i < REPEATED; i++) results.push(await work())
  return results
}
