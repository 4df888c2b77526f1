import { isOpen, stemOf } from '#src/domain/words.ts'
import { mapLeaves, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { AnyPlan, FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import { findAny, maskOf, MOST_WORDS } from '#src/storage/words/find-any.ts'
import { type ItemWords, wordsOfItems } from '#src/storage/words/item-words.ts'
import { firstFrom } from '#src/storage/words/word-hits.ts'
import { readWordIndex } from '#src/storage/words/word-index.ts'

export const isAny = (plan: FilterPlan): plan is AnyPlan => plan.kind === 'any'

/** More items than these are looked up in the index; the words of fewer are read from their texts. */
const FEW = 100

/**
 * The plan with the items in place of every search for any of some words, on the snapshot of the call. `among`: only
 * these items (row ids) are asked about; `as_folded`: what an upgrade has left to do is not waited for.
 */
export async function settleAny(
  db: Db,
  plan: FilterPlan,
  { among, as_folded = false }: { among?: readonly number[]; as_folded?: boolean } = {},
): Promise<FilterPlan> {
  const leaves = nodesOf(plan).filter(isAny)
  if (!leaves.length) return plan
  const few = among && among.length <= FEW
  const found = new Map(few ? await amongFew(db, leaves, among) : await amongAll(db, leaves, !as_folded))
  return mapLeaves(plan, (leaf) => (isAny(leaf) ? these(found.get(leaf)!) : leaf))
}

/** The search with those words alone of each text that count, because they are the rarest. */
export async function wordsThatCount(db: Db, leaf: AnyPlan): Promise<AnyPlan> {
  if (leaf.texts.every((words) => words.length <= MOST_WORDS)) return leaf
  if (sightOf(db)) return { ...leaf, texts: leaf.texts.map((words) => words.slice(0, MOST_WORDS)) }
  const { havings } = await findAny(db, await readWordIndex(db, { whole: true }), leaf)
  return { ...leaf, texts: leaf.texts.map((words, i) => havings[i]!.map(([at]) => words[at]!)) }
}

export const these = (items: readonly number[]): FilterPlan =>
  items.length ? { kind: 'items', items } : { kind: 'never' }

async function amongFew(
  db: Db,
  leaves: readonly AnyPlan[],
  among: readonly number[],
): Promise<[AnyPlan, number[]][]> {
  const words = await wordsOfItems(db, among)
  const found: [AnyPlan, number[]][] = []
  for (const leaf of leaves) {
    const counting = await wordsThatCount(db, leaf)
    found.push([leaf, [...words].flatMap(([item, own]) => (hasAny(own, counting) ? [item] : []))])
  }
  return found
}

async function amongAll(db: Db, leaves: readonly AnyPlan[], whole: boolean): Promise<[AnyPlan, number[]][]> {
  const index = await readWordIndex(db, { whole })
  const found: [AnyPlan, number[]][] = []
  for (const leaf of leaves) {
    const { scored } = await findAny(db, index, leaf)
    found.push([leaf, [...scored.items]])
  }
  return found
}

/** Whether an item by its words has one that is looked for; of texts of which all words count. */
export function hasAny(own: ItemWords, { texts, places, stands_for }: AnyPlan): boolean {
  const mask = maskOf({ places })
  return texts.some((words) =>
    words.some(({ stem }) => (stands_for?.get(stem) ?? [stem]).some((each) => hasStem(own, each, mask))),
  )
}

function hasStem({ keys, counts }: ItemWords, stem: string, mask: number): boolean {
  const open = isOpen(stem)
  for (let at = firstFrom(keys, stem); at < keys.length; at++) {
    const key = keys[at]!
    if (open ? !key.startsWith(stem) : key !== stem) return false
    // The last character of a longer one may go on: a vowel sign of Devanagari makes it another.
    if (counts[at]! & mask && stemOf(key) === stem) return true
  }
  return false
}
