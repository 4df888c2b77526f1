import { isRecord } from '#src/domain/is-record.ts'
import { Reply } from '#src/domain/reply.ts'

/** What proves that the log is whole; a model reads nothing in it. */
const PROOF = ['hash', 'details_hash', 'details_salt']
const NAMED_IDS = ['item_id', 'tag_id', 'view_id']

/** Properties that hold what people stored, under names of their own. */
const STORED = new Set([
  'field_values',
  'details',
  'before',
  'after',
  'value',
  'old',
  'new',
  'present',
  'restored',
  'old_values',
  'new_values',
  'settings',
  'fields',
])

/** An answer without what repeats itself (further §18). */
export function leanAnswer(reply: Reply): Reply {
  const answer = JSON.parse(reply.json) as unknown
  return takeRepeated(answer) ? new Reply(JSON.stringify(answer), reply.meta) : reply
}

/** Takes it out of the answer itself. @returns whether there was any */
function takeRepeated(value: unknown): boolean {
  if (Array.isArray(value)) return value.map(takeRepeated).includes(true)
  if (!isRecord(value)) return false
  const names = repeatedIn(value)
  for (const name of names) delete value[name]
  const inside = Object.entries(value).map(([name, each]) => !STORED.has(name) && takeRepeated(each))
  return names.length > 0 || inside.includes(true)
}

function repeatedIn(value: Record<string, unknown>): string[] {
  const { id, metrics } = value
  const isEvent = Object.hasOwn(value, 'event_id')
  const isNamed = id !== undefined && NAMED_IDS.some((name) => value[name] === id)
  const isEmpty = Array.isArray(metrics) && !metrics.length
  return [
    ...(isEvent ? PROOF.filter((name) => Object.hasOwn(value, name)) : []),
    ...(isNamed ? ['id'] : []),
    ...(isEmpty ? ['metrics'] : []),
  ]
}
