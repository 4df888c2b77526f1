import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from '#test/support/process.ts'
import type { Cost, Question } from '#test/bounded/measured-service.ts'

/** A service in a process of its own, of which is known what a request costs it. */
export class MeasuredProcess {
  private readonly child: ChildProcess
  url = ''
  /** `GET /api/items/{item_id}`, and so on. */
  routes: string[] = []

  /** `database`: the DATABASE_URL of the service. */
  constructor(what: 'facet' | 'flawed', database = '') {
    this.child = fork(`${ROOT}test/bounded/measured-service.ts`, [what, database], {
      cwd: ROOT,
      execArgv: ['--expose-gc'],
    })
  }

  async start(): Promise<this> {
    const [{ url, routes }] = await once(this.child, 'message')
    Object.assign(this, { url, routes })
    return this
  }

  /** What the work cost the process. One at a time. */
  async cost(work: () => Promise<unknown>): Promise<Cost> {
    await this.ask('begin')
    await work()
    return (await this.ask('cost')) as Cost
  }

  /** Bytes that are held after a collection. */
  async memory(): Promise<number> {
    return (await this.ask('memory')) as number
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.send('close' satisfies Question)
    await ended
  }

  private async ask(question: Question): Promise<unknown> {
    const answer = once(this.child, 'message')
    this.child.send(question)
    return (await answer)[0]
  }
}
