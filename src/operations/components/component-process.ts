import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { unavailable } from '#src/domain/errors.ts'
import { fromFailure } from '#src/engine/failure.ts'
import type { Answer, Question } from '#src/operations/components/component-worker.ts'

/** Milliseconds without work after which the process ends and gives its memory back. */
const IDLE = 300_000

/**
 * Compiles components in a process of its own, one at a time, which starts the compiler for each. To start a process
 * holds up every thread of the one that does it, for longer the more memory that has: this one has little.
 */
export class ComponentProcess {
  private child: ChildProcess | undefined
  private waiting: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined
  private idle: NodeJS.Timeout | undefined

  /** @throws BadRequest with line and column of every fault */
  async compile(code: string): Promise<string> {
    clearTimeout(this.idle)
    const child = (this.child ??= this.start())
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.waiting = { resolve, reject }
        child.send(code satisfies Question, (error) => error && this.lost(child, error))
      })
      if ('failure' in answer) throw fromFailure(answer.failure)
      return answer.js
    } finally {
      this.waiting = undefined
      this.idle = setTimeout(() => this.rest(), IDLE).unref()
    }
  }

  private rest(): void {
    this.child?.disconnect()
    this.child = undefined
  }

  private start(): ChildProcess {
    const child = fork(fileURLToPath(new URL('./component-worker.ts', import.meta.url)), {
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.unref()
    child.channel!.unref()
    child.on('message', (answer: Answer) => this.waiting?.resolve(answer))
    child.on('error', (error) => this.lost(child, error))
    child.once('exit', () => this.lost(child))
    return child
  }

  /** The next one goes to a new process. */
  private lost(child: ChildProcess, cause?: Error): void {
    if (this.child !== child) return
    this.child = undefined
    const error = unavailable('The compiler stopped unexpectedly', { suggestion: 'Try again' })
    this.waiting?.reject(cause ? Object.assign(error, { cause }) : error)
  }
}
