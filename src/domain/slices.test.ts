import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Slices } from '#src/domain/slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const OPTIONS = { slice: 100, rest: 10, max_wait: 1000, what: 'exports' }

/** A work of so many jobs of 30 ms each, one after the other. */
async function work(slices: Slices, name: string, jobs: number, done: string[]): Promise<void> {
  for (let i = 0; i < jobs; i++)
    await slices.run({ key: name[0]!, work: name }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      done.push(name)
    })
}

it('go on for a slice each, one after the other, by turns of their keys', async () => {
  const slices = new Slices(OPTIONS)
  const done: string[] = []
  const all = ['a1', 'a2', 'b1'].map((name) => work(slices, name, 5, done))
  await vi.advanceTimersByTimeAsync(1000)
  await Promise.all(all)
  expect(done.join(' ')).toBe('a1 a1 a1 a1 a2 a2 a2 a2 b1 b1 b1 b1 a1 a2 b1')
})

it('let the next one begin where nothing more is asked for, and have no end while they are alone', async () => {
  const slices = new Slices(OPTIONS)
  const done: string[] = []
  void work(slices, 'a1', 1, done)
  void work(slices, 'b1', 20, done)
  await vi.advanceTimersByTimeAsync(30 + 10 + 20 * 30)
  expect(done).toHaveLength(21)
  const failing = slices.run({ key: 'a', work: 'a1' }, () => Promise.reject(new Error('wrong')))
  const failed = expect(failing).rejects.toThrow('wrong')
  await vi.advanceTimersByTimeAsync(20)
  await failed
  void work(slices, 'c1', 1, done)
  await vi.advanceTimersByTimeAsync(40)
  expect(done.at(-1)).toBe('c1')
})

it('refuse with 429 what waits too long, and go on', async () => {
  const slices = new Slices({ ...OPTIONS, max_wait: 50 })
  let end = () => {}
  const first = slices.run({ key: 'a', work: 'a1' }, () => new Promise<void>((resolve) => (end = resolve)))
  const refused = expect(slices.run({ key: 'b', work: 'b1' }, async () => {})).rejects.toMatchObject({
    code: 'TooManyRequests',
  })
  await vi.advanceTimersByTimeAsync(60)
  await refused
  end()
  await first
  await vi.advanceTimersByTimeAsync(20)
  expect(await slices.run({ key: 'b', work: 'b1' }, async () => 'done')).toBe('done')
})
