import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Reply } from '#src/domain/reply.ts'
import type { CallEnd } from '#src/engine/call-end.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { PostgresReader, type ReadPlace } from '#src/engine/postgres-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A place in which a read takes as many milliseconds as its input says. */
class Place implements ReadPlace {
  readonly begun: string[] = []

  read({ caller, input }: SqlCall, end: CallEnd): Promise<Reply> {
    this.begun.push(caller.user_id!)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const timer = setTimeout(resolve, input as number, new Reply('1'))
    const leave = () => {
      clearTimeout(timer)
      reject(new Error('cancelled'))
    }
    return end.during(leave, () => promise)
  }
}

function startReader(connections = { quick: 2, slow: 2, long: 1 }) {
  const [quick, slow] = [new Place(), new Place()]
  const timeouts = { read: 10_000, change: 60_000 }
  const reader = new PostgresReader({ quick, slow, connections, timeouts, metrics: new EngineMetrics() })
  const read = (user_id: string, milliseconds: number) => {
    const call = { name: 'searchItems', caller: { user_id, address: '' }, input: milliseconds, now: 0 }
    const answer = reader.read(call as SqlCall).then(
      () => 'answered',
      (error: Error) => error.message,
    )
    return answer
  }
  return { quick, slow, read }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

it('what is slow begins again elsewhere while others wait, and so do the next reads of its account', async () => {
  const service = startReader()
  const { read, quick, slow } = service
  void read('slow', 5000)
  void read('slower', 5000)
  const waiting = read('other', 10)
  await pass(150)
  expect(slow.begun).toEqual([])
  await pass(100)
  expect(slow.begun.length).toBeGreaterThan(0)
  await pass(20)
  expect(await waiting).toBe('answered')
  void read('slow', 1)
  await pass(10)
  expect(quick.begun).toEqual(['slow', 'slower', 'other'])
})

it('who is mostly quick keeps its place where a read lasts because all of them do', async () => {
  const { read, quick, slow } = startReader()
  for (let i = 0; i < 3; i++) {
    const done = read('honest', 5)
    await pass(5)
    expect(await done).toBe('answered')
  }
  const lasting = read('honest', 300)
  void read('slow', 5000)
  void read('other', 5)
  await pass(305)
  expect(await lasting).toBe('answered')
  expect(slow.begun).toEqual(['slow'])
  expect(quick.begun.filter((account) => account === 'honest')).toHaveLength(4)
})

it('one slow read among quick ones sends none of the next behind those of slow accounts', async () => {
  const { read, quick } = startReader()
  for (let i = 0; i < 3; i++) {
    void read('honest', 5)
    await pass(5)
  }
  void read('honest', 9000)
  for (let i = 0; i < 10; i++) {
    void read(`slow ${i}`, 9000)
    await pass(100)
  }
  const next = read('honest', 5)
  await pass(1000)
  expect(await Promise.race([next, Promise.resolve('waits')])).toBe('answered')
  expect(quick.begun.filter((account) => account === 'honest')).toHaveLength(5)
})

it('accounts that are slow again and again leave one of the slow connections to others', async () => {
  const service = startReader({ quick: 3, slow: 2, long: 1 })
  const { read, slow } = service
  const slower = ['a', 'b', 'c']
  for (let round = 0; round < 3; round++) {
    for (const name of slower) for (let i = 0; i < 3; i++) void read(name, 20_000)
    await pass(10_000)
  }
  for (const name of slower) void read(name, 20_000)
  await pass(100)
  slow.begun.length = 0
  const fresh = ['x', 'y', 'z', 'v'].map((name) => read(name, 900))
  await pass(4000)
  expect(slow.begun.some((name) => 'xyzv'.includes(name))).toBe(true)
  expect(await Promise.all(fresh)).toEqual(Array(4).fill('answered'))
})
