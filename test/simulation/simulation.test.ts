import { expect, it } from 'vitest'
import { badRequest } from '#src/domain/errors.ts'
import { PLANTED_FAULTS } from '#test/simulation/planted-faults.ts'
import { SIMULATIONS } from '#test/simulation/simulations.ts'
import { runs } from '#test/support/runs.ts'
import { WriteLedger } from '#test/simulation/write-ledger.ts'

// More on demand: npm run simulate

const SEEDS = runs(40, 100)
/** Of those that carry out real operations on a base of their own. */
const SEEDS_ON_BASES = runs(8, 15)
/** A planted fault is found in one of so many. */
const SEEDS_TO_FIND = 200
const ON_BASES = new Set(['the webhooks', 'the proposals'])

for (const [name, simulate] of Object.entries(SIMULATIONS)) {
  const seeds = ON_BASES.has(name) ? SEEDS_ON_BASES : SEEDS
  it(`${name}: what is promised holds in ${seeds} worlds`, async () => {
    let done = 0
    for (let seed = 1; seed <= seeds; seed++)
      done += await simulate(seed).catch((fault: unknown) => {
        throw new Error(`seed ${seed}: ${(fault as Error).message}`, { cause: fault })
      })
    expect(done).toBeGreaterThan(seeds * 10)
  })
}

it.each(Object.entries(PLANTED_FAULTS))('%s is found', async (_name, { simulate, found }) => {
  const said: string[] = []
  for (let seed = 1; seed <= SEEDS_TO_FIND && !said.some((each) => found.test(each)); seed++)
    await simulate(seed).catch((fault: unknown) => said.push((fault as Error).message))
  expect(said.at(-1)).toMatch(found)
})

it('a seed plays the same world each time', async () => {
  for (const simulate of Object.values(SIMULATIONS)) expect(await simulate(7)).toBe(await simulate(7))
})

/** A ledger of two writes of one client that were answered like this, held against these rows. */
function judge(answers: readonly ('made' | 'refused')[], rows: readonly string[]): string {
  const ledger = new WriteLedger()
  for (const answer of answers) {
    const id = ledger.begin(0)
    if (answer === 'made') ledger.acknowledge(id)
    else ledger.fail(id, badRequest('no'))
  }
  try {
    ledger.check(rows.map((id, i) => ({ id, newId: String(i) })))
    return 'kept'
  } catch (fault) {
    return (fault as Error).message
  }
}

it.each([
  [['made', 'made'], ['0-0', '0-1'], 'kept'],
  [['made', 'made'], ['0-0'], 'write 0-1 was acknowledged and is lost'],
  [['made', 'made'], ['0-1', '0-0'], 'write 0-1 is before an older one'],
  [['made', 'made'], ['0-0', '0-1', '0-0'], 'write 0-0 was made twice'],
  [['made', 'refused'], ['0-0'], 'kept'],
  [['made', 'refused'], ['0-0', '0-1'], 'write 0-1 was refused and is there'],
] as const)('a client told %j and rows %j: %s', (answers, rows, verdict) => {
  expect(judge(answers, rows)).toBe(verdict)
})
