import { describe, expect, it } from 'vitest'
import { FairLine } from '#src/domain/fair-line.ts'
import {
  decide,
  faultOf,
  isLong,
  isStuck,
  met,
  type Read,
  type Reader,
  readersToLeave,
  readsToLeave,
  readToClear,
} from '#src/engine/decide-reads.ts'
import { AccountTimes } from '#src/engine/account-times.ts'
import { abandoned, readTookTooLong } from '#src/engine/ended.ts'
import { ReadHabits } from '#src/engine/read-habits.ts'

const NOW = 100_000

const read = (account: string, more: Partial<Read> = {}): Read => ({
  call: { name: 'searchItems', caller: { user_id: account } as Read['call']['caller'], input: {}, now: 0 },
  since: NOW,
  account,
  timeout: 10_000,
  signal: undefined,
  habit: { wasSlow: false, counted: false, expected: 1 },
  resolve() {},
  reject() {},
  ...more,
})

type Thread = Reader['thread']
const reader = (thread: Partial<Thread> = {}, more: Partial<Reader> = {}): Reader => ({
  thread: {
    isUp: true,
    isComing: false,
    load: 0,
    since: undefined,
    time: 0,
    running: undefined,
    jobs: [],
    ...thread,
  },
  seen: undefined,
  long: false,
  stopping: undefined,
  ...more,
})
/** In the middle of a long read that was first seen `lasted` ms ago. */
function inLong(job: Read, lasted = 300, time: number | undefined = lasted): Reader {
  const seen = { job, since: NOW - lasted, time: 0 }
  return reader({ load: 1, since: job.since, running: job, time }, { long: true, seen })
}

function state(readers: readonly Reader[], ...reads: readonly Read[]) {
  const waiting = new FairLine<Read>()
  for (const each of reads) waiting.add(each.account, each)
  return { readers, waiting, habits: new ReadHabits(), times: new AccountTimes(), sparesOne: true }
}

describe('who is next, and where', () => {
  it('is nobody where nobody waits, and nobody where no thread is free', () => {
    const waits = read('ann')
    const stopping = { job: read('bob'), since: NOW, time: 0 }
    expect(decide(state([reader()]), NOW)).toBeUndefined()
    expect(decide(state([inLong(read('bob')), reader({}, { stopping })], waits), NOW)).toBeUndefined()
    expect(decide(state([reader({ load: 64 }), reader({ load: 64 })], waits), NOW)).toBeUndefined()
    expect(decide(state([reader({ load: 64 }), reader({ load: 63 })], waits), NOW)?.read).toBe(waits)
  })

  it.each<[string, Partial<Thread>, Partial<Thread>, 0 | 1]>([
    ['with the least to do', { load: 3 }, { load: 2 }, 1],
    ['that comes first of those with as much', { load: 2 }, { load: 2 }, 0],
    ['that is up', { isUp: false }, { load: 9 }, 1],
    ['whose oldest call is young', { load: 1, since: NOW - 10 }, { load: 9, since: NOW - 9 }, 1],
    ['with the least where all calls are old', { load: 1, since: NOW - 50 }, { load: 9, since: NOW - 20 }, 0],
  ])('goes to the thread %s', (_, one, other, wanted) => {
    const readers = [reader(one), reader(other)]
    expect(decide(state(readers, read('ann')), NOW)?.reader).toBe(readers[wanted])
  })

  it('is somebody quick before somebody slow, and somebody slow on an idle thread alone', () => {
    const [slowly, quickly] = [read('ann'), read('bob')]
    const busy = state([reader({ load: 1 })], slowly, quickly)
    busy.habits.wasSlow('ann', NOW)
    expect(decide(busy, NOW)?.read).toBe(quickly)
    busy.waiting.take('bob', quickly)
    expect(decide(busy, NOW)).toBeUndefined()
    expect(decide({ ...busy, readers: [reader()] }, NOW)?.read).toBe(slowly)
    expect(decide(busy, NOW + 2001)?.read).toBe(slowly)
  })

  it('is each account in its turn', () => {
    const reads = [read('ann'), read('ann'), read('bob')]
    const world = state([reader()], ...reads)
    const order: (Read | undefined)[] = []
    for (let next; (next = decide(world, NOW)); world.waiting.take(next.read.account, next.read))
      order.push(next.read)
    expect(order).toEqual([reads[0], reads[2], reads[1]])
  })
})

