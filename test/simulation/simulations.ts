import { simulatePostgres } from '#test/simulation/simulate-postgres.ts'
import { simulateReaders } from '#test/simulation/simulate-readers.ts'
import { simulateRelay } from '#test/simulation/simulate-relay.ts'
import { simulateProposals } from '#test/simulation/simulate-proposals.ts'
import { simulateStreams } from '#test/simulation/simulate-streams.ts'
import { simulateSqlite } from '#test/simulation/simulate-sqlite.ts'
import { simulateWebhooks } from '#test/simulation/simulate-webhooks.ts'

/** Each plays one world from a seed; it throws where a promise of the engine is broken, and the seed plays it again. */
export const SIMULATIONS: Readonly<Record<string, (seed: number) => Promise<number>>> = {
  'the SQLite writer': simulateSqlite,
  'the PostgreSQL writers': simulatePostgres,
  'the readers': simulateReaders,
  'the relay': simulateRelay,
  'the streams': simulateStreams,
  'the webhooks': simulateWebhooks,
  'the proposals': simulateProposals,
}
