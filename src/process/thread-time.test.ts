import { expect, it } from 'vitest'
import { computedAbout, computedHere, monotonic } from '#src/process/thread-time.ts'

function compute(milliseconds: number): void {
  for (const until = computedHere() + milliseconds; computedHere() < until;);
}

it('what a thread has computed is known to two milliseconds without asking the system each time', async () => {
  const asked = computedHere()
  expect(Math.abs(computedAbout(monotonic()) - asked)).toBeLessThan(3)
  compute(20)
  expect(Math.abs(computedAbout(monotonic()) - computedHere())).toBeLessThan(3)
  // Of the time in which it waits, no more is taken for computing.
  const before = computedAbout(monotonic())
  await new Promise((resume) => setTimeout(resume, 50))
  expect(computedAbout(monotonic()) - before).toBeLessThan(20)
  const now = monotonic()
  expect([computedAbout(now) - computedAbout(now), computedAbout(now + 1) - computedAbout(now)]).toEqual([
    0,
    expect.closeTo(1, 6),
  ])
})
