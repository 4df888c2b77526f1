import { type SqlBool, sql } from 'kysely'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { fitsColumns } from '#src/storage/columns/plan-mask.ts'
import { accessPathOf, type AccessPath } from '#src/storage/search/access-paths.ts'
import { allItems, type Candidates, type Condition } from '#src/storage/search/candidates.ts'
import { targetsSource } from '#src/storage/search/filter-source.ts'
import { countItems, isRemembered, keyOf } from '#src/storage/search/search-counts.ts'

/** Look at the nearest rows alone: of what many items satisfy a page is full after a few. It may not become full. */
export interface FirstRows {
  readonly kind: 'first_rows'
  readonly candidates: Candidates
  /** By which it is remembered that they did not fill the page, and how they fill pages of such searches. */
  readonly key: string
  readonly shape: string
}

/** A page in row order. */
interface Page {
  plan: FilterPlan
  /** Where it begins: after this row; undefined at the beginning. */
  position: { readonly item: number } | undefined
  limit: number
}

/** Items that are looked at for one that is wanted before anything is counted. */
const LOOKED_AT = 10
/** Of items whose texts are read, which an index would find, no more than these, or than a page. */
const MOST_TEXTS = 500
/** The same of items that are referred to, each of which is probed by those who refer to it. */
const REFERRED_LOOKED_AT = 3

/** Columns look at this many items while a probe looks at one, through references at the most. */
const BY_COLUMNS = 60

/**
 * This many rows cost as much as columns would: where they fill the page they mostly do so long before the last,
 * and where they do not, the page has cost twice as much, once. Items that are referred to are few: columns find them.
 */
export async function moreRowsOf(db: Db, page: Page): Promise<FirstRows | undefined> {
  if (!fitsColumns(page.plan) || conjunctsOf(page.plan).some(({ kind }) => kind === 'referred'))
    return undefined
  const rows = Math.floor((await countItems(db)) / BY_COLUMNS)
  return rows > LOOKED_AT * page.limit ? firstRowsOf(db, page, rows) : undefined
}

/** Undefined where counting costs nothing, and where the page, or most pages of such searches, did not become full lately. */
export function firstRowsOf(db: Db, { plan, position, limit }: Page, more?: number): FirstRows | undefined {
  const after = position?.item
  const nearest = nearestRows(plan, { after, limit, rows: more ?? LOOKED_AT * limit }, db.dialect)
  if (!nearest) return undefined
  const shape = shapeKey(plan, limit, more !== undefined)
  if (shape === undefined || !oftenFills(db, shape)) return undefined
  const key = keyOf(['first rows', shape, plan])
  if (key === undefined || isRemembered(db, key)) return undefined
  return { kind: 'first_rows', candidates: nearest, key, shape }
}

interface Near {
  after: number | undefined
  limit: number
  /** How many items are looked at, where they are not those that are referred to. */
  rows: number
}

/**
 * This many of the items that the plan may find. Undefined where an index gives its items in row order anyway. A text
 * index does, but goes through all of its matches before the place where a page begins; so does who is referred to.
 */
function nearestRows(plan: FilterPlan, near: Near, dialect: Dialect): Candidates | undefined {
  const paths = conjunctsOf(plan).flatMap((part) => accessPathOf(part, dialect) ?? [])
  const isAtHand = ({ ordered, part }: AccessPath) =>
    ordered && (near.after === undefined || part.kind !== 'search') && part.kind !== 'referred'
  if (!paths.length || paths.some(isAtHand)) return undefined
  const referred = paths.map(({ part }) => part).find(({ kind }) => kind === 'referred')
  if (referred?.kind === 'referred') {
    const targets = targetsSource(referred.field, dialect.filter, {
      after: near.after,
      count: REFERRED_LOOKED_AT * near.limit,
    })
    return { sources: [targets], intersectWith: [], probe: plan, conditions: [] }
  }
  const readsTexts = paths.some(({ ofTexts }) => ofTexts)
  const end =
    (near.after ?? 0) + (readsTexts ? Math.min(near.rows, Math.max(MOST_TEXTS, near.limit)) : near.rows)
  const isNear: Condition = (item) => sql<SqlBool>`${item} <= ${end}`
  return { ...allItems(plan, dialect), conditions: [isNear] }
}

/** How long it is remembered how often the first rows filled a page, in milliseconds. */
const LIFETIME = 5000
/** Each is as large as the next: its key is a hash. */
const BOUNDS = { entries: Infinity, size: 1000, unused: LIFETIME }

interface Tries {
  filled: number
  missed: number
  /** Of the last one. */
  at: number
}

const CACHE_KEY = 'first rows'

function triesOf({ hints }: Db): BoundedCache<Tries> {
  let tries = hints.get(CACHE_KEY) as BoundedCache<Tries> | undefined
  if (!tries) hints.set(CACHE_KEY, (tries = new BoundedCache(BOUNDS)))
  return tries
}

/** What searches have alike that differ in their values only, with as many items on a page; `more` rows are tried apart. */
export const shapeKey = (plan: FilterPlan, limit: number, more = false): string | undefined =>
  keyOf(['shape', limit, more, shapeOf(plan)])

function shapeOf(plan: FilterPlan): string {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return `${plan.kind}(${plan.children.map(shapeOf).join()})`
    case 'not':
      return `not(${shapeOf(plan.child)})`
    case 'hop':
      return `${plan.field.id}>${shapeOf(plan.target)}`
    case 'referred':
      return `${plan.field.id}<${shapeOf(plan.filter)}`
    case 'field':
      return `${plan.field.id} ${plan.test.test}`
    case 'text':
      return `${plan.column} ${plan.test.test}`
    default:
      return plan.kind
  }
}

/** Whether searches of this shape lately filled their page from the first rows as often as not. */
export function oftenFills(db: Db, shape: string): boolean {
  const known = triesOf(db).get(shape)
  return !known || known.missed <= known.filled || performance.now() - known.at > LIFETIME
}

export function noteFirstRows(db: Db, shape: string, filled: boolean): void {
  const tries = triesOf(db)
  const now = performance.now()
  const before = tries.get(shape)
  const known = before && now - before.at <= LIFETIME ? before : { filled: 0, missed: 0, at: now }
  if (filled) known.filled++
  else known.missed++
  known.at = now
  tries.set(shape, known, 1)
}
