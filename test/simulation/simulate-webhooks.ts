import type { AttemptOutcome, DeliveryToSend } from '#src/operations/webhooks/delivery-steps.ts'
import { Deliverer } from '#src/work/deliverer.ts'
import { checkDeliveries, type DeliveryNote, type LoggedEvent } from '#test/simulation/check-deliveries.ts'
import {
  type Account,
  ask,
  type Plant,
  SimulatedBase,
  type SimulatedProcess,
} from '#test/simulation/simulated-base.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'

const PROCESSES = 2
const WRITERS = 3
const WRITES = 6
/** Simulated milliseconds at most to a receiver, and back. */
const NETWORK_MS = 400
/** After so many everything has been sent: a process that died is given up, a failure of the base rested. */
const SETTLE_MS = 110_000
/** By their addresses, what they are to be sent; null: everything. */
const WEBHOOKS = new Map([
  ['http://127.0.0.1:9/all', null],
  ['http://127.0.0.1:9/updates', 'item_updated'],
])

interface Running {
  process: SimulatedProcess
  deliverer: Deliverer
}

class World {
  readonly time: SimulatedTime
  readonly base: SimulatedBase
  readonly notes: DeliveryNote[] = []
  readonly running: Running[] = []
  private readonly refuses: number
  /** Deliveries that failed once: a second time would be tried again after minutes. */
  private readonly failed = new Set<string>()

  constructor(time: SimulatedTime, base: SimulatedBase, refuses: number) {
    this.time = time
    this.base = base
    this.refuses = refuses
  }

  start(): Running {
    const process = this.base.start()
    const deliverer = new Deliverer(process.runtime, { warn() {} }, (_services, delivery) =>
      this.send(process, delivery),
    )
    return { process, deliverer }
  }

  /** As kill -9 does; another comes in its place. */
  kill(): void {
    const at = this.time.chance.below(this.running.length)
    const { process } = this.running[at]!
    process.isAlive = false
    this.notes.push({ kind: 'killed', process: process.number })
    this.running[at] = this.start()
  }

  /** The network between a process and a receiver, which may fail. */
  private async send(
    { number, isAlive }: SimulatedProcess,
    { delivery_id: delivery, url: webhook, body }: DeliveryToSend,
  ): Promise<AttemptOutcome> {
    const { time, notes } = this
    if (!isAlive) return new Promise(() => {})
    const event = (JSON.parse(body) as { event_id: string }).event_id
    notes.push({ kind: 'sent', process: number, webhook, delivery, event, at: time.elapsed })
    await time.pause(time.latency(NETWORK_MS))
    const mayFail = !this.base.calm && !this.failed.has(delivery) && time.chance.is(this.refuses)
    if (mayFail) this.failed.add(delivery)
    const isRefused = mayFail && time.chance.is(0.5)
    notes.push({ kind: 'arrived', webhook, delivery, event, ok: !isRefused })
    await time.pause(time.latency(NETWORK_MS))
    if (!this.running.some(({ process }) => process.number === number)) return new Promise(() => {})
    const ok = !mayFail
    notes.push({ kind: 'heard', process: number, delivery, ok })
    return { ok, response_status: ok ? 204 : null, error: ok ? null : 'the answer was lost' }
  }
}

/**
 * Deliverers of several processes beside writers: processes are killed, calls to the base fail, receivers refuse and
 * answers are lost. Every event arrives, those of an item in order, never two at once. Returns how many arrived.
 */
export async function simulateWebhooks(seed: number, plant?: Plant): Promise<number> {
  const time = new SimulatedTime(seed)
  const { chance } = time
  const fails = chance.is(0.4) ? chance.next() * 0.05 : 0
  const dies = chance.is(0.4) ? 0.05 : 0
  const base = await SimulatedBase.open(time, { fails, plant })
  const world = new World(time, base, chance.is(0.6) ? 0.3 : 0)
  const { notes, running } = world
  try {
    await time.run(async () => {
      base.calm = true
      while (running.length < PROCESSES) running.push(world.start())
      const owner = await base.account('owner', 1)
      for (const [url, type] of WEBHOOKS)
        await ask(running[0]!.process, 'createWebhook', owner, {
          url,
          ...(type !== null && { event_types: [type] }),
        })
      base.calm = false
      await Promise.all(Array.from({ length: WRITERS }, () => write(world, owner, dies)))
      base.calm = true
      await time.pause(SETTLE_MS)
      await Promise.all(running.map(({ deliverer }) => deliverer.stop()))
    })
    const log = await base.db.select<LoggedEvent>({
      sql: `select event_id as event, change_id as change, event_type as type, item_id as lane
        from audit_event order by event_id`,
      parameters: [],
    })
    checkDeliveries({ notes, log, webhooks: WEBHOOKS, isSound: fails === 0 && dies === 0 })
    return notes.filter(({ kind }) => kind === 'arrived').length
  } finally {
    base.close()
  }
}

async function write(world: World, owner: Account, dies: number): Promise<void> {
  const { time, notes, running } = world
  const own: string[] = []
  for (let i = 0; i < WRITES; i++) {
    await time.pause(time.latency(4000))
    if (time.chance.is(dies)) world.kill()
    const { process } = running[time.chance.below(running.length)]!
    const isNew = own.length === 0 || time.chance.is(0.3)
    const item_id = own[time.chance.below(own.length)]
    const input = isNew ? { name: `new ${i}` } : { item_id, name: `again ${i}` }
    const asked = ask(process, isNew ? 'createItem' : 'updateItem', owner, input).catch(() => null)
    // Of what a process had under way when it was killed nobody hears.
    const answer = await Promise.race([asked, time.pause(2000).then(() => null)])
    if (!answer) continue
    if (isNew) own.push(answer.body.item_id)
    if (answer.change !== undefined) notes.push({ kind: 'acknowledged', change: answer.change })
  }
}
