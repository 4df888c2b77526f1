import { join } from 'node:path'
import type { Mutants } from './hooks.ts'
import { ROOT } from './sources.ts'
import { carryOut, isSuite, type Suite, testsOf } from './tests-here.ts'

// A process of mutants: told a test file and a mutant it carries the tests out under this mutant, until one fails.

export interface Asked {
  file: string
  mutant: number
}
export interface Answered {
  /** The test that failed, and how; null: none. */
  failed: string | null
  /** Milliseconds of the processor. */
  took: number
  /** The mutants that were reached, where none was asked for, and those that were when the file was loaded. */
  reached: number[]
  loaded: number[]
}

const { mutants } = globalThis as unknown as { mutants: Mutants }
/** Milliseconds, of one test. */
const PATIENCE = 120_000
const files = new Map<string, Suite>()

process.on('message', (asked: Asked) => {
  answer(asked).then(
    (answered) => process.send!(answered),
    (fault: unknown) => {
      process.stderr.write(`${asked.file}: ${String((fault as Error).stack)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())
// A promise that a mutant lets go unheard is no answer yet: the tests decide.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
process.send!('ready')

async function answer({ file, mutant }: Asked): Promise<Answered> {
  const path = join(ROOT, file)
  let suite = files.get(file)
  mutants.hits.fill(0)
  if (!suite) files.set(file, (suite = await testsOf(path)))
  const loaded = reachedNow()
  mutants.hits.fill(0)
  const { user, system } = process.cpuUsage()
  const fromStart = mutants.active
  if (mutant >= 0) mutants.active = mutant
  const failed = await firstFailure(suite, path)
  mutants.active = fromStart
  const used = process.cpuUsage()
  const took = (used.user + used.system - user - system) / 1000
  return mutant < 0
    ? { failed, took, reached: reachedNow(), loaded }
    : { failed, took, reached: [], loaded: [] }
}

const reachedNow = (): number[] => [...mutants.hits.keys()].filter((id) => mutants.hits[id])

async function firstFailure(suite: Suite, path: string): Promise<string | null> {
  try {
    for (const hook of suite.beforeAll) await inTime(hook)
    for (const each of suite.children) {
      const failed = isSuite(each)
        ? await firstFailure(each, path)
        : await inTime(() => carryOut(suite, each, path)).then(
            () => null,
            (fault: unknown) => `${each.name}: ${firstLine(fault)}`,
          )
      if (failed) return failed
    }
    return null
  } catch (fault) {
    return `${suite.name}, before its tests: ${firstLine(fault)}`
  } finally {
    for (const hook of suite.afterAll) await inTime(hook).catch(() => {})
  }
}

const firstLine = (fault: unknown): string =>
  String((fault as Error | undefined)?.message ?? fault)
    .split('\n', 1)[0]!
    .slice(0, 120)

async function inTime(hook: () => unknown): Promise<void> {
  let late: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      hook(),
      new Promise((_, reject) => {
        late = setTimeout(() => reject(new Error(`took over ${PATIENCE} ms`)), PATIENCE)
      }),
    ])
  } finally {
    clearTimeout(late)
  }
}
