import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import type { FilterPlan, SearchPart } from '#src/filter/meaning/plan.ts'
import type { Sought } from '#src/filter/meaning/plan-search.ts'
import { BEFORE_WORDS } from '#src/filter/sql/search-probe.ts'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'

/** From the whole name down to the description; the last tier has what is found elsewhere (decision 23). */
const TIERS = [1, 2, 3, 4, 5, 6] as const
export type Tier = (typeof TIERS)[number]

const NAME_PARTS: readonly SearchPart[] = ['whole_name', 'name_start', 'word_start', 'name']
const ELSEWHERE = 6

/**
 * What an item's tier is worked out by: of all searches the worst place counts, of the alternatives of one the best,
 * of all texts of an alternative again the worst.
 */
export type Relevance = readonly (readonly (readonly Sought[])[])[]

/** The tiers that items of a plan may be in: the last one only where a search may be satisfied elsewhere. */
export function tiersOf(relevance: Relevance, plan: FilterPlan): readonly Tier[] {
  const parts = conjunctsOf(plan)
  const isSure = relevance.every(
    ([only, ...others]) =>
      !others.length && only?.every(({ text }) => parts.some((each) => isSearch(each) && each.text === text)),
  )
  return isSure ? TIERS.slice(0, -1) : TIERS
}

/** True of the items of a tier, among those that the searches find; undefined where it has none. */
export function tierPlan(relevance: Relevance, tier: Tier): FilterPlan | undefined {
  const reached = upTo(relevance, tier)
  const better = tier === 1 ? undefined : upTo(relevance, (tier - 1) as Tier)
  if (!reached || !better) return reached
  return { kind: 'and', children: [...conjunctsOf(without(reached, better)), { kind: 'not', child: better }] }
}

/** Of alternatives, what is left to say of an item that the better tiers do not have: each looks at a text. */
function without(reached: FilterPlan, better: FilterPlan): FilterPlan {
  if (reached.kind !== 'or') return reached
  const known = (better.kind === 'or' ? better.children : [better]).filter(isSearch)
  const left = reached.children.filter(
    (each) => !isSearch(each) || !known.some(({ text, part }) => text === each.text && part === each.part),
  )
  return left.length > 1 ? { kind: 'or', children: left } : (left[0] ?? reached)
}

type Search = Extract<FilterPlan, { kind: 'search' }>
const isSearch = (plan: FilterPlan): plan is Search => plan.kind === 'search'

/** True of the items of which every text is in this tier or a better one; undefined where none can. */
function upTo(relevance: Relevance, tier: Tier): FilterPlan | undefined {
  if (tier === ELSEWHERE) return { kind: 'always' }
  const children: FilterPlan[] = []
  for (const alternatives of relevance) {
    const reached = alternatives.flatMap((sought) => upToAll(sought, tier) ?? [])
    if (!reached.length) return undefined
    children.push(
      ...(reached.length > 1
        ? [
            joined(
              'or',
              reached.map((all) => joined('and', all)),
            ),
          ]
        : reached[0]!),
    )
  }
  return joined('and', children)
}

const joined = (kind: 'and' | 'or', children: readonly FilterPlan[]): FilterPlan =>
  children.length > 1 ? { kind, children } : (children[0] ?? { kind: 'always' })

/** What is true of the items that have all of the texts in this tier or a better one; undefined where none can. */
function upToAll(sought: readonly Sought[], tier: Tier): FilterPlan[][] | undefined {
  const children: FilterPlan[] = []
  for (const { text, places } of sought) {
    const parts = [
      ...(places.includes('name') ? NAME_PARTS.slice(0, tier) : []),
      ...(places.includes('description') && tier === 5 ? (['description'] as const) : []),
    ]
    // What is true of more includes what is true of less.
    const widest = parts.filter((part) => !parts.some((other) => part !== other && includes(other, part)))
    if (!widest.length) return undefined
    children.push(
      joined(
        'or',
        widest.map((part): FilterPlan => ({ kind: 'search', text, part })),
      ),
    )
  }
  return [children]
}

const includes = (wider: SearchPart, narrower: SearchPart): boolean =>
  (wider === 'name' && narrower !== 'description') || (wider === 'name_start' && narrower === 'whole_name')

/** Anyone who satisfies `each` has the text where `part` says. */
const implies = (each: FilterPlan, text: string, part: SearchPart | undefined): boolean =>
  each.kind === 'or'
    ? each.children.every((child) => implies(child, text, part))
    : isSearch(each) &&
      each.text === text &&
      (part === undefined || part === each.part || (each.part !== undefined && includes(part, each.part)))

/** What is true of the items of each tier and of better ones, best first; what satisfies none is in the last tier. */
export function reachedTiers(relevance: Relevance): { tier: Tier; reached: FilterPlan }[] {
  return TIERS.slice(0, -1).flatMap((tier) => {
    const reached = upTo(relevance, tier)
    return reached ? [{ tier, reached }] : []
  })
}
export const LAST_TIER: Tier = ELSEWHERE

/** A search that a place in a tier says already: looking at the same text again would take as long. */
export function isImplied(plan: FilterPlan, byTier: readonly FilterPlan[]): boolean {
  if (!isSearch(plan)) return false
  return byTier.some((each) => implies(each, plan.text, plan.part))
}

/** The tier of an item by its own texts, also of one that is deleted. */
export function tierOf(relevance: Relevance, item: { name: string; description: string | null }): number {
  const name = foldForSearch(item.name)
  const description = item.description === null ? '' : foldDescription(item.description)
  const tierOfText = ({ text, places }: Sought): number => {
    if (places.includes('name') && name.includes(text)) {
      if (name === text) return 1
      if (name.startsWith(text)) return 2
      return BEFORE_WORDS.some((before) => name.includes(before + text)) ? 3 : 4
    }
    return places.includes('description') && description.includes(text) ? 5 : ELSEWHERE
  }
  const tiers = relevance.map((alternatives) =>
    Math.min(...alternatives.map((sought) => Math.max(1, ...sought.map(tierOfText)))),
  )
  return Math.max(1, ...tiers)
}
