import { conflict, invalid, type Problem } from '#src/domain/errors.ts'
import { jsonUpTo, MAX_KEPT_FILTER } from '#src/domain/up-to.ts'
import type { StoredLimit, Limit } from '#src/domain/limit.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { namedFields } from '#src/filter/meaning/named-fields.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { limitBytesOf } from '#src/storage/accounts/limits.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, missingTag } from '#src/storage/tags/tags.ts'

const MAX_TAGS = 100
/** Of the limits of an account's keys and apps: they are listed together, and written again where a field is renamed. */
const MAX_BYTES = 4 * 2 ** 20
/** Of a filter that the security log repeats. */
const MAX_LOGGED = 64 * 1024

/** What a key or an app is to see, as it was given: tags by id or name. */
export interface GivenLimit {
  tag_ids?: readonly string[]
  filter?: Record<string, unknown>
}

/**
 * As it is stored, and what can never match in its filter.
 * @throws BadRequest with every fault, Conflict where the account has no room for it
 */
export async function keptLimit(
  context: SqlContext,
  { tag_ids, filter }: GivenLimit,
  user_id: Ulid,
): Promise<{ limited_to: string; warnings: readonly string[] }> {
  const path = 'limit'
  if (!tag_ids && !filter) throw invalid([{ path, message: 'needs tag_ids or a filter' }])
  const kept = filter && (await keptFilter(context, filter, `${path}.filter`))
  const limit: StoredLimit = {
    ...(tag_ids && { tag_ids: await liveTags(context, tag_ids, path) }),
    ...kept?.stored,
  }
  const json = jsonUpTo(limit, path, MAX_KEPT_FILTER)
  if ((await limitBytesOf(context.db, user_id)) + Buffer.byteLength(json) > MAX_BYTES)
    throw conflict(`The limits of an account's keys and apps take at most ${MAX_BYTES} bytes together`, {
      suggestion: 'Give it a shorter filter, or one by tag_ids, or end another key or app that has a limit',
    })
  return { limited_to: json, warnings: kept?.warnings ?? [] }
}

/** For the security log, which has a long filter by its length. */
export function loggedLimit({ filter, ...limit }: Limit): Limit & { filter_bytes?: number } {
  if (!filter) return limit
  const filter_bytes = Buffer.byteLength(JSON.stringify(filter))
  return filter_bytes > MAX_LOGGED ? { ...limit, filter_bytes } : { ...limit, filter }
}

async function liveTags({ db }: SqlContext, given: readonly string[], path: string): Promise<Ulid[]> {
  if (given.length < 1 || given.length > MAX_TAGS)
    throw invalid([{ path: `${path}.tag_ids`, message: `expected 1 to ${MAX_TAGS} tags` }])
  const ids = new Set<Ulid>()
  const problems: Problem[] = []
  for (const [i, text] of given.entries()) {
    const tag = await findTag(db, text)
    if (tag) ids.add(tag.tag_id)
    else problems.push({ path: `${path}.tag_ids[${i}]`, message: (await missingTag(db, text)).message })
  }
  if (problems.length) throw invalid(problems, { suggestion: 'List the tags with GET /api/tags' })
  return [...ids]
}

/** A field that is not there would show nothing. */
async function keptFilter(context: SqlContext, given: Record<string, unknown>, path: string) {
  const { filter, warnings } = await readFilter(given, tagCatalog(context), path)
  const named = namedFields(filter)
  const gone = named.filter(({ type }) => type === '')
  if (gone.length)
    throw invalid(gone.map((field) => ({ path, message: `there is no field '${field.path}'` })))
  return { stored: { filter: resolvedFilter(filter), types: named.map(({ type }) => type) }, warnings }
}
