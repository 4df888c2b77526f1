import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import { isReference } from '#src/domain/field-schema.ts'
import type { Group, RawKey } from '#src/storage/aggregate/groups.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/** A key as it is answered. */
export type AnsweredKey =
  | string
  | number
  | boolean
  | null
  | { item_id: Ulid; name: string | null }
  | { tag_id: Ulid; name: string }

/** How a key is answered, and what it is sorted by: numbers before texts, nothing last. */
export interface KeyWords {
  answer(raw: RawKey): AnsweredKey
  rank(raw: RawKey): string | number | null
}

const itemRows = query((p: { ids: string }, sql, { integers }) =>
  sql.selectFrom('item').select(['id', 'item_id', 'name']).where('id', 'in', integers(p.ids)),
)
const purgedRows = query((p: { ids: string }, sql, { integers }) =>
  sql.selectFrom('purged_item').select(['id', 'item_id']).where('id', 'in', integers(p.ids)),
)

/** What stands behind the keys of one dimension. */
export async function keyWords(
  db: Db,
  { source, form }: GroupKey,
  at: number,
  groups: readonly Group[],
): Promise<KeyWords> {
  const ids = () => [...new Set(groups.flatMap(({ keys }) => keys[at] ?? []))] as number[]
  if (source.kind === 'has_tag') return named(await tagNames(db, ids()))
  if (source.kind !== 'field') return plain
  const { field } = source
  if (isReference(field.type)) return named(await itemNames(db, ids()))
  if (field.type === 'Boolean')
    return { answer: (raw) => (raw === null ? null : raw === 1), rank: (raw) => raw }
  if (form.as === 'width')
    return { answer: (raw) => (raw === null ? null : Number(raw) * form.width), rank: (raw) => raw }
  if (field.type === 'Select' || field.type === 'MultiSelect') {
    const positions = new Map<RawKey, number>(field.variants.map((variant, i) => [variant, i]))
    // What the schema has no longer comes after what it has.
    return { answer: (raw) => raw, rank: (raw) => positions.get(raw) ?? raw }
  }
  return plain
}

const plain: KeyWords = { answer: (raw) => raw, rank: (raw) => raw }

const named = (
  names: ReadonlyMap<number, Exclude<AnsweredKey, string | number | boolean | null>>,
): KeyWords => ({
  answer: (raw) => (raw === null ? null : (names.get(Number(raw)) ?? null)),
  rank: (raw) => (raw === null ? null : (names.get(Number(raw))?.name ?? '')),
})

/** A purged item has no name any more. */
async function itemNames(db: Db, ids: readonly number[]) {
  const names = new Map<number, { item_id: Ulid; name: string | null }>()
  for (const { id, item_id, name } of await db.all(itemRows, { ids: JSON.stringify(ids) }))
    names.set(id, { item_id, name })
  const missing = ids.filter((id) => !names.has(id))
  if (missing.length)
    for (const { id, item_id } of await db.all(purgedRows, { ids: JSON.stringify(missing) }))
      names.set(id, { item_id, name: null })
  return names
}

async function tagNames(db: Db, ids: readonly number[]) {
  const names = new Map<number, { tag_id: Ulid; name: string }>()
  for (const id of ids) {
    const tag = await findTagByRow(db, id)
    if (tag) names.set(id, { tag_id: tag.tag_id, name: tag.name })
  }
  return names
}