describe('beside others', () => {
  /** Two accounts have asked, and `computed` says what each call of an account took; the reads of another are light. */
  function busy(readers: readonly Reader[], computed: Record<string, number>, ...reads: readonly Read[]) {
    const world = state(readers, ...reads)
    for (const account of ['ann', 'bob', 'ann']) world.habits.asks(account, NOW)
    for (const [account, each] of Object.entries({ dan: 1, ...computed }))
      for (let i = 0; i < 8; i++) world.times.ran(account, each, NOW)
    return world
  }
  const given = (account: string, expected: number) =>
    read(account, { habit: { wasSlow: false, counted: false, expected } })

  it('the account that has used least is next, however many others wait', () => {
    const reads = [read('ann'), read('ann'), read('bob')]
    expect(decide(busy([reader()], { ann: 2, bob: 1 }, ...reads), NOW)?.read).toBe(reads[2])
  })

  it('a thread has no more than 5 ms of work beforehand', () => {
    const deciding = (job: Read) =>
      decide(busy([reader({ load: 1, jobs: [job] })], { ann: 2 }, read('ann')), NOW) !== undefined
    expect([deciding(given('bob', 3)), deciding(given('bob', 4))]).toEqual([true, false])
  })

  it('no thread is kept free where nobody’s reads are light', () => {
    const deciding = (now: number) => {
      const world = busy([reader({ load: 1, jobs: [given('bob', 40)] }), reader()], { ann: 40 }, read('ann'))
      for (const account of ['ann', 'bob', 'ann']) world.habits.asks(account, now)
      return decide(world, now) !== undefined
    }
    expect([deciding(NOW + 1999), deciding(NOW + 2000)]).toEqual([false, true])
  })

  it('what is heavy has the free thread, once it has waited for one that is in the middle of a long read', () => {
    const deciding = (waited: number, other: Reader) => {
      const waits = read('ann', { since: NOW - waited })
      return decide(busy([other, reader()], { ann: 40 }, waits), NOW) !== undefined
    }
    const long = inLong(read('cem'), 3000)
    expect([deciding(250, long), deciding(251, long)]).toEqual([false, true])
    const ending = reader({ load: 1 }, { stopping: { job: read('cem'), since: NOW, time: 0 } })
    expect([deciding(250, ending), deciding(251, ending)]).toEqual([false, true])
    expect(deciding(9000, reader({ load: 1, jobs: [given('bob', 40)] }))).toBe(false)
  })

  it('one thread is kept free of what is heavy, but for the one that does not come up', () => {
    const job = given('bob', 40)
    const taken = reader({ load: 1, jobs: [job] })
    const deciding = (...readers: Reader[]) => decide(busy(readers, { ann: 40 }, read('ann')), NOW)
    expect(deciding(taken, reader())).toBeUndefined()
    expect(deciding(reader(), reader())).toBeDefined()
    const coming = reader({ isUp: false, isComing: true })
    expect(deciding(reader(), coming)?.reader).toBe(coming)
    expect(deciding(reader(), reader({ isUp: false, isComing: false }))?.reader.thread.isUp).toBe(true)
    const light = busy([taken, reader()], { ann: 2 }, read('ann'))
    expect(decide(light, NOW)?.reader).toBe(light.readers[1])
    expect(
      decide({ ...busy([taken, reader()], { ann: 40 }, read('ann')), sparesOne: false }, NOW),
    ).toBeDefined()
  })
})

