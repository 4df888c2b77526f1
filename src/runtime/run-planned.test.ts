import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NOBODY } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { abandoned } from '#src/engine/ended.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { overtaken, runPlanned } from '#src/runtime/run-planned.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const call: SqlCall = { name: 'bulkDelete', caller: NOBODY, input: {}, now: 0 }

/** Each plan takes so long and is overtaken; the change that finds out for itself goes on until it is ended. */
function busyEngine(planning: number): Engine {
  const engine: Pick<Engine, 'read' | 'write'> = {
    async read() {
      vi.advanceTimersByTime(planning)
      return Reply.of({})
    },
    write: ({ planned }, { signal } = {}) =>
      planned === undefined
        ? new Promise((_, reject) => signal!.addEventListener('abort', () => reject(abandoned())))
        : Promise.resolve(rolledBack('overtaken')),
  }
  return engine as Engine
}

it('a plan that was overtaken is made again from nothing that may lag behind', async () => {
  const lates: (boolean | undefined)[] = []
  const engine: Pick<Engine, 'read' | 'write'> = {
    async read({ late }) {
      lates.push(late)
      return Reply.of({})
    },
    write: async () => (lates.length < 3 ? rolledBack('overtaken') : Reply.of('done')),
  }
  expect((await runPlanned(engine as Engine, call, {})).json).toBe('"done"')
  expect(lates).toEqual([undefined, false, false])
})

it('a change whose plans are overtaken keeps others from writing for a second at the most', async () => {
  const outcome = runPlanned(busyEngine(700), call, {}).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await outcome).toEqual(overtaken())
})

it('and not at all where a plan takes nearly as long', async () => {
  const outcome = runPlanned(busyEngine(800), call, {}).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  expect(await outcome).toEqual(overtaken())
})
