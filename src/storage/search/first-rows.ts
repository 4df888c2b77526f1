import { BoundedCache } from '#src/domain/bounded-cache.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { keyOf } from '#src/storage/search/search-counts.ts'

/** How long it is remembered how often the first rows filled a page, in milliseconds. */
const LIFETIME = 5000
/** Each is as large as the next: its key is a hash. */
const BOUNDS = { entries: 1000, size: 1000, unused: LIFETIME }

interface Tries {
  filled: number
  missed: number
  /** Of the last one. */
  at: number
}

const KEPT = 'first rows'

function triesOf({ hints }: Db): BoundedCache<Tries> {
  let tries = hints.get(KEPT) as BoundedCache<Tries> | undefined
  if (!tries) hints.set(KEPT, (tries = new BoundedCache(BOUNDS)))
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
