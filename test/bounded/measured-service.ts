import { createServer } from 'node:http'
import { setImmediate as turnOver } from 'node:timers/promises'

// The service in a process of its own that says what it costs: started by `MeasuredService`, with `--expose-gc`.

/** How often it is looked how long the thread has computed. */
const LOOK_MS = 5
/** Milliseconds of computing between two looks at what else there is to do. */
const TURN = 20

export type Question = 'begin' | 'cost' | 'memory' | 'close'
export interface Cost {
  /** Milliseconds that all threads have computed since the beginning. */
  computed: number
  /** Milliseconds for which the event loop computed in one piece, exact to a look. */
  turn: number
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
/** Computing time, not the clock's: other programs of the machine do not count. */
const ofThread = () => milliseconds(process.threadCpuUsage())

let last = ofThread()
let turn = 0
let begun = process.cpuUsage()
setInterval(() => {
  const now = ofThread()
  turn = Math.max(turn, now - last)
  last = now
}, LOOK_MS)

/** What stays, in bytes, beside the heaps of other threads. */
async function memory(): Promise<number> {
  // What the first one finds to be unused, the second one can be rid of.
  for (let round = 0; round < 2; round++) {
    await turnOver()
    globalThis.gc!()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Computes for 400 ms at 96 KiB; in short turns, so that nothing but the sum is wrong. */
async function quadratic({ length }: string): Promise<void> {
  for (let left = 400 * (length / (96 * 1024)) ** 2; left > 0; left -= TURN) {
    for (const since = ofThread(); ofThread() - since < Math.min(left, TURN););
    await turnOver()
  }
}

/** Servers that do what the service must not, so that it is seen that the test finds it. */
function flawed(): Promise<{ url: string; routes: string[]; close(): unknown }> {
  const kept: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += data))
    const answer = async () => {
      if (request.url === '/quadratic') await quadratic(body)
      if (request.url === '/blocking') for (const since = ofThread(); ofThread() - since < 320;);
      if (request.url === '/leaking') kept.push(body)
      if (request.url === '/linear') for (let i = 0; i < 200; i++) Buffer.from(body).indexOf('no such')
      response.end('{}')
    }
    request.on('end', () => void answer())
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      resolve({ url: `http://127.0.0.1:${port}`, routes: [], close: () => server.close() })
    }),
  )
}

async function facet() {
  const { startApp } = await import('#src/app.ts')
  const { loadConfig } = await import('#src/config/read-config.ts')
  const { keptThreads } = await import('#test/support/kept-threads.ts')
  const config = loadConfig({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: process.argv[3] })
  const app = await startApp({ config, startThread: await keptThreads() })
  return { url: app.url, routes: app.routes(), close: () => app.close() }
}

const service = process.argv[2] === 'flawed' ? await flawed() : await facet()
process.on('message', (question: Question) => void answer(question))
process.send!({ url: service.url, routes: service.routes })

async function answer(question: Question): Promise<void> {
  switch (question) {
    case 'begin':
      last = ofThread()
      turn = 0
      begun = process.cpuUsage()
      process.send!(0)
      break
    case 'cost': {
      turn = Math.max(turn, ofThread() - last)
      process.send!({ computed: milliseconds(process.cpuUsage(begun)), turn } satisfies Cost)
      break
    }
    case 'memory':
      process.send!(await memory())
      break
    case 'close':
      await service.close()
      process.exit(0)
  }
}
