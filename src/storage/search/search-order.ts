import type { Caller } from '#src/domain/caller.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { isMany } from '#src/domain/field-schema.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { soughtBy } from '#src/filter/meaning/plan-search.ts'
import type { Relevance } from '#src/storage/search/relevance.ts'
import { nearest } from '#src/domain/nearest.ts'
import { bindFieldReference } from '#src/filter/meaning/bind-filter.ts'
import { noSuchField } from '#src/filter/meaning/bound-field.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** A key that an index has: a column that every item has, or a field. */
export type IndexedKey = (
  | { readonly column: OrderColumn; readonly field?: undefined }
  | { readonly column?: undefined; readonly field: BoundField }
) & { readonly tier?: undefined; readonly descending: boolean }

/** One key of an order: what an index has, or the tier of relevance, best first. */
export type OrderKey =
  | IndexedKey
  | {
      readonly tier: Relevance
      readonly column?: undefined
      readonly field?: undefined
      readonly descending: false
    }

export const ITEM_COLUMNS = ['created_at', 'updated_at', 'name'] as const
export type ItemColumn = (typeof ITEM_COLUMNS)[number]
export type OrderColumn = ItemColumn | 'name_length'

/** In what order a search answers: by its keys, what has no value last; ties, and all without keys, by row id. */
export interface SearchOrder {
  readonly keys: readonly OrderKey[]
  /** The tiers of these texts come before the keys. */
  readonly relevance?: Relevance | undefined
  /** By the scores of the searches for any of some words: so many of the keys come before them, the others are those of equals. */
  readonly by_score?: number | undefined
  /** Of the ties: the direction of the last key. */
  readonly descending: boolean
}

export const OLDEST_FIRST: SearchOrder = { keys: [], descending: false }

/** A sort key that is no column and no field. */
export const RELEVANCE = 'relevance'
const SHORTEST_THEN_NEWEST: readonly OrderKey[] = [
  { column: 'name_length', descending: false },
  { column: 'updated_at', descending: true },
]

export const BY_SCORE: SearchOrder = { keys: SHORTEST_THEN_NEWEST, by_score: 0, descending: true }

/** The order within a tier of relevance, which an index has. */
export const isByRank = ({ keys }: SearchOrder): boolean => keys === SHORTEST_THEN_NEWEST

/** The scores come first, and equals are those of a search that asks for no order. */
export const isByScoreAlone = ({ keys, by_score }: SearchOrder): boolean =>
  by_score === 0 && keys === SHORTEST_THEN_NEWEST

interface SortKey {
  by: string
  direction?: 'asc' | 'desc'
}

/**
 * The order that `sort` asks for, its names resolved.
 * @throws BadRequest with every fault
 */
export async function bindSort(
  sort: readonly SortKey[],
  catalog: TagCatalog,
  filter?: BoundFilter,
): Promise<SearchOrder> {
  const ranked = sort.findIndex(({ by }) => by === RELEVANCE)
  const scored = ranked >= 0 && filter && ranksItems(filter) ? ranked : undefined
  const relevance = ranked >= 0 && scored === undefined ? relevanceAt(ranked, filter) : undefined
  const problems: Problem[] = []
  const keys: OrderKey[] = []
  for (const [i, { by, direction }] of sort.entries()) {
    const path = `sort[${i}].by`
    const descending = direction === 'desc'
    if (by === RELEVANCE) {
      if (i !== ranked) problems.push({ path, message: `'relevance' is a sort key once` })
      else if (relevance && ranked > 0) keys.push({ tier: relevance, descending: false })
    } else if (isItemColumn(by)) keys.push({ column: by, descending })
    else {
      const field = await sortField(by, path, catalog)
      if ('message' in field) problems.push(field)
      else keys.push({ field, descending })
    }
  }
  if (problems.length) throw invalid(problems)
  const order = { ...(scored !== undefined && { by_score: scored }), ...(ranked === 0 && { relevance }) }
  if (ranked !== sort.length - 1 || ranked < 0)
    return { ...order, keys, descending: keys.at(-1)?.descending ?? false }
  // What is equal in relevance, the last key, has an order of its own.
  return {
    ...order,
    keys: keys.length ? [...keys, ...SHORTEST_THEN_NEWEST] : SHORTEST_THEN_NEWEST,
    descending: true,
  }
}

/** @throws BadRequest where nothing is looked for */
function relevanceAt(ranked: number, filter: BoundFilter | undefined): Relevance {
  const relevance = filter && soughtIn(filter)
  if (!relevance)
    throw invalid([
      { path: `sort[${ranked}].by`, message: `'relevance' needs a 'search' in the filter, outside of 'not'` },
    ])
  return relevance
}

const NEWEST: SearchOrder = { keys: [{ column: 'created_at', descending: true }], descending: true }

/** The order of what a filter finds where none is asked for; tools have the newest first (additions §7). */
export function usualOrder(filter: BoundFilter | undefined, { source }: Pick<Caller, 'source'>): SearchOrder {
  if (filter && ranksItems(filter)) return BY_SCORE
  return source === 'rest' ? OLDEST_FIRST : NEWEST
}

/** Whether a search for any of some words is in it, outside of `not`. */
function ranksItems(filter: BoundFilter): boolean {
  if (filter.kind === 'search') return filter.match === 'any'
  return (filter.kind === 'and' || filter.kind === 'or') && filter.children.some(ranksItems)
}

/** What the searches outside of `not` look for; undefined where there are none. */
function soughtIn(filter: BoundFilter): Relevance | undefined {
  if (filter.kind === 'search') return [soughtBy(filter, foldForSearch)]
  if (filter.kind !== 'and' && filter.kind !== 'or') return undefined
  const found = filter.children.flatMap((each) => soughtIn(each) ?? [])
  return found.length ? found : undefined
}

const isItemColumn = (by: string): by is ItemColumn => (ITEM_COLUMNS as readonly string[]).includes(by)

async function sortField(by: string, path: string, catalog: TagCatalog): Promise<BoundField | Problem> {
  if (!by.includes('.')) {
    const meant = nearest(by, [...ITEM_COLUMNS, RELEVANCE])
    const hint = meant
      ? `did you mean '${meant}'?`
      : `expected ${[...ITEM_COLUMNS, RELEVANCE].join(', ')} or <Tag>.<field>`
    return { path, message: `cannot sort by '${by}'; ${hint}` }
  }
  const reference = await bindFieldReference(by, path, catalog)
  if ('message' in reference) return reference
  const { field } = reference
  if (!field) return { path, message: noSuchField(reference) }
  if (isMany(field.type))
    return {
      path,
      message: `cannot sort by '${by}': a ${field.type} holds several values, which have no order`,
    }
  return field
}
