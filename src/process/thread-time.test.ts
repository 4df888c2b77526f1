import { expect, it } from 'vitest'
import { Worker } from 'node:worker_threads'
import { computedAbout, computedHere, monotonic, threadNumber, ThreadTime } from '#src/process/thread-time.ts'

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

it.runIf(process.platform === 'linux')(
  'what a thread has computed is read from outside of it until it has ended',
  async () => {
    const own = new ThreadTime(threadNumber())
    expect(Math.abs(own.read()! - computedHere())).toBeLessThan(25) // it goes by ticks of ten milliseconds
    const before = own.read()!
    compute(50)
    expect(own.read()! - before).toBeGreaterThanOrEqual(40)
    own.close()
    expect(own.read()).toBeUndefined()
    // A quick machine starts a thread within a tick.
    const code = `for (const since = performance.now(); performance.now() - since < 50; ); require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))`
    const worker = new Worker(`${code}; setInterval(() => {}, 1000)`, { eval: true })
    const path = await new Promise<string>((resume) => worker.once('message', resume))
    const other = new ThreadTime(Number(/\d+$/.exec(path)![0]))
    expect(other.read()).toBeGreaterThan(0)
    await worker.terminate()
    await expect.poll(() => other.read()).toBeUndefined()
    other.close()
    expect(new ThreadTime(0).read()).toBeUndefined()
  },
)
