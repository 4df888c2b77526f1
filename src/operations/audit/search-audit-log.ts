import { Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { parseIsoTime, type IsoTime } from '#src/domain/iso-time.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { AuditEvent, GivenTime, Ids, MAX_BULK, MAX_ID } from '#src/operations/schemas.ts'
import { EVENT_TYPES, findEvents } from '#src/storage/audit-log.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000

export const searchAuditLog = defineOperation({
  name: 'searchAuditLog',
  summary: 'Read the audit log, newest first.',
  description:
    'Everything given must hold. Ids and event types that do not exist select nothing, and so does an empty array.',
  access: 'user',
  effect: 'read',
  rest: ['POST /api/audit-log/search', 'POST /api/audit-log'],
  tool: 'query_audit_log',
  input: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `At most so many events; default ${DEFAULT_LIMIT}, above ${MAX_LIMIT} taken as ${MAX_LIMIT}`,
        }),
      ),
      after: Type.Optional(GivenTime('Only events after this time')),
      before: Type.Optional(GivenTime('Only events before this time')),
      item_ids: Type.Optional(Ids('Only events that involve one of these items')),
      tag_ids: Type.Optional(Ids('Only events that involve one of these tags')),
      event_types: Type.Optional(
        Type.Array(Type.String({ maxLength: MAX_ID }), {
          maxItems: MAX_BULK,
          description: `Only events of these types: ${EVENT_TYPES.join(', ')}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(AuditEvent),
  example: { input: { event_types: ['item_deleted', 'tag_deleted'], after: '2026-01-01', limit: 10 } },
  async run({ db }, { limit, after, before, item_ids, tag_ids, event_types }) {
    const problems: Problem[] = []
    const moment = (path: string, text: string | undefined): IsoTime | undefined => {
      const found = text === undefined ? undefined : parseIsoTime(text)
      if (found === null) problems.push({ path, message: `expected an ISO 8601 date or date-time` })
      return found ?? undefined
    }
    const bounds = { after: moment('after', after), before: moment('before', before) }
    if (problems.length) throw invalid(problems)
    const events = await findEvents(db, {
      ...bounds,
      limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT),
      item_ids: knownForm(item_ids),
      tag_ids: knownForm(tag_ids),
      event_types,
    })
    return new Reply(`[${events.join(',')}]`)
  },
})

/** Upper-cased ids; text that is no id is no event's. */
const knownForm = (ids: readonly string[] | undefined) =>
  ids?.flatMap((id) => {
    const parsed = parseUlid(id)
    return parsed ? [parsed] : []
  })
