import { Reply } from '#src/domain/reply.ts'
import type { NewDeliveries } from '#src/operations/webhooks/queue-steps.ts'
import { simulateProposals } from '#test/simulation/simulate-proposals.ts'
import { simulateReaders } from '#test/simulation/simulate-readers.ts'
import type { Plant, SimulatedBase } from '#test/simulation/simulated-base.ts'
import { simulateWebhooks } from '#test/simulation/simulate-webhooks.ts'

/** A service with a fault, which its simulation has to find. */
interface PlantedFault {
  simulate: (seed: number) => Promise<number>
  /** What the checker says. */
  found: RegExp
}

/** Carries out one step in another way; all others as they are. */
const inPlaceOf =
  (simulate: (seed: number, plant: Plant) => Promise<number>) =>
  (step: string, plant: Plant) =>
  (seed: number) =>
    simulate(seed, (call, carryOut, base) =>
      call.name === step ? plant(call, carryOut, base) : carryOut(call),
    )
const webhooks = inPlaceOf(simulateWebhooks)
const proposals = inPlaceOf(simulateProposals)

const whileOpen = "update proposal set state = 'open' where proposal_id = ?"

function reopen({ db }: SimulatedBase, proposal_id: string): void {
  db.statement(whileOpen).run([proposal_id])
  db.statement(
    'update proposal_part set accepted = 0 where proposal = (select id from proposal where proposal_id = ?)',
  ).run([proposal_id])
}

export const PLANTED_FAULTS: Readonly<Record<string, PlantedFault>> = {
  'a deliverer that skips an event': {
    simulate: webhooks('queueDeliveries', (call, carryOut) => {
      const input = call.input as NewDeliveries
      return carryOut({
        ...call,
        input: { ...input, events: input.events.slice(input.events.length > 1 ? 1 : 0) },
      })
    }),
    found: /was never sent the event/,
  },
  'a deliverer that takes a refusal for success': {
    simulate: webhooks('recordAttempt', (call, carryOut) =>
      carryOut({ ...call, input: { ...(call.input as object), ok: true } }),
    ),
    found: /was never sent the event|before .+ of the same item/,
  },
  'a deliverer that knows no order': {
    simulate: webhooks('queueDeliveries', (call, carryOut) => {
      const input = call.input as NewDeliveries
      const events = input.events.map((each) => ({ ...each, lane: each.event_id }))
      return carryOut({ ...call, input: { ...input, events } })
    }),
    found: /before .+ of the same item/,
  },
  'a deliverer that forgets what was taken': {
    simulate: webhooks('recordAttempt', async (call, carryOut, { time }) =>
      time.chance.is(0.1) ? Reply.of(null) : carryOut(call),
    ),
    found: /was sent again after it was taken/,
  },
  'two deliverers at once': {
    simulate: webhooks('takeLease', async () => Reply.of(true)),
    found: /was sent twice at once/,
  },
  'a proposal that is accepted twice': {
    simulate: proposals('writeAcceptance', async (call, carryOut, base) => {
      const reply = await carryOut(call)
      reopen(base, (call.input as { proposal_id: string }).proposal_id)
      return reply
    }),
    found: /was decided twice|was given twice|and is open/,
  },
  'an acceptance of what has moved since': {
    simulate: proposals('writeAcceptance', async (call, carryOut, { db }) => {
      const input = call.input as { read: string }
      const [{ newest }] = (await db.select<{ newest: string }>({
        sql: 'select max(event_id) as newest from audit_event',
        parameters: [],
      })) as [{ newest: string }]
      return carryOut({
        ...call,
        input: { ...input, read: JSON.stringify({ ...JSON.parse(input.read), newest }) },
      })
    }),
    found: /was to change|took the place of/,
  },
  'a change that is answered before its COMMIT, which fails': {
    simulate: proposals('updateItem', async (call, carryOut, { db, time }) => {
      if (!time.chance.is(0.2)) return carryOut(call)
      const exec = db.exec.bind(db)
      db.exec = (text) => exec(text === 'COMMIT' ? 'ROLLBACK' : text)
      try {
        return await carryOut(call)
      } finally {
        db.exec = exec
      }
    }),
    found: /was acknowledged and is not in the log/,
  },
  'a read that was taken back and goes on, before others': {
    simulate: (seed) => simulateReaders(seed, { leavesVain: true }),
    found: /^the quick read .+ waited/,
  },
  'a thread that gives one what another asked for': {
    simulate: (seed) => simulateReaders(seed, { confuses: 0.05 }),
    found: /was given what/,
  },
}
