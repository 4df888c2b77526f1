import { createServer as createProbe, type AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { registerApps } from '#src/api/apps/register-apps.ts'
import { oauthRoutes } from '#src/api/http/oauth-routes.ts'
import { createServer } from '#src/api/http/server.ts'
import type { HttpPart } from '#src/api/http/server-parts.ts'
import { startMetricsServer } from '#src/api/metrics/metrics-server.ts'
import { registerMetrics } from '#src/api/metrics/register-metrics.ts'
import { registerChanges } from '#src/api/changes/register-changes.ts'
import { registerFiles } from '#src/api/files/register-files.ts'
import { registerFileUrls } from '#src/api/files/register-file-urls.ts'
import { registerChat } from '#src/api/chat/register-chat.ts'
import { ItemExports } from '#src/api/export/item-exports.ts'
import { registerImports } from '#src/api/imports/register-imports.ts'
import { registerExport } from '#src/api/export/register-export.ts'
import { registerMcp } from '#src/api/mcp/register-mcp.ts'
import { WebApp } from '#src/api/web/web-app.ts'
import { identityProviders } from '#src/auth/identity-provider.ts'
import { Passwords } from '#src/auth/password.ts'
import { secretBox } from '#src/auth/secret-keys.ts'
import { RateLimit } from '#src/auth/rate-limit.ts'
import { SessionWatch } from '#src/auth/session-watch.ts'
import { clockWarnings } from '#src/operations/service/upkeep-steps.ts'
import { doubtfulSettings } from '#src/config/doubtful-settings.ts'
import type { Config } from '#src/config/config.ts'
import { ConfigError } from '#src/config/read-config.ts'
import { namesS3 } from '#src/config/s3-place.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import type { Engine } from '#src/engine/engine.ts'
import { ChangeWatch } from '#src/engine/change-watch.ts'
import { folderFault } from '#src/files/folder-fault.ts'
import { openStore } from '#src/files/open-store.ts'
import { UploadRoom } from '#src/files/upload-room.ts'
import type { StartThread } from '#src/engine/sqlite-thread-options.ts'
import { ServiceMetrics } from '#src/metrics/service-metrics.ts'
import { JsonThread } from '#src/json/json-thread.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { Services } from '#src/runtime/services.ts'
import { proposeCall } from '#src/operations/proposals/propose-call.ts'
import { operations } from '#src/operations/index.ts'
import { checkOwnerWay } from '#src/operations/account/users/check-owner-way.ts'
import { setupToken } from '#src/operations/account/invitation/setup-token.ts'
import { Backups } from '#src/work/backups.ts'
import { startBackgroundWork } from '#src/work/background-work.ts'
import { startEngine } from '#src/start-engine.ts'

/** Milliseconds that requests have to end when the service stops. */
const GRACE = 10_000

export interface AppOptions {
  config: Config
  /** Milliseconds since the epoch. */
  clock?: () => number
  startThread?: StartThread
  /** Milliseconds between the signs of life on event streams. */
  heartbeat?: number
  /** The web application; by default it is built when it is first asked for. */
  web?: WebApp
  /** What hashes passwords; by default at the cost that guards them. */
  passwords?: Passwords
}

const startWorker: StartThread = (workerData: unknown, name: string) =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    name,
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
  })

/**
 * Of the heap of a thread of the database, in MiB. From 2048 on V8 lets what it has grow fourfold before it looks for garbage,
 * below that twofold.
 */
const HEAP = 2000

/**
 * What keeps files from being kept, where that was not asked for or may be meant: the rest of the base can be used.
 * @throws ConfigError where FILES was set by mistake
 */
function filesPlaceDoubts({ files }: Config): string[] {
  if (files.kind !== 'folder') return []
  const fault = folderFault(files.folder)
  if (!fault) return []
  const inWords = `${fault.message}. ${fault.remedy}`
  if (!files.isDefault && !fault.isReadOnly) throw new ConfigError([`FILES: ${inWords}`])
  return [`No file can be kept: ${inWords}`]
}

/** What keeps copies from being made: the service serves without them. */
function backupDoubts({ backup: { to } }: Config): string[] {
  const fault = to === null || namesS3(to) ? null : folderFault(to, 'BACKUP_TO')
  return fault ? [`No copy of the base can be made: ${fault.message}. ${fault.remedy}`] : []
}

export interface App {
  /** Where it listens. */
  url: string
  /** Where METRICS_PORT listens; null: nowhere. */
  metrics_url: string | null
  /** What the first account takes where others can reach the service; null: nothing. */
  setup_token: string | null
  /** Method and path of every route. */
  routes: () => string[]
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>
}

/** Opens the database, brings its schema up to date, and serves. */
export async function startApp(options: AppOptions): Promise<App> {
  for (let left = FREE_PORTS; ; left--) {
    const config = await withPort(options.config)
    try {
      return await startWith({ ...options, config })
    } catch (error) {
      const taken = isTaken(error, config.port)
      if (!taken || options.config.port !== 0 || left === 1) throw error
    }
  }
}

