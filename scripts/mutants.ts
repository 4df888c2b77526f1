// Changes operators, bounds and conditions of the filter language and of the search, one at a time, and says which of
// the changed programs no test notices: npm run mutants -- [--sample 150] [--seed 1] [--only src/filter/sql] [--functions] [--postgres]
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Random } from '#bench/random.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { ARGUED, arguedOf, brief } from './mutants/argued.ts'
import type { Mutant } from './mutants/instrument.ts'
import { Judge } from './mutants/judge.ts'
import { mutatedSources, ROOT } from './mutants/sources.ts'

const contract = (...names: string[]): string[] => names.map((name) => `test/contract/${name}.test.ts`)
/** Tests of the functions themselves: what they notice is put to no others, which take a hundred times as long. */
const OF_FUNCTIONS = globSync(
  ['src/filter/**/*.test.ts', 'src/storage/search/*.test.ts', 'src/storage/text-folding/*.test.ts'],
  { cwd: ROOT },
)
  .filter((file) => !file.endsWith('/strategy.test.ts'))
  .toSorted()
/** They go through the filter language and the search in one process; the service's threads are that process, too. */
const TESTS = [
  'src/storage/large/waiting-texts.test.ts',
  'src/storage/search/strategy.test.ts',
  'test/golden/searches.test.ts',
  'test/any-words.test.ts',
  'test/columns.test.ts',
  'test/differential.test.ts',
  ...contract('any-search', 'as-of', 'counting', 'filter-additions', 'filters', 'hints', 'item-selection'),
  ...contract('limits', 'merged-values', 'outdated-values', 'relevance', 'search', 'search-paging'),
  ...contract('search-text', 'tag-extension', 'text-folding', 'value-sources', 'views', 'wide-filters'),
]
const ON_POSTGRES = [
  'test/golden/searches.test.ts',
  'test/any-words.test.ts',
  'test/differential.test.ts',
  ...contract(
    'any-search',
    'as-of',
    'filter-additions',
    'filters',
    'relevance',
    'search',
    'search-paging',
    'search-text',
  ),
]
/** Of what chance decides, half of what `npm test` takes. */
const FEW = { DIFFERENTIAL_FILTERS: '200', ANY_WORLDS: '1' }
/** Milliseconds that a file of tests may take longer under a mutant; functions wait for nothing. */
const PATIENCE = { ofFunctions: 20_000, ofService: 240_000 }

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
    functions: { type: 'boolean' },
    postgres: { type: 'boolean' },
  },
})
const { mutants } = mutatedSources()
const argued = arguedOf(mutants)
const { only = [''] } = values
const all = mutants.filter(({ file }) => only.some((each) => file.startsWith(each)))
if (!all.length) throw new Error('--only is the beginning of a path in src/filter or src/storage/search')
let alive = sampleOf(all, Number(values.sample ?? all.length), new Random(Number(values.seed ?? 1)))
const chosen = alive.length
process.stdout.write(
  `${chosen} of ${all.length} mutants, of which tests have to notice ${alive.filter(isOpen).length}\n`,
)

await put('functions', OF_FUNCTIONS, {})
if (!values.functions) await put('SQLite', TESTS, FEW)
if (values.postgres) {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    await preparePostgres(url)
    const postgres = { url: server.url, template: new URL(url).pathname.slice(1) }
    await put('PostgreSQL', ON_POSTGRES, {
      ...FEW,
      TEST_ENGINE: 'postgres',
      MUTANTS_PROVIDED: JSON.stringify({ postgres }),
    })
  } finally {
    await server.stop()
  }
}
const open = alive.filter(isOpen)
const share = (part: number) => `${part} (${((100 * part) / chosen).toFixed(1)} %)`
process.stdout.write(`\n${chosen} mutants: ${share(chosen - alive.length)} noticed, `)
process.stdout.write(
  `${share(alive.length - open.length)} argued in ${ARGUED}, ${share(open.length)} live:\n`,
)
for (const mutant of open) process.stdout.write(`${shown(mutant)}\n`)

function isOpen({ id }: Mutant): boolean {
  return !argued.has(id)
}

/** Puts those that live to tests. */
async function put(where: string, tests: readonly string[], env: Record<string, string>): Promise<void> {
  const judge = new Judge(env, where === 'functions' ? PATIENCE.ofFunctions : PATIENCE.ofService)
  try {
    await judge.survey(tests)
    const living: Mutant[] = []
    for (const mutant of alive) {
      const noticed = isOpen(mutant) ? await judge.noticedBy(mutant, mutants) : null
      if (!noticed) living.push(mutant)
      process.stdout.write(
        `${where}: ${shown(mutant)}\n  ${noticed ?? (isOpen(mutant) ? 'LIVES' : 'argued')}\n`,
      )
    }
    alive = living
  } finally {
    judge.end()
  }
}

/** So many of them, chosen by chance, in their order. */
function sampleOf(given: readonly Mutant[], count: number, random: Random): Mutant[] {
  const left = [...given.keys()]
  const taken: number[] = []
  while (taken.length < count && left.length) taken.push(...left.splice(random.below(left.length), 1))
  return taken.sort((a, b) => a - b).map((i) => given[i]!)
}

function shown({ file, line, before, after }: Mutant): string {
  return `${file}:${line} ${brief(before)} → ${brief(after)}`
}
