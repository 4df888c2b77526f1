import { checkProposals, type LoggedName, type ProposalNote } from '#test/simulation/check-proposals.ts'
import { type Account, ask, type Asked, type Plant, SimulatedBase } from '#test/simulation/simulated-base.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'

const PROCESSES = 2
const ITEMS = 5
const PROPOSERS = 2
const WRITERS = 2
const EACH = 6
/** So many decide on a proposal at most, at the same time. */
const DECIDERS = 3

class World {
  readonly time: SimulatedTime
  readonly base: SimulatedBase
  readonly notes: ProposalNote[] = []
  readonly items: string[] = []
  private names = 0

  constructor(time: SimulatedTime, base: SimulatedBase) {
    this.time = time
    this.base = base
  }

  /** A name that nobody else gives. */
  name(): string {
    return `name ${this.names++}`
  }

  /** Of any process; null where it was refused, or nobody knows. */
  ask(name: string, account: Account, input: object): Promise<Asked | null> {
    const process = this.base.processes[this.time.chance.below(PROCESSES)]!
    return ask(process, name, account, input).catch(() => null)
  }

  /** Some items, each once. */
  some(): string[] {
    const { chance } = this.time
    const first = chance.below(ITEMS)
    return Array.from({ length: 1 + chance.below(2) }, (_, i) => this.items[(first + i) % ITEMS]!)
  }
}

/**
 * Proposals beside writers, decided on by several people in several processes at the same time, while calls to the base
 * fail and answers are lost: each is carried out once or not at all, on what it was made for. Returns how many calls were
 * answered.
 */
export async function simulateProposals(seed: number, plant?: Plant): Promise<number> {
  const time = new SimulatedTime(seed)
  const fails = time.chance.is(0.5) ? time.chance.next() * 0.1 : 0
  const base = await SimulatedBase.open(time, { fails, plant })
  const world = new World(time, base)
  try {
    await time.run(async () => {
      base.calm = true
      while (base.processes.length < PROCESSES) base.start()
      const editor = await base.account('editor', 1)
      for (let i = 0; i < ITEMS; i++) {
        const { body } = (await world.ask('createItem', editor, { name: world.name() }))!
        world.items.push(body.item_id)
      }
      base.calm = false
      const proposers = Array.from({ length: PROPOSERS }, async (_, i) =>
        propose(world, await base.account('reader', i), editor),
      )
      await Promise.all([...proposers, ...Array.from({ length: WRITERS }, () => write(world, editor))])
    })
    checkProposals({ notes: world.notes, ...(await inTheEnd(base)) })
    return world.notes.length
  } finally {
    base.close()
  }
}

async function write(world: World, editor: Account): Promise<void> {
  for (let i = 0; i < EACH; i++) {
    await world.time.pause(world.time.latency(1000))
    const [item_id] = world.some() as [string]
    const name = world.name()
    if (await world.ask('updateItem', editor, { item_id, name }))
      world.notes.push({ kind: 'written', item: item_id, to: name })
  }
}

async function propose(world: World, reader: Account, editor: Account): Promise<void> {
  const { time, notes } = world
  for (let i = 0; i < EACH; i++) {
    await time.pause(time.latency(500))
    const operations = world
      .some()
      .map((item_id) => ({ operation: 'updateItem', input: { item_id, name: world.name() } }))
    const made = await world.ask('proposeChanges', reader, { operations })
    if (!made) continue
    const { proposal_id: proposal, changes } = made.body as Proposal
    const names = changes.map(({ item_id: item, changes: [change] }) => ({
      item,
      from: change!.old,
      to: change!.new,
    }))
    notes.push({ kind: 'proposed', proposed: { proposal, names } })
    await time.pause(time.latency(300))
    await Promise.all(
      Array.from({ length: 1 + time.chance.below(DECIDERS) }, () =>
        decide(world, proposal, { reader, editor }),
      ),
    )
  }
}

interface Proposal {
  proposal_id: string
  changes: { item_id: string; changes: { old: string; new: string }[] }[]
}

async function decide(
  world: World,
  proposal: string,
  { reader, editor }: { reader: Account; editor: Account },
): Promise<void> {
  const { time, notes } = world
  await time.pause(time.latency(100))
  const by = time.chance.next()
  const input = { proposal_id: proposal }
  const [kind, answer] =
    by < 0.7
      ? (['accepted', await world.ask('acceptProposal', editor, input)] as const)
      : by < 0.85
        ? (['refused', await world.ask('refuseProposal', editor, input)] as const)
        : (['withdrawn', await world.ask('withdrawProposal', reader, input)] as const)
  if (answer) notes.push({ kind, proposal })
}

/** What the base and its log are in the end. */
async function inTheEnd({ db }: SimulatedBase) {
  const rows = <Row>(sql: string) => db.select<Row>({ sql, parameters: [] })
  const events = await rows<{ change: string; item: string; details: string }>(
    `select change_id as change, item_id as item, details from audit_event
      where event_type in ('item_created', 'item_updated') order by event_id`,
  )
  const log = events.map(({ details, ...each }): LoggedName => ({ ...each, ...nameIn(JSON.parse(details)) }))
  const proposals = await rows<{ proposal_id: string; state: string }>(
    'select proposal_id, state from proposal',
  )
  const items = await rows<{ item_id: string; name: string }>('select item_id, name from item')
  return {
    log,
    states: new Map(proposals.map(({ proposal_id, state }) => [proposal_id, state])),
    names: new Map(items.map(({ item_id, name }) => [item_id, name])),
  }
}

interface Details {
  /** Of an item that was made. */
  name?: string
  old_values?: { name: string }
  new_values?: { name: string }
}

const nameIn = ({ name, old_values, new_values }: Details): Pick<LoggedName, 'from' | 'to'> =>
  new_values ? { from: old_values!.name, to: new_values.name } : { from: null, to: name! }
