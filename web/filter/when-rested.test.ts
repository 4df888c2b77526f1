import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PAUSE, whenRested } from '#web/filter/when-rested.ts'
import type { Filter } from '#web/rules/filter-edits.ts'

const FILTER: Filter = { name: 'a' }
let reported: (Filter | null)[]
const report = (filter: Filter | null) => void reported.push(filter)

beforeEach(() => {
  reported = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

it('a filter counts a moment after the last change, and no earlier', async () => {
  whenRested(FILTER, [], report)
  await vi.advanceTimersByTimeAsync(PAUSE - 1)
  expect(reported).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(reported).toEqual([FILTER])
})

it('a filter that is taken away counts too', async () => {
  whenRested(null, [], report)
  await vi.advanceTimersByTimeAsync(PAUSE)
  expect(reported).toEqual([null])
})

it('of several changes in a moment the last one counts alone', async () => {
  const callOff = whenRested(FILTER, [], report)
  await vi.advanceTimersByTimeAsync(PAUSE - 1)
  callOff()
  whenRested({ name: 'ab' }, [], report)
  await vi.advanceTimersByTimeAsync(PAUSE)
  expect(reported).toEqual([{ name: 'ab' }])
})

it('a filter with a fault does not count', async () => {
  whenRested({ 'Nobody.knows': 1 }, [], report)
  await vi.advanceTimersByTimeAsync(PAUSE)
  expect(reported).toEqual([])
})

it('what is called off while its meaning is read does not count any more', async () => {
  const callOff = whenRested(FILTER, [], report)
  vi.advanceTimersByTime(PAUSE)
  callOff()
  await vi.advanceTimersByTimeAsync(0)
  expect(reported).toEqual([])
})