async function startWith(options: AppOptions): Promise<App> {
  const { config, clock = Date.now, startThread = startWorker, web = new WebApp(), heartbeat } = options
  const { passwords = new Passwords() } = options
  const placeDoubts = [...filesPlaceDoubts(config), ...backupDoubts(config)]
  const metrics = new ServiceMetrics()
  const secrets = secretBox(config)
  // The engine starts before the server whose log it writes to.
  let server: FastifyInstance | undefined
  const { engine, warnings } = await startEngine(config, {
    secrets,
    startThread,
    metrics: new EngineMetrics(metrics),
    log: (level, message, details) => server?.log[level](details, message),
  })
  const json = new JsonThread()
  const closeThreads = async () => {
    await engine.close()
    await json.close()
  }
  try {
    const onUnnotified = (err: unknown) => server?.log.warn({ err }, 'other processes were not notified')
    const onBytesLeft = (err: unknown, blob: string) =>
      server?.log.warn({ err, blob }, 'bytes that no file needs were not removed: the sweep takes them')
    const backups = new Backups(config, clock)
    const services = {
      config,
      secrets,
      metrics,
      backups,
      passwords,
      onBytesLeft,
      ...servicesOf(config, engine, clock, onUnnotified),
    }
    const runtime: Runtime = { engine, services, clock, propose: proposeCall }
    await checkOwnerWay(runtime)
    server = createServer({ config, runtime, operations, web, json, others: OTHERS, heartbeat })
    const { close, ...serving } = await serve(
      server,
      runtime,
      backups,
      [...placeDoubts, ...warnings],
      heartbeat,
    )
    return {
      ...serving,
      async close() {
        try {
          await close()
        } finally {
          await closeThreads()
        }
      },
    }
  } catch (error) {
    await server?.close()
    await closeThreads()
    throw error
  }
}

/** By a request of one's own, or by a URL: bounded together. */
const registerExports: HttpPart = (app, parts) => {
  const exports = new ItemExports(parts.runtime)
  registerExport(app, parts, exports)
  registerFileUrls(app, parts, exports)
}

const OTHERS: readonly HttpPart[] = [
  oauthRoutes,
  registerApps,
  registerMcp,
  registerChat,
  registerChanges,
  registerExports,
  registerImports,
  registerFiles,
  registerMetrics,
]

function servicesOf(
  config: Config,
  engine: Engine,
  clock: () => number,
  onUnnotified: (error: unknown) => void,
): Omit<Services, 'config' | 'secrets' | 'metrics' | 'backups' | 'passwords' | 'onBytesLeft'> {
  return {
    providers: identityProviders(config, clock),
    rate_limit: new RateLimit(config.rate_limit, clock),
    changes: watchTopic('events', engine, onUnnotified),
    webhooks: watchTopic('webhooks', engine, onUnnotified),
    imports: watchTopic('imports', engine, onUnnotified),
    notifications: watchTopic('notifications', engine, onUnnotified),
    sessions: watchSessions(engine, onUnnotified),
    files: openStore(config.files),
    uploads: new UploadRoom(),
  }
}

/** Listens, and does what is done alongside requests. */
async function serve(
  server: FastifyInstance,
  runtime: Runtime,
  backups: Backups,
  warnings: readonly string[],
  heartbeat: number | undefined,
): Promise<App> {
  const { config, metrics } = runtime.services
  const { log } = server
  const ofClock = await clockWarnings(runtime).catch((err: unknown) => {
    log.error({ err }, 'the clock was not compared with the newest entry')
    return []
  })
  for (const each of [...doubtfulSettings(config), ...warnings, ...ofClock]) log.warn(each)
  const scraped = config.metrics && (await startMetricsServer(metrics, config.metrics))
  try {
    const url = await server.listen({ host: config.host, port: config.port })
    const setup_token = await setupToken(runtime).catch((err: unknown) => {
      log.error({ err }, 'the token of the first account could not be made')
      return null
    })
    const work = startBackgroundWork(runtime, backups, log, heartbeat)
    return {
      url,
      metrics_url: scraped?.url ?? null,
      setup_token,
      routes: () => server.routeTable.list(),
      async close() {
        try {
          await Promise.all([finish(server), work.finish()])
        } finally {
          await work.stop()
          await scraped?.close()
        }
      },
    }
  } catch (error) {
    await scraped?.close()
    throw error
  }
}

/** Lets the requests that are under way end, and cuts off what takes longer than GRACE. */
async function finish(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE)
  await server.close().finally(() => clearTimeout(cut))
}

/** Each process is notified of the sessions that another one ends. */
function watchSessions({ relay }: Engine, onError: (error: unknown) => void): SessionWatch {
  const watch = new SessionWatch((token_hashes) => {
    relay?.publish('sessions ended', JSON.stringify(token_hashes)).catch(onError)
  })
  relay?.subscribe('sessions ended', (body) => watch.endedElsewhere(JSON.parse(body) as string[]))
  return watch
}

/** Each process is notified when another one has recorded events or notifications, or has something to deliver or to import. */
function watchTopic(
  topic: 'events' | 'webhooks' | 'imports' | 'notifications',
  { relay }: Engine,
  onError: (error: unknown) => void,
): ChangeWatch {
  const watch = new ChangeWatch(relay && (() => void relay.publish(topic, '').catch(onError)))
  relay?.subscribe(topic, () => watch.happenedElsewhere())
  return watch
}

/** How many free ports are tried: somebody else may take one before the service listens there. */
const FREE_PORTS = 5

const isTaken = (error: unknown, port: number): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EADDRINUSE' &&
  'port' in error &&
  error.port === port

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
