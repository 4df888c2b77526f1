import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MemoryKeeper } from '#src/work/memory-keeper.ts'

const LOOK_MS = 10_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function keeperOf(find = true) {
  const state = { used: 0, held: 300, given: 0, found: 0, collected: 0 }
  const keeper = new MemoryKeeper({
    used: () => state.used,
    held: () => state.held * 2 ** 20,
    find: () => (state.found++, find ? () => state.given++ : undefined),
    collect: () => state.collected++,
  })
  /** So many looks, between which so many milliseconds are computed. */
  const go = (looks: number, used: number) => {
    for (let i = 0; i < looks; i++) {
      state.used += used
      vi.advanceTimersByTime(LOOK_MS)
    }
  }
  return { keeper, state, go }
}

it('memory goes back to the system for a minute after work, and then no more until there was work again', () => {
  const { keeper, state, go } = keeperOf()
  go(3, 5000)
  expect(state.given).toBe(0)
  go(3, 500)
  expect(state.given).toBe(3)
  go(10, 0)
  expect(state.given).toBe(6)
  go(1, 2000)
  expect(state.given).toBe(6)
  go(10, 0)
  expect([state.given, state.found]).toEqual([12, 1])
  keeper.stop()
  go(1, 2000)
  go(3, 0)
  expect(state.given).toBe(12)
})

it('the main thread is collected once, when it is quiet after work', () => {
  const { keeper, state, go } = keeperOf()
  const after = (looks: number, used: number) => {
    go(looks, used)
    return state.collected
  }
  expect([after(3, 5000), after(1, 500), after(10, 500)]).toEqual([0, 1, 1])
  expect([after(1, 2000), after(1, 0), after(10, 0)]).toEqual([1, 2, 2])
  keeper.stop()
})

it('memory goes back during work each time that the process has grown by 64 MB', () => {
  const { keeper, state, go } = keeperOf()
  const work = (held: number) => {
    state.held = held
    go(1, 5000)
    return state.given
  }
  expect([364, 365, 420, 429, 430].map(work)).toEqual([0, 1, 1, 1, 2])
  // What it has shrunk to by itself is what it grows from.
  expect([350, 414, 415, 415].map(work)).toEqual([2, 2, 3, 3])
  keeper.stop()
})

it('nothing is given back where the system cannot, which is asked once', () => {
  const { keeper, state, go } = keeperOf(false)
  go(10, 0)
  expect([state.given, state.found]).toEqual([0, 1])
  keeper.stop()
})
