import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import { isReference } from '#src/domain/field-schema.ts'
import type { Group, RawKey } from '#src/storage/aggregate/groups.ts'
import { itemNames } from '#src/storage/items/item-names.ts'
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

/** What is behind the keys of one dimension. */
export async function keyWords(
  db: Db,
  { source }: GroupKey,
  at: number,
  groups: readonly Group[],
): Promise<KeyWords> {
  const ids = () => [...new Set(groups.flatMap(({ keys }) => keys[at] ?? []))] as number[]
  if (source.kind === 'has_tag') return named(await tagNames(db, ids()))
  if (source.kind !== 'field') return plain
  const { field } = source
  if (isReference(field.type)) return named(await namesOf(db, ids()))
  if (field.type === 'Boolean')
    return { answer: (raw) => (raw === null ? null : raw === 1), rank: (raw) => raw }
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

/** As they are answered, without whether they are deleted. */
async function namesOf(db: Db, ids: readonly number[]) {
  const names = await itemNames(db, ids)
  return new Map(Array.from(names, ([id, { item_id, name }]) => [id, { item_id, name }]))
}

async function tagNames(db: Db, ids: readonly number[]) {
  const names = new Map<number, { tag_id: Ulid; name: string }>()
  for (const id of ids) {
    const tag = await findTagByRow(db, id)
    if (tag) names.set(id, { tag_id: tag.tag_id, name: tag.name })
  }
  return names
}
