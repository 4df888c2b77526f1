import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '#src/domain/errors.ts'
import type { Precondition } from '#src/domain/precondition.ts'

/** RFC 9110 §8.8.3: an opaque text in quotes; `W/` marks a weak one, which If-Match never takes for the same. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/
/** More states than a change can be meant for. */
const MAX_TAGS = 100

/** What stands between the time of a view and what its reader watches of it. */
const WATCHED = '+'

/**
 * The entity tag of an answer: the last `updated_at` of its JSON is the entity's own. Of a view what its reader watches
 * follows, which is no change of the view: `"2026-01-31T09:30:00.000Z+enter+leave"`.
 */
export function entityTag(json: string, isView: boolean): string | undefined {
  const KEY = '"updated_at":"'
  const at = json.lastIndexOf(KEY)
  if (at < 0) return undefined
  const from = at + KEY.length
  const time = json.slice(from, json.indexOf('"', from))
  const { watch = {} } = isView ? (JSON.parse(json) as { watch?: Record<string, boolean> }) : {}
  return `"${[time, ...Object.keys(watch).filter((each) => watch[each])].join(WATCHED)}"`
}

/** The `updated_at` that an entity tag of ours names. */
export const timeOf = (tag: string): string => tag.replaceAll('"', '').split(WATCHED, 1)[0]!

/** If-None-Match (RFC 9110 §13.1.2) names this state: the client has it already. */
export function isKnown(headers: IncomingHttpHeaders, tag: string): boolean {
  const given = headers['if-none-match']
  if (given === undefined) return false
  return given.trim() === '*' || listed(given).some((each) => each.replace(/^W\//, '') === tag)
}

/**
 * If-Match (RFC 9110 §13.1.1) as the states that a change may find.
 * @throws BadRequest where it is no list of entity tags
 */
export function ifMatch(headers: IncomingHttpHeaders): Precondition | undefined {
  const given = headers['if-match']
  if (given === undefined) return undefined
  if (given.trim() === '*') return '*'
  const tags = listed(given).map((each) => ENTITY_TAG.exec(each))
  if (!tags.length || tags.length > MAX_TAGS || tags.includes(null))
    throw invalid([{ path: 'If-Match', message: 'expected the ETag of an answer, in its quotes, or *' }])
  return tags.flatMap((match) => (match![1] ? [] : [timeOf(match![2]!)]))
}

const listed = (header: string) =>
  header
    .split(',', MAX_TAGS + 1)
    .map((each) => each.trim())
    .filter(Boolean)
