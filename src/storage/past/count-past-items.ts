import type { ThrowIfEnded } from '#src/domain/pattern.ts'
import { isReference } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { type Around, itemHolds } from '#src/storage/live/item-holds.ts'
import { LookedAt } from '#src/storage/live/looked-at.ts'
import { goesByUpdate, namedTags } from '#src/storage/past/named-tags.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'
import { parsedValues, type WholeItem } from '#src/storage/past/replay-items.ts'
import { readyFor } from '#src/storage/past/split-plan.ts'
import { countMatching, matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import { throwIfEnded } from '#src/storage/search/matching-time.ts'
import { findTagByName, tagNames } from '#src/storage/tags/tags.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'

/** What an item decides by itself. */
const BY_ITSELF = new Set(['and', 'or', 'not', 'has_tag', 'tagged', 'text', 'id', 'field', 'always', 'never'])

/** Whether a plan is about nothing but the items themselves. */
export const isByItself = (plan: FilterPlan): boolean =>
  nodesOf(plan).every(
    (node) => BY_ITSELF.has(node.kind) && !(node.kind === 'field' && node.test.test === 'dangling'),
  )

/** Whether such a plan can be asked of items in memory, as they are and as they were. */
export const isAskedInMemory = (past: PastBase, plan: FilterPlan): boolean =>
  isByItself(plan) &&
  !namedTags(past, plan).size &&
  !goesByUpdate(plan) &&
  !nodesOf(plan).some((node) => node.kind === 'field' && isReference(node.field.type))

/**
 * How many items satisfied a plan: those that do now, and how many more of the touched ones did than do. The latter are
 * looked at one by one, in memory, sooner than they are written where a search could find them.
 */
export async function countPastItems(base: Db, past: PastBase, plan: FilterPlan): Promise<number> {
  const { more, written } = await past.difference(base, await testOf(base, past, plan))
  const now = (await countMatching(base, { ...plan })) + more
  if (!written.length) return now
  await readyFor(base, past, plan, {})
  const then = await matchingItems(past.db, { ...plan })
  return now + then.length - (await matchingAmong(base, { ...plan }, written)).length
}

/** Nothing else is asked. */
const ALONE: Omit<Around, 'inText'> = {
  living: () => undefined,
  referring: () => [],
  changed: () => false,
  text_fields: [],
}

async function testOf(base: Db, past: PastBase, plan: FilterPlan): Promise<(item: WholeItem) => boolean> {
  const asked = new Set(nodesOf(plan).flatMap((node) => (node.kind === 'field' ? node.field.id : [])))
  const tags = new Map<Ulid, IndexedTag>()
  for (const db of [base, past.db])
    for (const name of await tagNames(db)) {
      const { tag_id, id, rows } = (await findTagByName(db, name))!
      tags.set(tag_id, { id, rows: new Map([...rows].filter(([, field]) => asked.has(field.id))) })
    }
  const around = {
    ...ALONE,
    inText: (look: (end: ThrowIfEnded) => boolean) => look(() => throwIfEnded(base)),
  }
  return (item) => {
    const applied = [...item.tags].flatMap(([tag_id, { values }]) => {
      const tag = tags.get(tag_id)
      return tag ? { item: item.id, tag, values: tag.rows.size ? parsedValues(values) : {} } : []
    })
    const stored = { ...item, alive: true, tags: new Map<Ulid, never>() }
    return itemHolds(plan, new LookedAt(stored, applied, new Map()), around)
  }
}
