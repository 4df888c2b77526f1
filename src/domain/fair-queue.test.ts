import { describe, expect, it } from 'vitest'
import { FairQueue } from '#src/domain/fair-queue.ts'

/** Jobs that end when they are told to. */
function startJobs(queue: FairQueue) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (key: string, name: string) =>
    queue.run(key, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, add, end }
}

describe('FairQueue', () => {
  it('runs no more jobs at once than it may', async () => {
    const { begun, add, end } = startJobs(new FairQueue({ at_once: 2, max_wait: 1000 }))
    void add('a', 'a1')
    void add('a', 'a2')
    const third = add('a', 'a3')
    expect(begun).toEqual(['a1', 'a2'])
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    await end('a3')
    expect(await third).toBe('a3')
    await end('a1')
  })

  it('is round-robin by key, so that a flood of one costs another one turn', async () => {
    const { begun, add, end } = startJobs(new FairQueue({ at_once: 1, max_wait: 1000 }))
    for (let i = 1; i <= 5; i++) void add('flood', `f${i}`)
    void add('other', 'o1')
    void add('third', 't1')
    for (const name of ['f1', 'f2', 'o1', 't1', 'f3']) await end(name)
    expect(begun).toEqual(['f1', 'f2', 'o1', 't1', 'f3', 'f4'])
    for (const name of ['f4', 'f5']) await end(name)
    expect(begun.at(-1)).toBe('f5')
  })

  it('gives every second turn to those preferred, and starves nobody', async () => {
    const prefers = (key: string) => key.startsWith('known')
    const { begun, add, end } = startJobs(new FairQueue({ at_once: 1, max_wait: 1000, prefers }))
    for (let i = 1; i <= 5; i++) void add(`stranger ${i}`, `s${i}`)
    for (let i = 1; i <= 2; i++) void add(`known ${i}`, `k${i}`)
    for (const name of ['s1', 'k1', 's2', 'k2', 's3', 's4', 's5']) await end(name)
    expect(begun).toEqual(['s1', 'k1', 's2', 'k2', 's3', 's4', 's5'])
  })

  it('keeps places free of some keys, and says whether another key wants one of theirs', async () => {
    const keeps_free = { places: 1, of: (key: string) => key.startsWith('slow') }
    const queue = new FairQueue({ at_once: 3, of_one_key: 2, max_wait: 1000, keeps_free })
    const { begun, add, end } = startJobs(queue)
    for (const name of ['a1', 'a2', 'a3']) void add('slow a', name)
    expect(begun).toEqual(['a1', 'a2'])
    expect(queue.isWantedBeside('slow a')).toBe(false)
    void add('slow b', 'b1')
    expect(begun).toHaveLength(2)
    expect(queue.isWantedBeside('slow a')).toBe(true)
    void add('other', 'o1')
    expect(begun).toEqual(['a1', 'a2', 'o1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'o1', 'a3'])
    await end('o1')
    expect(begun).toHaveLength(4)
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'o1', 'a3', 'b1'])
    for (const name of ['a3', 'b1']) await end(name)
  })

  it('refuses with 429 what waits too long, and goes on', async () => {
    const { begun, add, end } = startJobs(new FairQueue({ at_once: 1, max_wait: 20 }))
    void add('a', 'a1')
    await expect(add('a', 'a2')).rejects.toMatchObject({
      code: 'TooManyRequests',
      details: { retry_after: 1 },
    })
    const after = add('a', 'a3')
    await end('a1')
    await end('a3')
    expect(await after).toBe('a3')
    expect(begun).toEqual(['a1', 'a3'])
  })

  it('goes on after a job that fails', async () => {
    const queue = new FairQueue({ at_once: 1, max_wait: 1000 })
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run('a', async () => 'yes')).toBe('yes')
  })
})
