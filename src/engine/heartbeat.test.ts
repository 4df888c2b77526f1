import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Heartbeat } from '#src/engine/heartbeat.ts'

it('a heartbeat shows to others for how long a thread has computed in one piece', async () => {
  const own = new Heartbeat()
  const seen = new Heartbeat(own.memory)
  own.begin()
  for (const since = performance.now(); performance.now() - since < 60;);
  expect(seen.age).toBeGreaterThanOrEqual(50)
  await expect.poll(() => seen.age, { interval: 1 }).toBeLessThan(20)
  own.rest()
  await pause(60)
  expect(seen.age).toBeGreaterThanOrEqual(50)
})
