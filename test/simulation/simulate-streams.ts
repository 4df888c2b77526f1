import { ChangeFeed } from '#src/api/changes/change-feed.ts'
import { ChangeFollower } from '#src/api/changes/change-follower.ts'
import { LiveHub } from '#src/api/live/live-hub.ts'
import { LiveStream } from '#src/api/live/live-stream.ts'
import { EventStream } from '#src/api/sse.ts'
import { ChangeWatch } from '#src/engine/change-watch.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { itemId, SimulatedLog } from '#test/simulation/simulated-log.ts'
import { type Delivered, SimulatedSocket } from '#test/simulation/simulated-socket.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'

const PROCESSES = 2
const ITEMS = 8
const FILTERS = 3
const EVENTS = 60
const MOST_CLIENTS = 4
/** Events of a large change: more than are read at once. */
const MANY = 250
/** Simulated milliseconds after which everybody has been told everything, once nothing breaks. */
const SETTLE_MS = 300_000

interface Process {
  watch: ChangeWatch
  feed: ChangeFeed
  hub: LiveHub
  sockets: Set<SimulatedSocket>
}

/** Several processes of the service on one log, whose words to each other may be lost. */
class World {
  readonly time: SimulatedTime
  readonly log: SimulatedLog
  processes: Process[]
  private readonly isLost: () => boolean

  constructor(seed: number) {
    this.time = new SimulatedTime(seed)
    const { chance } = this.time
    const bad = chance.is(0.7) ? chance.next() * 0.1 : 0
    this.log = new SimulatedLog(this.time, bad)
    this.isLost = () => chance.is(bad)
    this.processes = Array.from({ length: PROCESSES }, () => this.start())
  }

  start(): Process {
    const watch = new ChangeWatch(() => {
      for (const other of this.processes)
        if (other.watch !== watch && !this.isLost())
          this.time.after(this.time.latency(50), () => other.watch.happenedElsewhere())
    })
    const engine = { read: (call: SqlCall) => this.log.read(call) }
    const services = { changes: watch, config: { time_zone: 'UTC' } }
    const runtime = { engine, services, clock: Date.now } as unknown as Runtime
    const ignore = () => {} // what cannot be read is read again
    return {
      watch,
      feed: new ChangeFeed(runtime, ignore),
      hub: new LiveHub(runtime, ignore),
      sockets: new Set(),
    }
  }

  /** As kill -9 does. */
  kill(): void {
    const at = this.time.chance.below(PROCESSES)
    const { sockets } = this.processes[at]!
    this.processes[at] = this.start()
    for (const socket of sockets) socket.destroy()
  }

  /** Another connection of a client; settles when it is lost. */
  async connect(
    arrived: (message: Delivered) => void,
    begin: (process: Process, stream: EventStream) => void,
  ): Promise<void> {
    const { time } = this
    const process = this.processes[time.chance.below(PROCESSES)]!
    let isOpen = true
    const pace = time.chance.is(0.3) ? 600 : 40
    const socket = new SimulatedSocket(time, pace, (message) => isOpen && arrived(message))
    process.sockets.add(socket)
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    begin(process, new EventStream(socket.response))
    if (!this.log.calm && time.chance.is(0.5)) time.after(time.latency(20_000), () => socket.destroy())
    await closed
    isOpen = false
    process.sockets.delete(socket)
  }
}

/** Somebody who is told things and comes back with the last id when the connection is lost. */
interface Client {
  follow(): Promise<void>
  check(): void
  heard: number
}

/** One who follows all events, or those of some items: each is told once, in order. */
function changesClient(world: World): Client {
  const { log, time } = world
  const own = time.chance.is(0.5) ? [0, 1, 2] : undefined
  const wanted = own && { item_ids: own.map(itemId) }
  const first = log.head
  const heard: string[] = []
  const read = async (after: string, limit: number) => {
    await time.pause(time.latency(60))
    const page = log.newEvents({ after, limit })
    await time.pause(time.latency(60))
    return wanted
      ? { ...page, events: page.events.filter(({ item_id }) => wanted.item_ids.includes(item_id!)) }
      : page
  }
  return {
    follow: () =>
      world.connect(
        ({ id }) => heard.push(id!),
        ({ feed }, stream) => {
          const cursor = heard.at(-1) ?? first
          new ChangeFollower(feed, stream, { cursor, wanted: wanted ?? {}, read })
            .catchUp()
            .catch(() => stream.close())
        },
      ),
    check() {
      const expected = log.events
        .filter(({ id, item }) => id > first && (!own || own.includes(item)))
        .map(({ id }) => id)
      const wrong = expected.findIndex((id, i) => heard[i] !== id)
      if (wrong >= 0 || heard.length > expected.length)
        throw new Error(
          `of ${expected.length} events heard ${heard.length}, number ${wrong} is not the one that was recorded`,
        )
    },
    get heard() {
      return heard.length
    },
  }
}

