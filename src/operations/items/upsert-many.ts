import { invalid, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { type MatchKey, positionOfTag, readKeyValue, readMatchKey } from '#src/operations/items/match-key.ts'
import { upsert, type Upsert, type Upserted } from '#src/operations/items/upsert.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewItem } from '#src/operations/schemas/inputs.ts'

/**
 * As `upsert`; each element has the key among its own values.
 * @throws BadRequest with every fault
 */
export async function upsertMany(
  context: SqlContext,
  match_by: string,
  items: readonly (string | NewItem)[],
): Promise<Upserted[]> {
  const key = await readMatchKey(context, match_by, 'match_by')
  if ('message' in key) throw invalid([key])
  const problems: Problem[] = []
  const given: Upsert[] = []
  for (const [index, element] of items.entries()) {
    const item = typeof element === 'string' ? { name: element } : element
    const path = `items[${index}].`
    const { at, value } = await ownKey(context, key, item)
    const read = readKeyValue(key, value, path + at)
    problems.push(...read.problems)
    if (problems.length > MAX_PROBLEMS) break
    given.push({ ...item, key: read.value, path })
  }
  if (problems.length) throw invalid(problems)
  return upsert(context, key, given)
}

async function ownKey(
  { db }: SqlContext,
  key: MatchKey,
  { name, tags = [] }: NewItem,
): Promise<{ at: string; value: unknown }> {
  if (key.by === 'name') return { at: 'name', value: name }
  const position = await positionOfTag(db, tags, key.tag)
  const field_values = tags[position]?.field_values ?? {}
  const field = key.field.name
  return {
    at: position < 0 ? 'tags' : `tags[${position}].field_values.${field}`,
    value: Object.hasOwn(field_values, field) ? field_values[field] : undefined,
  }
}
