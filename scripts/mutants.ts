// Changes operators, bounds and conditions of the filter language and of the search, one at a time, and says which of
// the changed programs no test notices: npm run mutants -- [--sample 60] [--seed 1] [--only src/filter/sql] [--stages 2]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Random } from '#bench/random.ts'
import { type Mutant, mutantsOf } from './mutants/find-mutants.ts'
import { MutatedCopy, STAGES } from './mutants/mutated-copy.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['src/filter', 'src/storage/search']

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    stages: { type: 'string' },
  },
})
const all = FOLDERS.flatMap(sourcesIn)
  .filter((file) => file.startsWith(values.only ?? ''))
  .flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')))
if (!all.length) throw new Error(`--only is the beginning of a file's path within ${FOLDERS.join(' or ')}`)
const chosen = sampleOf(all, Number(values.sample ?? all.length), new Random(Number(values.seed ?? 1)))

const copy = new MutatedCopy(ROOT, Number(values.stages ?? STAGES.length))
try {
  for (const i of copy.stages)
    if (!(await copy.passes(i))) throw new Error(`${STAGES[i]!.tests.join(', ')}: fail without any change`)
  process.stdout.write(`${chosen.length} of ${all.length} mutants\n`)
  const alive: Mutant[] = []
  for (const mutant of chosen) {
    const stage = await copy.noticedBy(mutant)
    if (stage === null) alive.push(mutant)
    process.stdout.write(`${stage === null ? 'LIVES    ' : `noticed ${stage}`} ${shown(mutant)}\n`)
  }
  const noticed = chosen.length - alive.length
  const percent = ((100 * noticed) / chosen.length).toFixed(1)
  process.stdout.write(`\n${noticed} of ${chosen.length} noticed (${percent} %); these live:\n`)
  for (const mutant of alive) process.stdout.write(`${shown(mutant)}\n`)
} finally {
  copy.remove()
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

/** So many of them, chosen by chance, in their order. */
function sampleOf(mutants: readonly Mutant[], count: number, random: Random): Mutant[] {
  const left = [...mutants.keys()]
  const taken: number[] = []
  while (taken.length < count && left.length) taken.push(...left.splice(random.below(left.length), 1))
  return taken.sort((a, b) => a - b).map((i) => mutants[i]!)
}

function shown({ file, line, before, after }: Mutant): string {
  return `${file}:${line} ${before.replaceAll(/\s+/g, ' ')} → ${after}`
}
