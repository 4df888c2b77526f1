import { NOBODY } from '#src/domain/caller.ts'
import { AccountTimes } from '#src/engine/account-times.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { ReaderPool } from '#src/engine/reader-pool.ts'
import { ReadHabits } from '#src/engine/read-habits.ts'
import { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { ThreadOptions } from '#src/engine/sqlite-thread-options.ts'
import {
  type AnsweredRead,
  type AskedRead,
  checkReads,
  type ReadOutcome,
} from '#test/simulation/check-reads.ts'
import { type ReaderFaults, type ReadInput, SimulatedReader } from '#test/simulation/simulated-reader.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'

const DEADLINE = 4000
const QUICK_ACCOUNTS = 2
const MOST_SLOW_ACCOUNTS = 3
const QUICK_READS = 25
const QUICK_WORK = 5
const SLOW_READS = 4
/** Accounts whose reads are never slow, and so many that they keep all threads busy. */
const MOST_BUSY_ACCOUNTS = 5
const BUSY_READS = 6
const BUSY_ROUNDS = 5
const BUSY_WORK = 55
/** A long read is noticed, told to end for the sake of others, and ends: what a quick one may wait. */
const QUICK_WITHIN = 300
/** What those of one account that come at once may wait beside a read that has been under way for ALONE_MS. */
const BUSY_WITHIN = 800
/** From here on a long read is no longer moved for others who have places. */
const ALONE_MS = 1100

/** Faults that the checker has to find. */
export interface PlantedInReaders {
  /** What is taken back from a thread just as it begins goes on there, and what comes behind it waits. */
  leavesVain?: true
  confuses?: number
}

class World {
  readonly time: SimulatedTime
  readonly asked: AskedRead[] = []
  readonly answered: AnsweredRead[] = []
  readonly quick: ReaderPool
  readonly long: ReaderPool
  /** Of reads that are for long in one step. */
  readonly sticks: number

  constructor(
    time: SimulatedTime,
    faults: ReaderFaults & { sticks: number },
    { leavesVain }: PlantedInReaders,
  ) {
    this.time = time
    this.sticks = faults.sticks
    const habits = new ReadHabits()
    const newThread = (more: Partial<ThreadOptions>) => {
      const thread = new SqliteThread({
        spawn: (start) => new SimulatedReader(time, start, faults),
        start: { descriptor: -1, file: '', role: 'reader', max_batch: 1 },
        log() {},
        onDamage() {},
        ...more,
      })
      return leavesVain ? Object.assign(thread, { stopVain() {} }) : thread
    }
    const shared = {
      newThread,
      timeout: DEADLINE,
      habits,
      times: new AccountTimes(),
      metrics: new EngineMetrics(),
    }
    const idle = time.chance.is(0.5) ? 100 : undefined
    this.long = new ReaderPool({ ...shared, kind: 'long_read', idle })
    this.quick = new ReaderPool({ ...shared, kind: 'read', slower: this.long.readers, first: true })
  }

  async read(account: string, work: number, leavesAfter?: number): Promise<void> {
    const { time, asked, answered } = this
    const input: ReadInput = {
      id: `${account} ${asked.length}`,
      work,
      inOneStep: time.chance.is(this.sticks),
    }
    const left = leavesAfter === undefined ? undefined : time.elapsed + leavesAfter
    asked.push({ id: input.id, account, work, at: time.elapsed, left })
    const leave = new AbortController()
    if (leavesAfter !== undefined) time.after(leavesAfter, () => leave.abort())
    const call = { name: 'read', caller: { ...NOBODY, user_id: account }, input, now: Date.now() }
    const answer = await this.quick.readers.read(call, leave.signal).then(
      ({ json }): Pick<AnsweredRead, 'outcome' | 'body'> => ({
        outcome: 'done',
        body: JSON.parse(json) as string,
      }),
      (error: Error) => ({ outcome: outcomeOf(error), body: undefined }),
    )
    answered.push({ id: input.id, ...answer, at: time.elapsed })
  }
}

function outcomeOf({ message }: Error): ReadOutcome {
  if (message.startsWith('The query was ended after')) return 'late'
  if (message.startsWith('Ended because the client left')) return 'left'
  if (message.startsWith('The database thread stopped')) return 'lost'
  throw new Error(`a read failed: ${message}`)
}

/**
 * Readers over threads that take their time, die, or cannot be ended: accounts whose reads are quick beside accounts
 * whose reads are long, and clients that leave. Each read is answered once, by its deadline; nobody whose reads are
 * quick waits long for others. Returns how many were carried out.
 */
export async function simulateReaders(seed: number, planted: PlantedInReaders = {}): Promise<number> {
  const time = new SimulatedTime(seed)
  const { chance } = time
  const faults = {
    dies: chance.is(0.3) ? 0.02 : 0,
    confuses: planted.confuses ?? 0,
    sticks: chance.is(0.3) ? 0.2 : 0,
  }
  const world = new World(time, faults, planted)
  const comesLate = chance.is(0.1)
  const busyAccounts = chance.is(0.5) ? 1 + chance.below(MOST_BUSY_ACCOUNTS) : 0
  const busy = accounts('busy', comesLate ? 1 : busyAccounts)
  const quick = accounts('quick', QUICK_ACCOUNTS)
  const slow = accounts('slow', comesLate ? 0 : 1 + chance.below(MOST_SLOW_ACCOUNTS))
  await time.run(async () => {
    const serves = setInterval(() => {}, DEADLINE) // a service goes on however few its calls are
    await world.quick.first.start().catch(() => {})
    const alone = comesLate && world.read('alone', DEADLINE - 1)
    if (comesLate) await time.pause(ALONE_MS)
    await Promise.all([
      ...quick.map((account) => readQuickly(world, account)),
      ...slow.map((each) => readSlowly(world, each)),
      ...busy.map((account) => readBusily(world, account)),
      alone,
    ])
    await Promise.all([world.quick.close(), world.long.close()])
    clearInterval(serves)
  })
  checkReads({
    asked: world.asked,
    answered: world.answered,
    deadline: DEADLINE,
    isDisturbed: faults.dies > 0 || faults.sticks > 0,
    prompt: [
      { accounts: new Set(quick), work: QUICK_WORK, within: QUICK_WITHIN },
      ...(comesLate ? [{ accounts: new Set(busy), work: BUSY_WORK, within: BUSY_WITHIN }] : []),
    ],
  })
  return world.answered.filter(({ outcome }) => outcome === 'done').length
}

const accounts = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind} ${i}`)

/** One of them is long, while the others go on: it makes nobody slow. */
async function readQuickly(world: World, account: string): Promise<void> {
  const { time } = world
  const { chance } = time
  let long: Promise<void> | undefined
  for (let i = 0; i < QUICK_READS; i++) {
    await time.pause(time.latency(1000))
    if (i === QUICK_READS / 2 - 0.5) long = world.read(account, 250 + chance.below(2000))
    await world.read(account, 1 + chance.below(QUICK_WORK), chance.is(0.05) ? time.latency(20) : undefined)
  }
  await long
}

/** Several at once, again and again, each as short as it can be without being quick. */
async function readBusily(world: World, account: string): Promise<void> {
  const { time } = world
  const { chance } = time
  await time.pause(1000 + time.latency(2000))
  for (let round = 0; round < BUSY_ROUNDS; round++)
    await Promise.all(
      Array.from({ length: BUSY_READS }, () => world.read(account, 1 + chance.below(BUSY_WORK))),
    )
}

/** Several at once. */
async function readSlowly(world: World, account: string): Promise<void> {
  const { time } = world
  await Promise.all(
    Array.from({ length: SLOW_READS }, async () => {
      await time.pause(time.latency(3000))
      await world.read(
        account,
        50 + time.chance.below(2500),
        time.chance.is(0.1) ? time.latency(2000) : undefined,
      )
    }),
  )
}
