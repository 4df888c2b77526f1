import type { FastifyReply } from 'fastify'
import type { ReplyMeta } from '#src/domain/reply.ts'

const MAX_WARNINGS = 20
/** Bytes of the header's value. */
const MAX_WARNINGS_LENGTH = 4096

/** What is sent along with an answer, as headers. */
export function metaHeaders(
  reply: FastifyReply,
  { next, total, warnings, replayed, change_id, event_id, unread }: ReplyMeta,
): void {
  if (next !== undefined) void reply.header('x-next-cursor', next)
  if (replayed) void reply.header('idempotency-replayed', 'true')
  if (total !== undefined) void reply.header('x-total-count', String(total))
  if (change_id !== undefined) void reply.header('x-change-id', change_id)
  if (event_id !== undefined) void reply.header('x-event-id', event_id)
  if (unread !== undefined) void reply.header('x-unread-count', String(unread))
  if (warnings?.length) void reply.header('x-filter-warnings', warningsHeader(warnings))
}

/** A JSON array in ASCII, of as many warnings as fit. */
export function warningsHeader(warnings: readonly string[]): string {
  let shown = warnings.slice(0, MAX_WARNINGS)
  let text = toAscii(shown)
  while (text.length > MAX_WARNINGS_LENGTH) {
    const [first = ''] = shown
    shown = shown.length > 1 ? shown.slice(0, -1) : [`${first.slice(0, first.length / 2).toWellFormed()}…`]
    text = toAscii(shown)
  }
  return text
}

/** JSON has an escape for every UTF-16 unit; a header may hold printable ASCII alone. */
const toAscii = (value: unknown) =>
  JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
