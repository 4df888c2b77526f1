import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { type GroupKey, hasItemKeys, pathsOfKey } from '#src/storage/aggregate/group-key.ts'
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
  /** Undefined where keys are sorted by what they are. */
  rank?: (raw: RawKey) => string | number | null
  /** Keys that are deleted items; purged ones, which have no name, are not among them. */
  deleted: number
}

/** What is behind the keys of one dimension. */
export async function keyWords(
  db: Db,
  key: GroupKey,
  at: number,
  groups: readonly Group[],
): Promise<KeyWords> {
  const ids = () => [...new Set(groups.flatMap(({ keys }) => keys[at] ?? []))] as number[]
  if (key.source.kind === 'has_tag') return named(await tagNames(db, ids()))
  if (hasItemKeys(key)) return namedItems(db, ids())
  const fields = pathsOfKey(key).flatMap((path) => (path.kind === 'field' ? [path.field] : []))
  if (fields.some(({ type }) => type === 'Boolean'))
    return { ...plain, answer: (raw) => (raw === null ? null : raw === 1) }
  const variants = new Set(fields.flatMap((field) => field.variants))
  if (variants.size) {
    const positions = new Map<RawKey, number>([...variants].map((variant, i) => [variant, i]))
    // What the schema has no longer comes after what it has.
    return { ...plain, rank: (raw) => positions.get(raw) ?? raw }
  }
  return plain
}

const plain: KeyWords = { answer: (raw) => raw, deleted: 0 }

const named = (
  names: ReadonlyMap<number, Exclude<AnsweredKey, string | number | boolean | null>>,
): KeyWords => ({
  answer: (raw) => (raw === null ? null : (names.get(Number(raw)) ?? null)),
  rank: (raw) => (raw === null ? null : (names.get(Number(raw))?.name ?? '')),
  deleted: 0,
})

async function namedItems(db: Db, ids: readonly number[]): Promise<KeyWords> {
  const names = await itemNames(db, ids)
  const deleted = [...names.values()].filter((each) => each.deleted && each.name !== null).length
  return {
    ...named(new Map(Array.from(names, ([id, { item_id, name }]) => [id, { item_id, name }]))),
    deleted,
  }
}

async function tagNames(db: Db, ids: readonly number[]) {
  const names = new Map<number, { tag_id: Ulid; name: string }>()
  for (const id of ids) {
    const tag = await findTagByRow(db, id)
    if (tag) names.set(id, { tag_id: tag.tag_id, name: tag.name })
  }
  return names
}
