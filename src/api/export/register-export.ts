import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { codingOf } from '#src/api/http/compress-answers.ts'
import { mergeInput } from '#src/api/http/merge-input.ts'
import { toldMeta } from '#src/operations/live/sealed-cursor.ts'
import { metaHeaders } from '#src/api/http/meta-headers.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { streamOut } from '#src/api/http/outlet.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { untilGone } from '#src/api/http/until-gone.ts'
import { exportPages, whereReadable } from '#src/api/export/export-pages.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { type ExportFormat, ExportInput } from '#src/operations/export/export-schemas.ts'
import type { Caller } from '#src/domain/caller.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { checkLimitedInput } from '#src/runtime/may-call.ts'
import type { Step } from '#src/runtime/operation.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

/** Exports that are under way, of one account and of all: each holds two pages in memory. */
const MAX_EXPORTS = { kind: 'export' as const, max: 5, all: 100, what: 'exports' }

/** Pages of them that are read at once. */
const PAGES = { at_once: MAX_EXPORTS.all, of_one_key: 2, max_wait: 60_000, what: 'exports' }

const FILES: Record<ExportFormat, { type: string; ending: string }> = {
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', ending: 'jsonl' },
  markdown: { type: 'application/zip', ending: 'zip' },
}

/** POST /api/items/export (further §15). */
export function registerExport(app: FastifyInstance, parts: ServerParts): void {
  const { runtime } = parts
  const open = new OpenStreams(runtime, MAX_EXPORTS)
  const turns = new FairQueue(PAGES)
  const handler: RouteHandlerMethod = async (request, reply) => {
    const taken = mergeInput({ input: ExportInput }, request)
    const input = (await validateInput({ input: ExportInput }, taken)) as ExportInput
    const { caller } = request
    checkLimitedInput(caller, input)
    const read = <I extends object>(step: Step<I>, given: I) =>
      turns.run(caller.user_id ?? '', () =>
        untilGone(runtime, request, reply, (signal) => runOperation(runtime, step, caller, given, signal)),
      )
    const file = fileOf(runtime, caller)
    const { meta, pieces } = await exportPages({ read, file, now: new Date(runtime.clock()) }, input)
    metaHeaders(reply, { ...toldMeta(runtime.services.secrets, caller, meta), next: undefined })
    const { type, ending } = FILES[input.format]
    void reply.header('content-disposition', `attachment; filename="items.${ending}"`)
    const coding = ending === 'zip' ? undefined : codingOf(request, reply)
    await open.while(caller, reply.raw, () => streamOut(reply, type, pieces, { coding }))
    return reply
  }
  registerRoutes(app, parts, describedRoutes.export, { 'POST /api/items/export': handler })
}

/** As the caller may read it. */
const fileOf = (runtime: Runtime, caller: Caller) => (file_id: string) =>
  whereReadable(openFile(runtime, caller, file_id))
