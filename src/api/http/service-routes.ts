import type { FastifyInstance } from 'fastify'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { checkReadable, checkWritable, endWriteCheck } from '#src/operations/service/service-steps.ts'

const OK = { status: 'ok' }
/** Milliseconds. A pooler lets calls wait for minutes when its server is gone; a balancer wants to know sooner. */
const WAIT_FOR_WRITER = 3000
const WAIT_FOR_READ = 2000

/** Whether the process lives (without a look at the database), and whether it can work. */
export function serviceRoutes(app: FastifyInstance, parts: ServerParts): void {
  const { runtime } = parts
  let trial: Promise<boolean> | undefined
  /** However many ask at once, one is made. */
  const writesAgain = () => (trial ??= tryWriting(runtime).finally(() => (trial = undefined)))
  registerRoutes(app, parts, describedRoutes.service, {
    'GET /api/health': (_, reply) => reply.send(OK),
    'GET /api/ready': async (_, reply) => {
      const fault = runtime.engine.writeFault()
      // Nothing is written for it, unless the last write failed.
      if (fault && !(await inTime(writesAgain(), WAIT_FOR_WRITER))) throw fault
      if (await inTime(readable(runtime), WAIT_FOR_READ)) return reply.send(OK)
      throw unavailable('The database does not answer', { suggestion: 'Try again in a moment' })
    },
  })
}

async function readable(runtime: Runtime): Promise<boolean> {
  await runOperation(runtime, checkReadable, SERVICE, {})
  return true
}

/** Whether writes work again, of some size too. */
async function tryWriting(runtime: Runtime): Promise<boolean> {
  try {
    await runStep(runtime, checkWritable, {})
    await runStep(runtime, endWriteCheck, {})
  } catch {
    return false
  }
  runtime.engine.forgetWriteFault()
  return true
}

async function inTime(work: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
