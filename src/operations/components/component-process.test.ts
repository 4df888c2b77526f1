import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ComponentProcess } from '#src/operations/components/component-process.ts'
import { childProcesses } from '#test/support/child-processes.ts'

const CODE = 'export default function A() { return <b>x</b> }'
const LINUX = process.platform === 'linux'

afterEach(() => void vi.useRealTimers())

describe('the process that compiles components', { timeout: 60_000 }, () => {
  it.runIf(LINUX)('compiles the next one after it has died in its first', async () => {
    const components = new ComponentProcess()
    const before = await childProcesses(process.pid)
    const first = components.compile(CODE)
    for (const pid of await childProcesses(process.pid))
      if (!before.includes(pid)) process.kill(pid, 'SIGKILL')
    await expect(first).rejects.toThrow('The compiler stopped unexpectedly')
    expect(await components.compile(CODE)).toContain('createElement("b"')
  })

  it.runIf(LINUX)('starts the compiler for each, so that the service starts no second process', async () => {
    const components = new ComponentProcess()
    const before = await childProcesses(process.pid)
    const started = new Set<number>()
    for (let i = 0; i < 3; i++) {
      const compiling = components.compile(CODE)
      const end = compiling.then(() => true)
      while (!(await Promise.race([end, wait(1, false)])))
        for (const pid of await childProcesses(process.pid)) started.add(pid)
      await compiling
    }
    expect([...started].filter((pid) => !before.includes(pid))).toHaveLength(1)
  })

  it('compiles what it is asked just as it was ended for having rested', async () => {
    const components = new ComponentProcess()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await components.compile(CODE)
    const ended = vi.getTimerCount()
    vi.runAllTimers()
    expect(await components.compile(CODE)).toContain('createElement("b"')
    expect(ended).toBe(1)
    vi.runAllTimers()
  })
})
