import type { FastifyInstance } from 'fastify'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { checkReadable, checkWritable } from '#src/operations/service/service-steps.ts'

const OK = { status: 'ok' }
/** Milliseconds. A pooler lets calls wait for minutes when its server is gone; a balancer wants to know sooner. */
const WAIT_FOR_WRITER = 3000
const WAIT_FOR_READ = 2000

/** Whether the process lives (without a look at the database), and whether it can work. */
export function serviceRoutes(app: FastifyInstance, parts: ServerParts): void {
  registerRoutes(app, parts, describedRoutes.service, {
    'GET /api/health': (_, reply) => reply.send(OK),
    'GET /api/ready': async (_, reply) => {
      await beReady(parts.runtime)
      return reply.send(OK)
    },
  })
}

/** Nothing is written for it, unless the last write failed: then one that changes nothing shows whether they work again. */
async function beReady(runtime: Runtime): Promise<void> {
  const fault = runtime.engine.writeFault()
  if (fault && !(await writesAgain(runtime))) throw fault
  if (await inTime(runOperation(runtime, checkReadable, SERVICE, {}), WAIT_FOR_READ)) return
  throw unavailable('The database does not answer', { suggestion: 'Try again in a moment' })
}

const writesAgain = (runtime: Runtime): Promise<boolean> =>
  inTime(runOperation(runtime, checkWritable, SERVICE, {}), WAIT_FOR_WRITER).catch(() => false)

async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)))
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}
