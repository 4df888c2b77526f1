import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { matcherUntil, PatternThread } from '#src/sql/pattern-thread.ts'
import { endlessPattern, letters } from '#test/support/endless-pattern.ts'

const TEST = { test: 'regex', pattern: 'b+' } as const
const TEXTS = ['abc', null, 'x', 'b']

/** The worker that is started next. */
const nextWorker = async () => ((await once(process, 'worker')) as [Worker])[0]

describe('the thread that looks for patterns', { timeout: 20_000 }, () => {
  it('refuses what it was asked, and is asked, once it is closed', async () => {
    const patterns = new PatternThread()
    expect(await patterns.match(TEST, TEXTS)).toEqual([0, 3])
    const waiting = [patterns.match(TEST, TEXTS), patterns.match(TEST, TEXTS)]
    const closed = patterns.close()
    for (const each of waiting) await expect(each).rejects.toThrow('The thread for patterns was ended')
    await closed
    await expect(patterns.match(TEST, TEXTS)).rejects.toThrow('The thread for patterns was ended')
  })

  it('loses what it was at when it dies, and nothing that waits', async () => {
    const patterns = new PatternThread()
    const started = nextWorker()
    const [first, ...others] = [1, 2, 3].map(() => patterns.match(TEST, TEXTS))
    void (await started).terminate()
    await expect(first).rejects.toThrow('The thread for patterns was ended')
    expect(await Promise.all(others)).toEqual([
      [0, 3],
      [0, 3],
    ])
    expect(await patterns.match(TEST, TEXTS)).toEqual([0, 3])
    await patterns.close()
  })

  it('ends in the middle of a text for a caller whose work is to end, who gets the reason, and goes on for others', async () => {
    const patterns = new PatternThread()
    const over = new Error('over')
    let isOver = false
    const until = matcherUntil(patterns, () => {
      if (isOver) throw over
    })
    expect(await until.match(TEST, TEXTS)).toEqual([0, 3])
    const long = until.match({ test: 'regex', pattern: endlessPattern(0) }, [letters(2 ** 20)])
    const next = patterns.match(TEST, TEXTS)
    isOver = true
    await expect(long).rejects.toBe(over)
    expect(await next).toEqual([0, 3])
    await expect(until.match(TEST, TEXTS)).rejects.toBe(over)
    await patterns.close()
  })
})
