import { invalid, type Problem } from '#src/domain/errors.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { storedFilter } from '#src/operations/views/store-view.ts'
import { findDeletedTag, findTagById, findTagByName } from '#src/storage/tags/tags.ts'

/** Which events a webhook asks for, as it was given. */
export interface GivenChoice {
  event_types?: readonly string[] | null | undefined
  tag_ids?: readonly string[] | null | undefined
  filter?: Record<string, unknown> | null | undefined
}

/** As it is stored; what was not given is not there. */
export interface StoredChoice {
  event_types?: string | null
  tag_ids?: string | null
  filter?: string | null
}

/**
 * `old`: what the webhook asks for so far; what was read can be sent back, also when a tag in it has been purged since.
 * @throws BadRequest with every fault
 */
export async function storedChoice(
  context: SqlContext,
  { event_types, tag_ids, filter }: GivenChoice,
  old: StoredChoice = {},
): Promise<{ choice: StoredChoice; warnings: string[] }> {
  const choice: StoredChoice = {}
  const warnings: string[] = []
  if (event_types !== undefined) choice.event_types = event_types && JSON.stringify([...new Set(event_types)])
  const kept = old.tag_ids ? (JSON.parse(old.tag_ids) as Ulid[]) : []
  if (tag_ids !== undefined)
    choice.tag_ids = tag_ids && JSON.stringify(await knownTags(context, tag_ids, kept))
  if (filter === null) choice.filter = null
  else if (filter !== undefined && !(old.filter && sameJson(filter, JSON.parse(old.filter)))) {
    const stored = await storedFilter(context, filter)
    choice.filter = stored.filter
    warnings.push(...stored.warnings)
  }
  return { choice, warnings }
}

/** Deleted ones too: their events may still come. Those that are kept may be gone for good. */
async function knownTags(
  { db }: SqlContext,
  given: readonly string[],
  kept: readonly Ulid[],
): Promise<Ulid[]> {
  const ids: Ulid[] = []
  const problems: Problem[] = []
  for (const [i, text] of given.entries()) {
    const id = parseUlid(text)
    const byId = id && (kept.includes(id) || (await findTagById(db, id)) || (await findDeletedTag(db, id)))
    const tag_id = byId ? id : (await findTagByName(db, text))?.tag_id
    if (tag_id) ids.push(tag_id)
    else problems.push({ path: `tag_ids[${i}]`, message: `there is no tag '${text.slice(0, 200)}'` })
  }
  if (problems.length) throw invalid(problems, { suggestion: 'List the tags with GET /api/tags' })
  return [...new Set(ids)]
}
