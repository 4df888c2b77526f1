import { sql } from 'kysely'
import { conjunctsOf, mapLeaves } from '#src/filter/meaning/plan-nodes.ts'
import type { AnyPlan, FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'
import { countMatching, matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import {
  type RankedCursor,
  type RankedPlace,
  readRankedCursor,
  writeRankedCursor,
} from '#src/storage/search/ranked-cursor.ts'
import { RankedItems } from '#src/storage/search/ranked-items.ts'
import { isByScoreAlone, type SearchOrder } from '#src/storage/search/search-order.ts'
import { placesByKeys } from '#src/storage/search/ranked-by-keys.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { unfoldedWordsWarning } from '#src/storage/text-folding/search-unfolded.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import { type AnyWeights, findAny, type FoundAny } from '#src/storage/words/find-any.ts'
import type { Scored, Wanted } from '#src/storage/words/rank-items.ts'
import { isAny, these } from '#src/storage/words/settle-any.ts'
import { readWordIndex } from '#src/storage/words/word-index.ts'

/** So many are put in order by their scores; the others follow in the order of their creation. */
const MOST_ORDERED = 10_000
/** Of the best so many it is looked first whether they satisfy the rest of the filter. */
const PROBED = [200, 2000]

/** The searches for any of some words that make the order: those outside of `not`, in the order of the filter. */
export function rankedSearches(plan: FilterPlan): AnyPlan[] {
  if (isAny(plan)) return [plan]
  return plan.kind === 'and' || plan.kind === 'or' ? plan.children.flatMap(rankedSearches) : []
}

const nameLengths = query((p: { ids: string }, db, { integers }) =>
  db
    .selectFrom('item')
    .select(['id', sql<number>`length(name)`.as('length')])
    .where('id', 'in', integers(p.ids)),
)

/** What another base is weighed by. */
export interface RankedBy {
  readonly searches: readonly AnyPlan[]
  readonly weights: readonly AnyWeights[]
}

interface Parts {
  db: Db
  plan: FilterPlan
  order: SearchOrder
  searches: readonly AnyPlan[]
  found: ReadonlyMap<AnyPlan, FoundAny>
  cursor: RankedCursor | undefined
  warning: string | undefined
  most_ordered: number
}

/** What is asked for; `wanted`: no more than so many items of the page, and no count. */
interface RankedQuestion {
  plan: FilterPlan
  order: SearchOrder
  after: string | undefined
  wanted?: number | undefined
  by?: RankedBy | undefined
  /** How many are put in order by their scores. */
  ordered?: number | undefined
}

/** The scores that a page needs to be looked at; undefined where it may need those of all. */
function bestOf(
  wanted: number | undefined,
  cursor: RankedCursor | undefined,
  ordered: number,
): Wanted | undefined {
  if (wanted === undefined || (cursor?.rank ?? 0) + wanted > ordered) return undefined
  return { best: wanted, at_most: cursor?.place.score ?? Infinity }
}

/** Pages of the live items that satisfy a plan (of what is seen alone) in the order of their scores (additions §13). */
export class RankedSearch {
  readonly warning: string | undefined
  private readonly db: Db
  private readonly plan: FilterPlan
  private readonly order: SearchOrder
  private readonly searches: readonly AnyPlan[]
  private readonly found: ReadonlyMap<AnyPlan, FoundAny>
  private readonly cursor: RankedCursor | undefined
  private readonly mostOrdered: number
  /** The search of which every item is found that the plan finds, and what else has to be true of them. */
  private readonly main: AnyPlan | undefined
  private readonly rest: FilterPlan
  private places: RankedPlace[] = []

  private constructor({ db, plan, order, searches, found, cursor, warning, most_ordered }: Parts) {
    this.db = db
    this.plan = plan
    this.order = order
    this.searches = searches
    this.found = found
    this.cursor = cursor
    this.warning = warning
    this.mostOrdered = most_ordered
    const parts = conjunctsOf(plan)
    const sizes = parts.filter(isAny).map((each) => found.get(each)!.scored.items.length)
    this.main = parts.filter(isAny)[sizes.indexOf(Math.min(...sizes))]
    const others = parts.filter((each) => each !== this.main)
    this.rest = others.length ? { kind: 'and', children: others } : { kind: 'always' }
  }

  static async of(
    db: Db,
    { plan, order, after, wanted, by, ordered: most_ordered = MOST_ORDERED }: RankedQuestion,
  ): Promise<RankedSearch> {
    const searches = by?.searches ?? rankedSearches(plan)
    const cursor = after === undefined ? undefined : readRankedCursor(searches, after)
    const index = await readWordIndex(db, { whole: by !== undefined })
    const found = new Map<AnyPlan, FoundAny>()
    for (const [i, each] of searches.entries())
      found.set(
        each,
        await findAny(db, index, each, {
          kept: (by ?? cursor)?.weights[i],
          wanted:
            each === plan && !by && isByScoreAlone(order) ? bestOf(wanted, cursor, most_ordered) : undefined,
        }),
      )
    const warning =
      index.left && !sightOf(db)
        ? `After an upgrade the texts of up to ${index.left} items are still being prepared for 'search'; until then 'match: "any"' does not find these`
        : await unfoldedWordsWarning(db, plan)
    return new RankedSearch({ db, plan, order, searches, found, cursor, warning, most_ordered })
  }

  /** What searches are weighed by: on a later page as on the first one. */
  static async weightsOf(
    db: Db,
    searches: readonly AnyPlan[],
    after: string | undefined,
  ): Promise<readonly AnyWeights[]> {
    if (after !== undefined) return readRankedCursor(searches, after).weights
    const index = await readWordIndex(db)
    const weights: AnyWeights[] = []
    for (const each of searches) weights.push(await findAny(db, index, each))
    return weights
  }

  /** Row ids of so many items behind the cursor. */
  async page(wanted: number): Promise<number[]> {
    const { cursor } = this
    if (!isByScoreAlone(this.order)) {
      this.places = await this.byKeys(wanted)
      return this.places.map(({ item }) => item)
    }
    const rank = cursor?.rank ?? 0
    const ordered = Math.min(wanted, Math.max(0, this.mostOrdered - rank))
    this.places = ordered ? await this.ordered(ordered, cursor?.place) : []
    if (this.places.length < wanted && rank + this.places.length >= this.mostOrdered)
      this.places = [...this.places, ...(await this.others(wanted - this.places.length))]
    return this.places.map(({ item }) => item)
  }

  private async byKeys(wanted: number): Promise<RankedPlace[]> {
    const after = this.cursor?.place
    return placesByKeys(this.db, await this.scoredAmongAll(), this.order, { wanted, after })
  }

  /** The cursor behind so many items of the page. */
  async cursorAfter(taken: number): Promise<string> {
    const rank = (this.cursor?.rank ?? 0) + taken
    const place = taken ? this.places[taken - 1]! : this.cursor!.place
    const weights = this.searches.map((each) => this.found.get(each)!)
    return writeRankedCursor(this.searches, { rank, place, weights })
  }

  async count(): Promise<number> {
    if (this.main && this.rest.kind === 'always') return this.found.get(this.main)!.scored.items.length
    return countMatching(this.db, await this.settled(this.plan))
  }

  private async ordered(wanted: number, after: RankedPlace | undefined): Promise<RankedPlace[]> {
    const { main, rest } = this
    if (!main) return this.amongAll().then((items) => items.best(wanted, after))
    const items = new RankedItems(this.db, this.scoresOf(this.found.get(main)!.scored.items))
    if (rest.kind === 'always') return items.best(wanted, after)
    const settled = await this.settled(rest)
    if (settled.kind === 'never') return []
    for (const probed of PROBED) {
      if (probed < wanted) continue
      const best = await items.best(probed, after)
      const fitting = new Set(
        await matchingAmong(
          this.db,
          settled,
          best.map(({ item }) => item),
        ),
      )
      if (fitting.size >= wanted || best.length < probed)
        return best.filter(({ item }) => fitting.has(item)).slice(0, wanted)
    }
    return (await this.amongAll()).best(wanted, after)
  }

  /** All items of the plan with their scores, whatever they are found by. */
  private async amongAll(): Promise<RankedItems> {
    return new RankedItems(this.db, await this.scoredAmongAll())
  }

  private async scoredAmongAll(): Promise<Scored> {
    const all = await matchingItems(this.db, await this.settled(this.plan))
    const scored = this.scoresOf(Float64Array.from(all))
    await this.measureOthers(scored)
    return scored
  }

  /** What no search has found is equal but for its name. */
  private async measureOthers({ items, scores, name_lengths }: Scored): Promise<void> {
    const others = Array.from(items.keys()).filter((at) => !scores[at])
    if (!others.length) return
    const ids = JSON.stringify(others.map((at) => items[at]))
    const lengths = new Map((await this.db.all(nameLengths, { ids })).map(({ id, length }) => [id, length]))
    for (const at of others) name_lengths[at] = lengths.get(items[at]!) ?? 0
  }

  /** Those behind the best, in the order of their creation. */
  private async others(wanted: number): Promise<RankedPlace[]> {
    const best = await this.ordered(this.mostOrdered, undefined)
    const isBest = new Set(best.map(({ item }) => item))
    const { cursor } = this
    const after = cursor && cursor.rank > this.mostOrdered ? cursor.place.item : 0
    const all = await matchingItems(this.db, await this.settled(this.plan))
    return all
      .filter((item) => item > after && !isBest.has(item))
      .slice(0, wanted)
      .map((item) => ({ score: 0, name_length: 0, updated_at: '', item }))
  }

  /** The sums of the scores of all searches. */
  private scoresOf(items: Float64Array): Scored {
    if (this.searches.length === 1 && this.found.get(this.searches[0]!)!.scored.items === items)
      return this.found.get(this.searches[0]!)!.scored
    const positions = new Map<number, number>()
    items.forEach((item, at) => positions.set(item, at))
    const scores = new Float64Array(items.length)
    const name_lengths = new Uint16Array(items.length)
    for (const { scored } of this.found.values())
      scored.items.forEach((item, i) => {
        const at = positions.get(item)
        if (at === undefined) return
        scores[at]! += scored.scores[i]!
        name_lengths[at] = scored.name_lengths[i]!
      })
    return { items, scores, name_lengths }
  }

  /** The plan with what was found in place of the searches. */
  private async settled(plan: FilterPlan): Promise<FilterPlan> {
    const known = await mapLeaves(plan, (leaf) => {
      const scored = this.found.get(leaf as AnyPlan)?.scored
      return scored ? these([...scored.items]) : leaf
    })
    return settlePlan(this.db, known, { as_folded: true, within: true })
  }
}
