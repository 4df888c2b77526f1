import { createServer as createProbe, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { oauthRoutes } from '#src/api/http/oauth-routes.ts'
import { createServer } from '#src/api/http/server.ts'
import { registerChat } from '#src/api/chat/register-chat.ts'
import { registerMcp } from '#src/api/mcp/register-mcp.ts'
import { bearerCallers } from '#src/api/http/bearer-callers.ts'
import { WebApp } from '#src/api/web/web-app.ts'
import { identityProviders } from '#src/auth/identity-provider.ts'
import { Passwords } from '#src/auth/password.ts'
import { SessionWatch } from '#src/auth/session-watch.ts'
import { SERVICE } from '#src/domain/caller.ts'
import type { Config } from '#src/config/config.ts'
import type { Engine, EngineLog } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import type { Facet } from '#src/operations/call.ts'
import { operations } from '#src/operations/index.ts'
import { setupToken } from '#src/operations/account/invitation/setup-token.ts'
import { watchTokens } from '#src/operations/account/session/token-watcher.ts'
import { startSweeper } from '#src/operations/account/session/sweeper.ts'
import { refuseHalfImported } from '#src/operations/service/steps/refuse-half-imported.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { sqlRunner } from '#src/operations/sql-runner.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

/** Milliseconds that requests have to end when the service stops. */
const GRACE = 10_000

export interface AppOptions {
  config: Config
  /** Milliseconds since the epoch. */
  clock?: () => number
  /** The module that the threads of the database start with. */
  worker?: URL
  /** Milliseconds between the signs of life on event streams. */
  heartbeat?: number
  /** The web application; by default it is built when it is first asked for. */
  web?: WebApp
}

const WORKER = new URL('./worker.ts', import.meta.url)

export interface App {
  /** Where it listens. */
  url: string
  /** What the first account takes where others can reach the service; null: nothing. */
  setup_token: string | null
  /** Method and path of every route. */
  routes: () => string[]
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>
}

/** Opens the database, brings its schema up to date, and serves. */
export async function startApp({
  config: given,
  clock = Date.now,
  worker = WORKER,
  heartbeat,
  web = new WebApp(),
}: AppOptions): Promise<App> {
  const config = await withPort(given)
  // The engine starts before the server whose log it writes to.
  let server: FastifyInstance | undefined
  const engine = await startEngine(config, worker, (level, message, details) =>
    server?.log[level](details, message),
  )
  const services = {
    config,
    passwords: new Passwords(),
    providers: identityProviders(config, clock),
    sessions: watchSessions(engine, (err) => server?.log.warn({ err }, 'other processes were not told')),
  }
  const facet: Facet = { engine, services, clock }
  server = createServer({
    config,
    facet,
    operations,
    sessions: bearerCallers(facet),
    web,
    others: [oauthRoutes, registerMcp, registerChat],
    heartbeat,
  })
  try {
    const url = await server.listen({ host: config.host, port: config.port })
    const setup_token = await setupToken(facet).catch((err: unknown) => {
      server.log.error({ err }, 'the token of the first account could not be made')
      return null
    })
    const sweeper = startSweeper(facet, (err) => server.log.error({ err }, 'expired rows could not be swept'))
    const watcher = watchTokens(
      facet,
      (err) => server.log.warn({ err }, 'sessions were not looked at'),
      heartbeat,
    )
    return {
      url,
      setup_token,
      routes: () => server.routeTable.list(),
      async close() {
        try {
          await finish(server)
        } finally {
          watcher.stop()
          await sweeper.stop()
          await engine.close()
        }
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Lets the requests that are under way end, and cuts off what takes longer than GRACE. */
async function finish(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE)
  await server.close().finally(() => clearTimeout(cut))
}

/** Milliseconds that a change of many items may take. */
const CHANGE_TIMEOUT = 60_000

async function startEngine(
  { database, query_timeout: read }: Config,
  worker: URL,
  log: EngineLog,
): Promise<Engine> {
  const timeouts = { read, change: Math.max(read, CHANGE_TIMEOUT) }
  const run = sqlRunner([...sqlOperations, ...sqlSteps])
  if (database.engine === 'postgres') {
    await preparePostgres(database.url)
    const engine = await startPostgresEngine({ ...database, run, newestId, log, timeouts })
    // Only now, when an import that begins would see this process.
    const check = { name: refuseHalfImported.name, caller: SERVICE, input: {}, now: Date.now() }
    await engine.readInline(check).catch((error: unknown) => engine.close().then(() => Promise.reject(error)))
    return engine
  }
  const { file } = database
  const lock = await prepareSqliteFile(file)
  try {
    const engine = await startSqliteEngine({ file, worker, run, log, timeouts })
    return { ...engine, close: () => engine.close().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Each process hears of the sessions that another one ends. */
function watchSessions({ relay }: Engine, onError: (error: unknown) => void): SessionWatch {
  const watch = new SessionWatch((token_hashes) => {
    relay?.tell('sessions ended', JSON.stringify(token_hashes)).catch(onError)
  })
  relay?.hear('sessions ended', (body) => watch.endedElsewhere(JSON.parse(body) as string[]))
  return watch
}

/** Port 0 is settled before anything is made, because redirects and passkeys go by PUBLIC_URL, which names it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  return Object.freeze({ ...config, port, public_url: config.public_url.replace(/:0$/, `:${port}`) })
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createProbe()
    probe.once('error', reject)
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
