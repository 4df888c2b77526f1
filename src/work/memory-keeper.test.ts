import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MemoryKeeper } from '#src/work/memory-keeper.ts'

const LOOK_MS = 10_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function keeperOf(can = true) {
  const state = { used: 0, held: 300, given: 0, collected: 0 }
  const keeper = new MemoryKeeper({
    used: () => state.used,
    held: () => {
      if (Number.isNaN(state.held)) throw new Error('EMFILE: too many open files')
      return state.held * 2 ** 20
    },
    giveBack: async () => (state.given++, can),
    collect: () => state.collected++,
  })
  /** So many looks, between which so many milliseconds are computed. */
  const go = async (looks: number, used: number) => {
    for (let i = 0; i < looks; i++) {
      state.used += used
      await vi.advanceTimersByTimeAsync(LOOK_MS)
    }
  }
  /** What is counted after each of several times of so many looks. */
  const after = async (counted: 'given' | 'collected', ...times: [looks: number, used: number][]) => {
    const counts: number[] = []
    for (const [looks, used] of times) {
      await go(looks, used)
      counts.push(state[counted])
    }
    return counts
  }
  return { keeper, state, go, after }
}

it('memory goes back to the system for a minute after work, though some of it goes on, and then no more until there was work again', async () => {
  const { keeper, state, go, after } = keeperOf()
  expect(await after('given', [3, 8000], [2, 5000], [3, 500], [10, 0], [1, 2000], [10, 0])).toEqual([
    0, 2, 5, 8, 8, 14,
  ])
  keeper.stop()
  await go(1, 2000)
  await go(3, 0)
  expect(state.given).toBe(14)
})

it('the main thread is collected once, when it is quiet after work', async () => {
  const { keeper, after } = keeperOf()
  expect(await after('collected', [3, 8000], [1, 500], [10, 500], [1, 2000], [1, 0], [10, 0])).toEqual([
    0, 1, 1, 1, 2, 2,
  ])
  keeper.stop()
})

it('memory goes back during work each time that the process has grown by 32 MB', async () => {
  const { keeper, state, go } = keeperOf()
  const work = async (...sizes: number[]) => {
    const given: number[] = []
    for (const held of sizes) {
      state.held = held
      await go(1, 8000)
      given.push(state.given)
    }
    return given
  }
  expect(await work(332, 333, 360, 365, 366)).toEqual([0, 1, 1, 1, 2])
  // What it has shrunk to by itself is what it grows from.
  expect(await work(350, 382, 383, 383)).toEqual([2, 2, 3, 3])
  keeper.stop()
})

it('goes on where for a while nobody can say what the process holds', async () => {
  const { keeper, state, go } = keeperOf()
  await go(1, 0)
  state.held = NaN
  await go(1, 0)
  state.held = 340
  await go(1, 8000)
  expect(state.given).toBe(3)
  keeper.stop()
})

it('nothing is given back where the system cannot, which is asked once', async () => {
  const { keeper, state, go } = keeperOf(false)
  await go(10, 0)
  expect(state.given).toBe(1)
  keeper.stop()
})
