import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ComponentThread } from '#src/operations/components/component-thread.ts'

const CODE = 'export default function A() { return <b>x</b> }'

afterEach(() => void vi.useRealTimers())

describe('the thread that compiles components', { timeout: 60_000 }, () => {
  it('compiles the next one after it has died in its first', async () => {
    const thread = new ComponentThread()
    const started = once(process, 'worker') as Promise<[Worker]>
    const first = thread.compile(CODE)
    void (await started)[0].terminate()
    await expect(first).rejects.toThrow('The compiler stopped unexpectedly')
    expect(await thread.compile(CODE)).toContain('createElement("b"')
  })

  it('compiles what it is asked just as it was ended for having rested', async () => {
    const thread = new ComponentThread()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await thread.compile(CODE)
    const ended = vi.getTimerCount()
    vi.runAllTimers()
    expect(await thread.compile(CODE)).toContain('createElement("b"')
    expect(ended).toBe(1)
    vi.runAllTimers()
  })
})