/** One who follows a filter: what is told, one after the other, is what satisfies it in the end. */
function liveClient(world: World): Client {
  const { log, time } = world
  const filter = time.chance.below(FILTERS)
  /** As of the last id: what was told behind it is told again to who comes back. */
  let kept = { id: log.head, items: log.holding(filter) }
  let now = new Set(kept.items)
  let heard = 0
  const take = ({ event, id, data }: Delivered) => {
    heard++
    const told = JSON.parse(data) as { item?: number; item_id?: string }
    const item = event === 'leave' ? Number(told.item_id!.slice(1)) : told.item!
    if ((event === 'enter') === now.has(item))
      throw new Error(`${event} of an item that is ${now.has(item) ? '' : 'not '}there`)
    if (event === 'leave') now.delete(item)
    else now.add(item)
    if (id === undefined) return
    if (id <= kept.id) throw new Error(`the id ${id} after ${kept.id}`)
    kept = { id, items: new Set(now) }
  }
  return {
    follow: () => {
      now = new Set(kept.items)
      let fault: unknown
      return world
        .connect(
          (message) => {
            try {
              take(message)
            } catch (error) {
              fault ??= error
            }
          },
          ({ hub }, stream) => {
            const live = new LiveStream(stream, {
              filter: { filter: String(filter), timely: false },
              read_at: kept.id,
              cursor: { event: kept.id, moment: 0 },
              time_zone: 'UTC',
              toldId: (id) => id,
            })
            hub.join(live, { isBehind: true, user_id: 'user', bytes: 0 })
          },
        )
        .then(() => {
          if (fault) throw fault
        })
    },
    check() {
      const [expected, found] = [log.holding(filter), now].map((each) =>
        [...each].toSorted((a, b) => a - b).join(),
      )
      if (expected !== found) throw new Error(`knows ${found}, and it is ${expected}`)
    },
    get heard() {
      return heard
    },
  }
}

/**
 * Streams of changes and of filters over processes that are killed, reads that fail, words that are lost and clients
 * that are slow or leave and come back. Who follows changes hears each once, in order; who follows a filter knows in the
 * end what satisfies it. Returns how much was heard.
 */
export async function simulateStreams(seed: number): Promise<number> {
  const world = new World(seed)
  const { time, log } = world
  const clients: Client[] = []
  const over = new AbortController()
  const faults: unknown[] = []

  async function live(make: (of: World) => Client): Promise<void> {
    await time.pause(time.latency(5000))
    const client = make(world)
    clients.push(client)
    while (!over.signal.aborted) {
      await client.follow().catch((error: unknown) => faults.push(error))
      await time.pause(time.latency(500))
    }
  }

  await time.run(async () => {
    const all = Array.from({ length: 1 + time.chance.below(MOST_CLIENTS) }, (_, i) =>
      live(i % 2 ? liveClient : changesClient),
    )
    for (let i = 0; i < EVENTS; i++) {
      await time.pause(time.latency(400))
      const events = time.chance.is(0.02) ? MANY : 1
      for (let n = 0; n < events; n++) {
        const holds = Array.from({ length: FILTERS }, () => time.chance.is(0.6))
        log.append(time.chance.below(ITEMS), holds)
      }
      world.processes[time.chance.below(PROCESSES)]!.watch.happened()
      if (time.chance.is(0.03)) world.kill()
    }
    log.calm = true
    await time.pause(SETTLE_MS)
    for (const client of clients) client.check()
    over.abort()
    for (const { sockets } of world.processes) for (const socket of sockets) socket.destroy()
    await Promise.all(all)
  })
  if (faults.length) throw faults[0]
  return clients.reduce((sum, { heard }) => sum + heard, 0)
}
