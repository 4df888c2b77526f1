import { parseArgs } from 'node:util'
import { WORKS } from '#bench/works.ts'

const USAGE = `npm run bench -- [options]
npm run bench -- web [items]   the web application in a browser, beside its budgets

  --items 10000,1000000   sizes to measure at (default: 10000,100000,1000000)
  --only read,create      only these works: ${Object.keys(WORKS).join(', ')}, list, mcp, changes, files, imports, sessions, logins, bulk_wait, start, loop, live, live-bulk, limits, proposals, as-of, agents, ranking (RANKING_DATA=<folder> of the collection)
  --engine sqlite         sqlite: beside the floor; postgres: beside SQLite; both (default)
  --rounds 3              rounds of which the median counts
  --seconds 3             length of a round
  --quick                 one round of one second, 10,000 items
`

export interface Options {
  sizes: number[]
  only: string[] | null
  rounds: number
  seconds: number
  engine: 'sqlite' | 'postgres' | 'both'
}

/** Of the command line. Ends the process for `--help`. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      items: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean' },
      engine: { type: 'string', default: 'both' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const { items = values.quick ? '10000' : '10000,100000,1000000', only, rounds, seconds, quick } = values
  const { engine } = values
  if (engine !== 'sqlite' && engine !== 'postgres' && engine !== 'both') throw new Error(USAGE)
  return {
    engine,
    sizes: items.split(',').map(Number),
    only: only?.split(',') ?? null,
    rounds: Number(rounds ?? (quick ? 1 : 3)),
    seconds: Number(seconds ?? (quick ? 1 : 3)),
  }
}
