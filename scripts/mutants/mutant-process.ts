import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answered, Asked } from './process.ts'
import { ROOT } from './sources.ts'

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url))
const HOOKS = new URL('hooks.ts', import.meta.url).href
/** A process that carries out test after test; where it ends or does not answer, the next has another. */
export class MutantProcess {
  private readonly env: NodeJS.ProcessEnv
  private readonly patience: number
  private child: ChildProcess | undefined

  /** @param patience milliseconds of a file of tests, beside 20 times what it took without a change */
  constructor(env: Record<string, string>, patience: number) {
    this.patience = patience
    this.env = { ...process.env, LOG_LEVEL: 'silent', ...env }
  }

  /** @returns null: it ended, or took too long */
  async ask(asked: Asked, usual = 0): Promise<Answered | null> {
    const child = (this.child ??= await this.start())
    child.send(asked)
    const late = setTimeout(() => child.kill('SIGKILL'), this.patience + 20 * usual)
    const answered = await nextOf(child)
    clearTimeout(late)
    if (!answered) this.child = undefined
    return answered
  }

  end(): void {
    this.child?.kill('SIGKILL')
    this.child = undefined
  }

  private async start(): Promise<ChildProcess> {
    const stderr = this.env['MUTANT'] === undefined ? 'inherit' : 'ignore'
    const child = fork(PROCESS, {
      cwd: ROOT,
      env: this.env,
      execArgv: ['--no-warnings', '--import', HOOKS],
      stdio: ['ignore', 'ignore', stderr, 'ipc'],
    })
    await nextOf(child)
    return child
  }
}

async function nextOf(child: ChildProcess): Promise<Answered | null> {
  const given = new AbortController()
  const { signal } = given
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answered]) => answered as Answered),
      once(child, 'exit', { signal }).then(() => null),
    ])
  } finally {
    given.abort()
  }
}
