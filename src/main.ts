import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { App } from '#src/app.ts'
import { ConfigError, loadConfig } from '#src/config/read-config.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { boundHeaps } from '#src/process/free-memory.ts'
import { listenFault } from '#src/process/listen-fault.ts'

// Compiled code, stripped of its types, is kept: the next start is faster, and no thread loads the type stripper.
// The threads take the folder from the environment.
process.env.NODE_COMPILE_CACHE ??= compileCache()
enableCompileCache(process.env.NODE_COMPILE_CACHE)
boundHeaps()

/** Milliseconds between two looks at whether the parent still lives. */
const PARENT_WATCH = 250
/** Milliseconds in which Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL = 1000

/** HOST that means all addresses. */
const EVERYWHERE = new Set(['0.0.0.0', '::'])

let app: App | undefined
/** When the first signal came, in milliseconds of `performance.now`. */
let stopping: number | undefined

/** The first signal lets what is under way finish, a second one does not wait. */
function stop(): void {
  if (stopping !== undefined) {
    if (performance.now() - stopping > SAME_SIGNAL) process.exit(1)
    return
  }
  stopping = performance.now()
  // While it still starts, nothing is under way.
  if (!app) process.exit(0)
  void app.close().then(
    () => process.exit(0),
    (error: unknown) => fail(error),
  )
}

/** npm passes signals on, but when it is killed itself it leaves its child running. */
function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && stopping === undefined) stop()
  }, PARENT_WATCH).unref()
}

/** Beside other caches; within a package that npm has put others beside, not where packages are looked for. */
function compileCache(): string {
  const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
  return existsSync(packages)
    ? `${packages}/.cache/node`
    : fileURLToPath(new URL('../.cache/node', import.meta.url))
}

function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof ServiceError) return [error.message, error.suggestion].filter(Boolean).join('. ')
  const fault = listenFault(error)
  if (fault) return `${fault.says}: ${fault.way}`
  const { message, stack } = error as Error
  return stack ?? message
}

// The service goes on without its log: the disk may be full, or whoever reads it gone. A command would end.
for (const stream of [process.stdout, process.stderr])
  stream.removeAllListeners('error').on('error', () => undefined)
process.umask(0o077) // whatever is made holds secrets
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
if (process.env.npm_lifecycle_event) stopWithParent()
try {
  const config = loadConfig()
  // Only now: these modules are to go through the cache.
  const { WebApp } = await import('#src/api/web/web-app.ts')
  const web = new WebApp({ rebuilds: process.argv.includes('--rebuild-web') })
  // The first start of a checkout builds it, before memory goes elsewhere. What fails is reported to anyone who opens it.
  await web.served().catch(() => undefined)
  const { startApp } = await import('#src/app.ts')
  app = await startApp({ config, web })
  process.stdout.write(
    `Facet is ready at ${app.url}${EVERYWHERE.has(config.host) ? ' and at every other address of this machine' : ''}\n`,
  )
  if (app.setup_token !== null)
    process.stdout.write(
      `There is no account yet. The first one owns the base: register it with the invitation ${app.setup_token}\n`,
    )
  flushCompileCache()
} catch (error) {
  fail(error)
}
