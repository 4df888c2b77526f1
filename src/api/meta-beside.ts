import { cutText } from '#src/domain/cut-text.ts'
import type { Reply } from '#src/domain/reply.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { TOOL_PAGE } from '#src/operations/paging.ts'

/**
 * What REST says in headers, as a second JSON text alongside a tool's result, `args` being what it was called with;
 * undefined where there is nothing to say.
 */
export function metaBeside(reply: Reply, args: unknown): string | undefined {
  const { meta = {} } = reply
  const { warnings, hints, nearest, total, next, next_in = 'after', change_id, part } = meta
  const beside = {
    ...(warnings?.length && { warnings: warnings.map(brief) }),
    ...(hints?.length && { hints: hints.map(brief) }),
    ...(nearest?.length && { nearest }),
    ...(total !== undefined && { total }),
    ...(change_id !== undefined && { change_id }),
    ...(meta.status === 202 && {
      note: 'Nothing has changed yet: a person decides. list_proposals says what became of it',
    }),
    ...Object.fromEntries(
      (part?.texts ?? []).map(({ path, from, to, of }) => [path, `characters ${from} to ${to} of ${of}`]),
    ),
    ...(part?.next !== undefined && { next: { texts_from: part.next } }),
    // The arguments to add for the following page: a cursor goes on from what `skip` left out.
    ...(next !== undefined && {
      next: { [next_in]: next, ...(isRecord(args) && args['skip'] != null && { skip: null }) },
      ...endedEarly(reply, args),
    }),
  }
  return Object.keys(beside).length ? JSON.stringify(beside) : undefined
}

/** Characters of a warning or a hint, which quote the filter: its caller knows the rest. */
const MAX_QUOTED = 1000
const brief = (text: string) => cutText(text, MAX_QUOTED)

/** How many came, where these are fewer than were asked for: they are long, or more than one page has. */
function endedEarly({ json }: Reply, args: unknown): { ended: string } | undefined {
  if (!json.startsWith('[')) return undefined
  const { length } = JSON.parse(json) as unknown[]
  const limit = isRecord(args) && typeof args['limit'] === 'number' ? args['limit'] : TOOL_PAGE
  return length < limit ? { ended: `after ${length} of at most ${limit}, a page holds no more` } : undefined
}
