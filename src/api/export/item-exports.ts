import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportPages, whereReadable } from '#src/api/export/export-pages.ts'
import { codingOf } from '#src/api/http/compress-answers.ts'
import { metaHeaders } from '#src/api/http/meta-headers.ts'
import { streamOut } from '#src/api/http/outlet.ts'
import { untilClientLeaves } from '#src/api/http/until-client-leaves.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import type { Caller } from '#src/domain/caller.ts'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { Slices } from '#src/domain/slices.ts'
import { EXPORT_ENDINGS, type ExportFormat, type ExportInput } from '#src/operations/export/export-schemas.ts'
import { sealedMeta } from '#src/operations/live/sealed-cursor.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'

/** Exports that are under way, of one account and of all: each holds two pages in memory. */
const MAX_EXPORTS = { kind: 'export' as const, max: 5, all: 100, what: 'exports' }

/** Pages of them that are read at once. */
const PAGES = { at_once: MAX_EXPORTS.all, of_one_key: 2, max_wait: 60_000, what: 'exports' }

/**
 * Those of the past come one export after the other, for some seconds each: the base of its moment, which the first page
 * has made, is there for the next ones.
 */
const PAST = { slice: 3000, rest: 50, max_wait: 600_000, what: 'exports' }

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  markdown: 'application/zip',
}

interface AskedExport {
  caller: Caller
  input: ExportInput
}

/** Exports of one process, whoever asks for them and by what. */
export class ItemExports {
  private readonly runtime: Runtime
  private readonly open: OpenStreams
  private readonly turns = new FairQueue(PAGES)
  private readonly past = new Slices(PAST)

  constructor(runtime: Runtime) {
    this.runtime = runtime
    this.open = new OpenStreams(runtime, MAX_EXPORTS)
  }

  /** Answers with the file, as the caller may read the base. Anyone who has too many under way is refused before anything is read. */
  async send(request: FastifyRequest, reply: FastifyReply, asked: AskedExport): Promise<FastifyReply> {
    await this.open.while(asked.caller, reply.raw, (ended) => this.sendPages(request, reply, asked, ended))
    return reply
  }

  private async sendPages(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, input }: AskedExport,
    ended: AbortSignal,
  ): Promise<void> {
    const { runtime, turns, past } = this
    const key = caller.user_id ?? ''
    const inTurn = <T>(job: () => Promise<T>) =>
      input.as_of === undefined ? turns.run(key, job) : past.run({ key, work: `${key} ${input.as_of}` }, job)
    const read = <I extends object>(step: Step<I>, given: I) =>
      inTurn(() => {
        ended.throwIfAborted()
        return untilClientLeaves(runtime, { caller }, reply, (signal) =>
          runOperation(runtime, step, caller, given, signal),
        )
      })
    const file = (file_id: string) => whereReadable(openFile(runtime, caller, file_id))
    const { meta, pieces } = await exportPages({ read, file, now: new Date(runtime.clock()) }, input)
    ended.throwIfAborted()
    metaHeaders(reply, { ...sealedMeta(runtime.services.secrets, caller, meta), next: undefined })
    const { format } = input
    void reply.header('content-disposition', `attachment; filename="items.${EXPORT_ENDINGS[format]}"`)
    const coding = format === 'markdown' ? undefined : codingOf(request, reply)
    await streamOut(reply, TYPES[format], pieces, { coding })
  }
}
