import type { Mutant } from './instrument.ts'
import { MutantProcess } from './mutant-process.ts'
import type { Answered } from './process.ts'

/** Milliseconds of the processor that a file of tests may take. */
const LONG = 60_000
/** The same of one that is carried out once more, in a process of its own. */
const QUICK = 2500

/** What a test file does without a change. */
interface Surveyed {
  file: string
  took: number
  reached: ReadonlySet<number>
}

/** Which tests notice a mutant: one process for all that the tests reach as they run, others for what modules load. */
export class Judge {
  private readonly env: Record<string, string>
  private readonly patience: number
  private readonly shared: MutantProcess
  /** The quickest first. */
  private surveyed: Surveyed[] = []
  private readonly loaded = new Set<number>()

  /** @param patience milliseconds of a file of tests, beside what it takes without a change */
  constructor(env: Record<string, string>, patience: number) {
    this.env = env
    this.patience = patience
    this.shared = new MutantProcess(env, patience)
  }

  /** Carries out all tests without a change. @throws where one of them fails */
  async survey(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const answered = await this.shared.ask({ file, mutant: -1 }, LONG)
      if (!answered || answered.failed) throw new Error(`${file} fails without a change: ${answered?.failed}`)
      for (const id of answered.loaded) this.loaded.add(id)
      this.surveyed.push({ file, took: answered.took, reached: new Set(answered.reached) })
    }
    this.surveyed.sort((a, b) => a.took - b.took)
  }

  /** By which test it is noticed; null: by none. */
  async noticedBy({ id, file }: Mutant, siblings: readonly Mutant[]): Promise<string | null> {
    const reaching = this.surveyed.filter(({ reached }) => reached.has(id))
    const noticed = await this.inShared(id, reaching)
    if (noticed) return noticed
    // What is remembered from before the mutant may hide it.
    if (!this.loaded.has(id))
      return this.fromStart(
        id,
        reaching.filter(({ took }) => took < QUICK),
      )
    const ofFile = siblings.filter((each) => each.file === file)
    return this.fromStart(
      id,
      this.surveyed.filter(({ reached }) => ofFile.some((each) => reached.has(each.id))),
    )
  }

  end(): void {
    this.shared.end()
  }

  private async inShared(mutant: number, files: readonly Surveyed[]): Promise<string | null> {
    for (const { file, took } of files) {
      const noticed = said(file, await this.shared.ask({ file, mutant }, took))
      if (!noticed) continue
      if (await this.isSound(file, took)) return noticed
      // What an earlier mutant has left behind may be what failed.
      this.shared.end()
      const again = said(file, await this.shared.ask({ file, mutant }, took))
      this.shared.end()
      if (again) return again
    }
    return null
  }

  /** Whether the file still passes without a change. */
  private async isSound(file: string, took: number): Promise<boolean> {
    const answered = await this.shared.ask({ file, mutant: -1 }, took)
    return answered?.failed === null
  }

  /** In a process that is this mutant from its start. */
  private async fromStart(mutant: number, files: readonly Surveyed[]): Promise<string | null> {
    const own = new MutantProcess({ ...this.env, MUTANT: String(mutant) }, this.patience)
    try {
      for (const { file, took } of files) {
        const noticed = said(file, await own.ask({ file, mutant }, took))
        if (noticed) return noticed
      }
      return null
    } finally {
      own.end()
    }
  }
}

function said(file: string, answered: Answered | null): string | null {
  if (!answered) return `${file}: does not end, or ends the process`
  return answered.failed && `${file}: ${answered.failed}`
}
