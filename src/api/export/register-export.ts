import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { ItemExports } from '#src/api/export/item-exports.ts'
import { mergeInput } from '#src/api/http/merge-input.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { ExportInput } from '#src/operations/export/export-schemas.ts'
import { checkLimitedInput } from '#src/runtime/may-call.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

/** POST /api/items/export (further §15). */
export function registerExport(app: FastifyInstance, parts: ServerParts, exports: ItemExports): void {
  const handler: RouteHandlerMethod = async (request, reply) => {
    const taken = mergeInput({ input: ExportInput }, request)
    const input = (await validateInput({ input: ExportInput }, taken)) as ExportInput
    const { caller } = request
    checkLimitedInput(caller, input)
    return exports.send(request, reply, { caller, input })
  }
  registerRoutes(app, parts, describedRoutes.export, { 'POST /api/items/export': handler })
}
