import { Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { parseIsoTime, type IsoTime } from '#src/domain/iso-time.ts'
import { renamesAfter } from '#src/domain/past-rename.ts'
import { Reply } from '#src/domain/reply.ts'
import { canonicalId, idsAmong, parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { AuditEvent } from '#src/operations/schemas/answers.ts'
import { GivenTime, Ids, MAX_BULK, MAX_ID } from '#src/operations/schemas/inputs.ts'
import { UnknownWords } from '#src/operations/audit/unknown-words.ts'
import { tagIdsOf } from '#src/operations/tags/tag-ids-of.ts'
import type { Db } from '#src/sql/query.ts'
import { EVENT_TYPES } from '#src/storage/log/audit-log.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import type { EventPath } from '#src/storage/log/event-rows.ts'
import { findEvents } from '#src/storage/log/find-events.ts'
import { findTagByName, type StoredTag } from '#src/storage/tags/tags.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000
const MAX_PATHS = 100
/** Characters of a path. */
const MAX_SEARCH = 500

const Id = (description: string) => Type.Optional(Type.String({ maxLength: MAX_ID, description }))

export const searchAuditLog = defineOperation({
  name: 'searchAuditLog',
  summary: 'Read the audit log, newest first.',
  description:
    'Everything given must hold. Ids and event types that do not exist select nothing, and so does an empty array. A warning names event types, sources, tags, paths and ids that are none.',
  tool_description: 'Everything given must hold.',
  access: 'user',
  effect: 'read',
  rest: ['POST /api/audit-log/search', 'POST /api/audit-log'],
  tool: 'query_audit_log',
  input: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `At most this many events; default ${DEFAULT_LIMIT}, above ${MAX_LIMIT} taken as ${MAX_LIMIT}`,
          inTools: `Default ${DEFAULT_LIMIT}`,
        }),
      ),
      after: Type.Optional(GivenTime('Only after this time')),
      before: Type.Optional(GivenTime('Only before this time')),
      item_ids: Type.Optional(Ids('Only what involves one of these items')),
      tag_ids: Type.Optional(Ids('Only what involves one of these tags (ids or names)')),
      event_types: Type.Optional(
        Type.Array(Type.String({ maxLength: MAX_ID }), {
          maxItems: MAX_BULK,
          description: `Only these types: ${EVENT_TYPES.join(', ')}`,
          inTools: EVENT_TYPES.join(', '),
        }),
      ),
      change_id: Id('Only of this change'),
      change_ids: Type.Optional(Ids('Only of one of these changes')),
      user_id: Id('Only by this account'),
      source: Id('Only through this interface: rest, mcp or chat'),
      client_id: Id('Only through this key or app'),
      paths: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: MAX_SEARCH }), {
          maxItems: MAX_PATHS,
          description: 'Only what changed one of these: "Task.status", "Task", "name", "description"',
          inTools: 'What changed: Task.status, Task, name, description',
        }),
      ),
      before_event: Id('Only before this event (its id)'),
      after_event: Id('Only after this event (its id), oldest first: so the log is read whole'),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(AuditEvent),
  example: { input: { event_types: ['item_deleted', 'tag_deleted'], after: '2026-01-01', limit: 10 } },
  async run({ db }, { limit, after, before, item_ids, tag_ids, event_types, paths, change_ids, ...given }) {
    const problems: Problem[] = []
    const moment = (path: string, text: string | undefined): IsoTime | undefined => {
      const found = text === undefined ? undefined : parseIsoTime(text)
      if (found === null) problems.push({ path, message: `expected an ISO 8601 date or date-time` })
      return found ?? undefined
    }
    const event = (path: 'before_event' | 'after_event') => {
      const found = given[path] === undefined ? undefined : parseUlid(given[path])
      if (found === null) problems.push({ path, message: 'expected the id of an event' })
      return found ?? undefined
    }
    const bounds = {
      before_event: event('before_event'),
      after_event: event('after_event'),
      after: moment('after', after),
      before: moment('before', before),
    }
    if (problems.length) throw invalid(problems)
    const { user_id, change_id, source, client_id } = given
    const unknown = new UnknownWords()
    unknown.check('event_types', event_types ?? [], 'event type', EVENT_TYPES)
    unknown.checkSource(source)
    unknown.checkId('user_id', user_id, 'account')
    unknown.checkId('change_id', change_id, 'change')
    unknown.checkIds('change_ids', change_ids ?? [], 'change')
    unknown.checkIds('item_ids', item_ids ?? [], 'item')
    const { texts, next } = await findEvents(db, {
      ...bounds,
      limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT),
      item_ids: item_ids && idsAmong(item_ids),
      tag_ids:
        tag_ids && (await tagIdsOf(db, tag_ids, (i) => unknown.add(`tag_ids[${i}]`, tag_ids[i]!, 'tag'))),
      event_types,
      source,
      client_id: client_id && canonicalId(client_id),
      user_id: user_id && canonicalId(user_id),
      change_id: change_id && canonicalId(change_id),
      change_ids: change_ids && idsAmong(change_ids),
      paths: paths && (await pathsOf(db, paths, unknown)),
    })
    const next_in = bounds.after_event === undefined ? 'before_event' : 'after_event'
    const { warnings } = unknown
    return new Reply(`[${texts.join(',')}]`, { ...(next !== undefined && { next, next_in }), warnings })
  },
})

/** What is none, or is not called so any more, selects nothing. */
async function pathsOf(db: Db, paths: readonly string[], unknown: UnknownWords): Promise<EventPath[]> {
  const found: EventPath[] = []
  for (const [i, path] of paths.entries()) {
    if (path === 'name' || path === 'description') {
      found.push({ tag_id: null, field: path })
      continue
    }
    // Names of tags may hold dots, those of fields none: `A.b` is a tag, and a field of another.
    const whole = await findTagByName(db, path)
    const dot = path.lastIndexOf('.')
    const tag = dot < 0 ? undefined : await findTagByName(db, path.slice(0, dot))
    const field = path.slice(dot + 1)
    if (whole) found.push({ tag_id: whole.tag_id, field: null })
    if (tag) found.push({ tag_id: tag.tag_id, field })
    if (!whole && !(tag && (await hasHad(db, tag, field)))) unknown.add(`paths[${i}]`, path, 'tag or field')
  }
  return found
}

/** Also a field that left the schema: the log goes on naming it. Not a name that a rename took, or gave for a while. */
async function hasHad(db: Db, { tag_id, schema, rows }: StoredTag, field: string): Promise<boolean> {
  if (schema.has(field) || !rows.has(field)) return schema.has(field)
  const renames = await renamesOf(db, [tag_id])
  const names = new Set(renames.flatMap((each) => [...each.renames.fields].flat()))
  return !names.has(field) || [...renamesAfter(renames, '').fields.values()].includes(field)
}
