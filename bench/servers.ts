import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const FOLDER = '.bench/run'

/** Of every account that the bench makes. */
export const PASSWORD = 'as fast as it goes'

export interface LoopDelay {
  p50: number
  p99: number
  max: number
}

/** A measured server in a process of its own, on a copy of a data file. */
export class Server {
  readonly name: string
  readonly url: string
  /** Milliseconds from the start of the process to its first answer. */
  readonly started: number
  cookie: string | null = null
  private readonly child: ChildProcess

  private constructor(name: string, child: ChildProcess, url: string, started: number) {
    this.name = name
    this.child = child
    this.url = url
    this.started = started
  }

  static async start(name: 'floor' | 'facet', data: string): Promise<Server> {
    if (name === 'facet') return Server.startFacet(data)
    const begun = performance.now()
    const child = spawnFloor(copyOf(name, data))
    return new Server(name, child, await address(child), performance.now() - begun)
  }

  /** What files are measured beside. */
  static async startBareFiles(): Promise<Server> {
    const begun = performance.now()
    const child = spawn(process.execPath, ['bench/bare-files.ts', `${FOLDER}/bare`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return new Server('bare', child, await address(child), performance.now() - begun)
  }

  /** With an account, unless it is only to be looked at. */
  static startFacet(data: string, { account = true, root = '.' } = {}): Promise<Server> {
    const name = root === '.' ? 'facet' : `facet-${basename(root)}`
    return Server.startOn(
      name,
      `file:${resolve(copyOf(name, data))}`,
      account ? 'bench@example.org' : null,
      root,
    )
  }

  /**
   * On a database that `DATABASE_URL` names, signed in with a new account of that address; `root` is the folder of the
   * sources.
   */
  static async startOn(name: string, database: string, email: string | null, root = '.'): Promise<Server> {
    const begun = performance.now()
    const child = spawnFacet(name, database, { root })
    const url = await address(child)
    await fetch(`${url}/api/health`)
    const server = new Server(name, child, url, performance.now() - begun)
    if (email) server.cookie = await register(url, email)
    return server
  }

  /** From the sources as they are, with modules that are loaded into it first; signed in. */
  static async startSources(name: string, data: string, imports: readonly string[] = []): Promise<Server> {
    const begun = performance.now()
    const before = imports.flatMap((each) => ['--import', each])
    const child = spawnFacet(name, `file:${copyOf(name, data)}`, { started: [...before, 'src/main.ts'] })
    const url = await address(child)
    const server = new Server(name, child, url, performance.now() - begun)
    server.cookie = await register(url, 'bench@example.org')
    return server
  }

  /** Megabytes of all its threads that are in memory. */
  get rss(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
  }

  /** Seconds of processor time that it has used. */
  get cpu(): number {
    const [, fields = ''] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13) // proc(5): utime and stime, in hundredths
    return (Number(user) + Number(system)) / 100
  }

  /** The same in more detail, by the name of the thread; those of one name together. */
  get cpuByThread(): Record<string, number> {
    const folder = `/proc/${this.child.pid}/task`
    const used: Record<string, number> = {}
    for (const thread of readdirSync(folder)) {
      const name = readFileSync(`${folder}/${thread}/comm`, 'utf8').trim()
      const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')
      used[name] = (used[name] ?? 0) + Number(nanoseconds) / 1e9
    }
    return used
  }

  /** The delay of the server's own event loop while `work` runs. */
  async loopDelay(work: () => Promise<unknown>): Promise<LoopDelay> {
    this.child.send('start')
    await work()
    const answer = once(this.child, 'message')
    this.child.send('stop')
    const [delay] = await answer
    return delay as LoopDelay
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await ended
  }
}

function copyOf(name: string, data: string): string {
  mkdirSync(FOLDER, { recursive: true })
  const file = `${FOLDER}/${name}.db`
  for (const rest of ['', '-wal', '-shm', '.lock']) rmSync(file + rest, { force: true })
  copyFileSync(data, file)
  return file
}

const spawnFloor = (file: string) =>
  spawn(process.execPath, ['bench/floor.ts', file], { stdio: ['ignore', 'pipe', 'inherit'] })

/** As npm start does; it logs as it does by default, into a file. */
const spawnFacet = (
  name: string,
  database: string,
  { root = '.', started = ['scripts/start.js'] }: { root?: string; started?: readonly string[] } = {},
) =>
  spawn(process.execPath, ['--max-semi-space-size=4', '--import', './bench/probe.ts', ...started], {
    cwd: root,
    stdio: ['ignore', 'pipe', openSync(`${FOLDER}/${name}.log`, 'w'), 'ipc'],
    env: { ...process.env, PORT: '0', DATABASE_URL: database, FILE_LIMIT: '8 GiB' },
  })

/** The first address that it prints; what it prints after that is read and dropped. */
async function address(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  for await (const line of lines) {
    const url = /Facet is ready at (\S+)|^(http:\S+)$/.exec(line)
    if (!url) continue
    lines.close()
    child.stdout!.resume()
    return url[1] ?? url[2]!
  }
  throw new Error('the server ended before it answered')
}

/** A new account's cookie. */
export async function register(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`register answered ${response.status} ${await response.text()}`)
  return cookie
}
