import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { PatternThread } from '#src/sql/pattern-thread.ts'

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
})
