import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutant } from './find-mutants.ts'

/** What the tests read. */
const COPIED = ['src', 'test', 'bench', 'scripts', 'web', 'packages', 'docs', 'package.json', 'tsconfig.json']

/** Tests, the fastest first: those of the next stage are put to what those of the last did not notice. */
export const STAGES: readonly { tests: readonly string[]; env?: Record<string, string>; threads?: true }[] = [
  { tests: ['src/filter/**/*.test.ts', 'src/storage/search/*.test.ts', 'test/golden/*.test.ts'] },
  {
    tests: ['test/differential.test.ts', 'test/any-words.test.ts'],
    env: { DIFFERENTIAL_FILTERS: '200', ANY_WORLDS: '1' },
  },
  {
    threads: true,
    tests: [
      'any-search',
      'counting',
      'filter-additions',
      'filters',
      'item-selection',
      'limits',
      'live',
      'reader',
      'relevance',
      'search',
      'search-paging',
      'search-text',
      'value-sources',
      'wide-filters',
    ].map((name) => `test/contract/${name}.test.ts`),
  },
]
/** Milliseconds: a program that never ends is noticed, too. */
const PATIENCE = 600_000

/** A copy of the sources in which one file at a time is another; the packages are shared. */
export class MutatedCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'facet-mutants-'))
  private readonly root: string
  readonly stages: readonly number[]

  constructor(root: string, stages: number) {
    this.root = root
    this.stages = [...STAGES.keys()].slice(0, stages)
    for (const name of COPIED) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
    for (const [i, { tests, threads }] of STAGES.entries())
      writeFileSync(join(this.folder, `stage-${i}.config.ts`), configOf(tests, threads))
  }

  /** The number of the stage whose tests failed under this mutant; null where all passed. */
  async noticedBy({ file, start, end, after }: Mutant): Promise<number | null> {
    const text = readFileSync(join(this.root, file), 'utf8')
    const path = join(this.folder, file)
    writeFileSync(path, text.slice(0, start) + after + text.slice(end))
    try {
      for (const i of this.stages) if (!(await this.passes(i))) return i
      return null
    } finally {
      writeFileSync(path, text)
    }
  }

  /** Whether the tests of a stage pass, on what the copy is now. */
  async passes(stage: number): Promise<boolean> {
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', `stage-${stage}.config.ts`, '--bail', '1'],
      { cwd: this.folder, env: { ...process.env, ...STAGES[stage]!.env }, stdio: 'ignore', detached: true },
    )
    const kill = () => process.kill(-child.pid!, 'SIGKILL')
    const late = setTimeout(kill, PATIENCE)
    const code = await new Promise((resolve) => child.once('exit', resolve))
    clearTimeout(late)
    return code === 0
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const configOf = (tests: readonly string[], threads = false): string => `export default { test: {
  include: ${JSON.stringify(tests)},
  pool: 'forks', isolate: false, maxWorkers: 1, testTimeout: 120000, hookTimeout: 120000,
  ${threads ? "globalSetup: ['test/support/pack-threads.ts']," : ''}
} }
`
