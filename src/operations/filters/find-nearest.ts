import type { Ulid } from '#src/domain/ulid.ts'
import { textsOf } from '#src/filter/language/search-form.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { soughtIn } from '#src/domain/words.ts'
import { readAsked } from '#src/operations/views/narrowed-view.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { itemHeads } from '#src/storage/items/items.ts'
import { markedBy, snippetsOf } from '#src/storage/search/item-snippets.ts'
import { RankedSearch, rankedSearches } from '#src/storage/search/ranked-search.ts'
import { BY_SCORE } from '#src/storage/search/search-order.ts'
import { withinSight } from '#src/storage/sight/sight.ts'
import { correctWords } from '#src/storage/words/stands-for.ts'

interface NearestInput {
  filter?: Record<string, unknown>
  view_id?: string
  time_zone?: string
}

/** An item that a search would have found with any of its words. */
export interface Nearest {
  item_id: Ulid
  name: string
  snippet: unknown
}

const MOST = 3

/** What a filter that finds nothing would find if any of the words of its searches were enough: the best. */
export const findNearest = defineStep<NearestInput, Nearest[]>({
  name: 'findNearest',
  effect: 'read',
  async run(context, { filter: own, view_id }) {
    const { db } = context
    const asked = await readAsked(context, own, view_id)
    if (!asked) return []
    const { filter, planOf } = asked
    const loose = withAny(filter)
    if (loose === filter) return []
    const { plan } = await correctWords(db, planOf(loose))
    if (!rankedSearches(plan).length) return []
    const search = { plan: withinSight(db, plan), order: BY_SCORE, after: undefined, wanted: MOST }
    const ids = await (await RankedSearch.of(db, search)).page(MOST)
    const heads = new Map((await itemHeads(db, ids)).map((head) => [head.id, head]))
    const snippets = await snippetsOf(db, markedBy(plan), ids)
    return ids.flatMap((id) => {
      const head = heads.get(id)
      const snippet = JSON.parse(snippets.get(id) ?? 'null') as unknown
      return head ? [{ item_id: head.item_id, name: head.name, snippet }] : []
    })
  },
})

/** The filter with `any` in its searches by phrase or words, outside of `not`; itself where it has none. */
function withAny(filter: BoundFilter): BoundFilter {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const children = filter.children.map(withAny)
    const isSame = children.every((each, i) => each === filter.children[i])
    return isSame ? filter : { ...filter, children }
  }
  if (filter.kind !== 'search' || filter.match === 'any') return filter
  const texts = textsOf(filter).filter((text) => soughtIn(foldForSearch(text)).length)
  return texts.length ? { ...filter, text: texts, match: 'any' } : filter
}
