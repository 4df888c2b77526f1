import { computed } from '#test/support/computed.ts'

/**
 * Milliseconds for which this thread computed in one piece while something went on. Computing time, not the clock's:
 * other programs of the machine do not count.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = computed()
  let running = true
  const look = () => {
    const now = computed()
    longest = Math.max(longest, now - last)
    last = now
    if (running) setImmediate(look)
  }
  setImmediate(look)
  await work()
  running = false
  return longest
}