describe('a long read', () => {
  it('begins again among the slower, for the sake of others, soon or not at all', () => {
    const leaving = (lasted: number, others = true) => {
      const world = state([inLong(read('ann'), lasted)])
      if (others) world.habits.asks('bob', NOW)
      world.habits.asks('ann', NOW)
      return readersToLeave(world, NOW).length
    }
    expect([leaving(200), leaving(201), leaving(999), leaving(1000)]).toEqual([0, 1, 1, 0])
    expect(leaving(300, false)).toBe(0)
  })

  it('begins again however long it has lasted, where somebody waits who has no other place', () => {
    const leaving = (lasted: number, ...accounts: string[]) => {
      const world = state(
        [inLong(read('ann'), lasted), reader()],
        ...accounts.map((account) => read(account)),
      )
      world.habits.wasSlow('cem', NOW)
      return readersToLeave(world, NOW).length
    }
    expect([leaving(200, 'bob'), leaving(201, 'bob'), leaving(5000, 'bob')]).toEqual([0, 1, 1])
    expect([leaving(5000), leaving(5000, 'ann'), leaving(5000, 'cem')]).toEqual([0, 0, 0])
  })

  it('stays where it lasts because the processor is busy', () => {
    const leaving = (time: number) => {
      const world = state([inLong(read('ann'), 300, time)])
      world.habits.asks('bob', NOW)
      world.habits.asks('ann', NOW)
      return readersToLeave(world, NOW).length
    }
    expect([leaving(60), leaving(61)]).toEqual([0, 1])
  })

  it('takes along what its account waits for besides', () => {
    const [slowly, quickly] = [read('ann'), read('bob')]
    const world = state([reader()], slowly, quickly)
    world.habits.asks('bob', NOW)
    world.habits.wasSlow('ann', NOW)
    expect(readsToLeave(world, NOW)).toEqual([slowly])
    expect(readsToLeave(world, NOW + 2000)).toEqual([]) // nobody else has asked lately
  })

  it('makes room where long ones have all threads and somebody quick waits: the newest', () => {
    const [older, newer] = [read('ann', { since: NOW - 900 }), read('bob', { since: NOW - 400 })]
    const readers = [inLong(newer), inLong(older)]
    expect(readToClear(state(readers, read('cem')), NOW)).toEqual({ read: newer, reader: readers[0] })
    expect(readToClear(state(readers), NOW)).toBeUndefined()
    expect(readToClear(state([readers[0]!, reader()], read('cem')), NOW)).toBeUndefined()
    expect(readToClear(state([readers[0]!], read('cem')), NOW)).toBeUndefined()
    const stopping = { job: newer, since: NOW, time: 0 }
    expect(readToClear(state([{ ...readers[0]!, stopping }, readers[1]!], read('cem')), NOW)).toBeUndefined()
  })

  it('makes room by what computes, not by what waits for the processor though its account is mostly quick', () => {
    const cleared = (computed: number, ...areQuick: string[]) => {
      const [newer, older] = [read('bob', { since: NOW - 400 }), read('ann', { since: NOW - 900 })]
      const world = state([inLong(newer, 300, computed), inLong(older, 300, computed)], read('cem'))
      for (const each of areQuick) for (let i = 0; i < 3; i++) world.habits.wasQuick(each, NOW)
      return readToClear(world, NOW)?.read.account
    }
    expect([cleared(60), cleared(60, 'bob'), cleared(60, 'bob', 'ann')]).toEqual(['bob', 'ann', undefined])
    expect([cleared(61), cleared(61, 'bob'), cleared(61, 'bob', 'ann')]).toEqual(['bob', 'bob', 'bob'])
  })

  it('of somebody whose reads are mostly quick stays until it has computed for a quarter of a second', () => {
    const leaving = (computed: number) => {
      const world = state([inLong(read('ann'), 900, computed)])
      for (let i = 0; i < 3; i++) world.habits.wasQuick('ann', NOW)
      world.habits.asks('bob', NOW)
      world.habits.asks('ann', NOW)
      return readersToLeave(world, NOW).length
    }
    expect([leaving(250), leaving(251)]).toEqual([0, 1])
  })

  it('makes room for somebody slow only where one account has all threads', () => {
    const clearing = (...accounts: [string, string]) => {
      const world = state(
        accounts.map((account) => inLong(read(account))),
        read('cem'),
      )
      world.habits.wasSlow('cem', NOW)
      return readToClear(world, NOW) !== undefined
    }
    expect(clearing('ann', 'ann')).toBe(true)
    expect(clearing('ann', 'bob')).toBe(false)
    expect(clearing('cem', 'cem')).toBe(false)
  })

  it.each<[string, number | undefined, number, boolean]>([
    ['has computed for 20 ms', 20, 1, true],
    ['has computed for less, and waited for the processor', 19, 249, false],
    ['has lasted for 250 ms', 0, 250, true],
    ['is met twice, where nobody knows what it computed', undefined, 1, true],
  ])('is one that %s', (_, time, lasted, long) => {
    const job = read('ann')
    const seen = met({ ...reader().thread, time: time === undefined ? undefined : 0 }, job, NOW - lasted)
    expect(isLong(reader({ time }, { seen }), job, NOW)).toBe(long)
    expect(isLong(reader({ time }, { seen }), read('ann'), NOW)).toBe(false)
    expect(isLong(reader({ time }, { seen }), undefined, NOW)).toBe(false)
  })

  it.each<[string, number | undefined, number, boolean]>([
    ['has computed for more than 250 ms since', 251, 300, true],
    ['has computed for 250 ms', 250, 5000, false],
    ['has not ended after 5 s', 0, 5001, true],
    ['has not ended after 1 s, where nobody knows what it computed', undefined, 1001, true],
    ['may end yet', undefined, 1000, false],
  ])('that was told to end and %s is stuck: %s', (_, time, lasted, stuck) => {
    const stopping = met({ ...reader().thread, time: 0 }, read('ann'), NOW - lasted)
    expect(isStuck({ ...reader().thread, time }, stopping, NOW)).toBe(stuck)
  })

  it('ends at its deadline, and when its client leaves', () => {
    const started = read('ann', { timeout: 500 })
    expect(faultOf(started, NOW + 500)).toBeUndefined()
    expect(faultOf(started, NOW + 501)).toEqual(readTookTooLong(500))
    expect(faultOf({ ...started, signal: AbortSignal.abort() }, NOW)).toEqual(abandoned())
  })
})
