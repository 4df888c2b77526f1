import type { FilterFault } from '#src/filter/language/filter-fault.ts'

/** How many items are to refer: `{"gte": 3}`. */
export interface CountTest {
  comparison: (typeof COMPARISONS)[number]
  count: number
}

/** What is under `<-Tag.ref`: a filter for the referring items, and how many are wanted where it says. */
export interface ReverseForm {
  /** Undefined: all that refer. */
  filter: unknown
  /** Undefined: some. */
  count: CountTest | undefined
  filterPath: string
}

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const
const isComparison = (name: string): name is CountTest['comparison'] =>
  (COMPARISONS as readonly string[]).includes(name)

const REQUIRED = `'count' requires an object with one of ${COMPARISONS.join(', ')} and a whole number from 0, e.g. {"gte": 3}`

/** Either a filter alone, or `{"filter": …, "count": …}`. */
export function readReverseForm(value: unknown, path: string): ReverseForm | FilterFault {
  if (!isForm(value)) return { filter: value, count: undefined, filterPath: path }
  const other = Object.keys(value).find((key) => key !== 'filter' && key !== 'count')
  if (other !== undefined)
    return {
      path: `${path}.${other}`,
      message: `Unknown property '${other}'. Expected: filter, count`,
    }
  const count = value.count === undefined ? undefined : countTest(value.count)
  if (count === null) return { path: `${path}.count`, message: REQUIRED }
  return { filter: value.filter, count, filterPath: `${path}.filter` }
}

const isForm = (value: unknown): value is { filter?: unknown; count?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ('filter' in value || 'count' in value)

function countTest(value: unknown): CountTest | null {
  if (typeof value !== 'object' || value === null) return null
  const [entry, ...others] = Object.entries(value) as [string, unknown][]
  if (!entry || others.length) return null
  const [comparison, count] = entry
  const isSound = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0
  return isComparison(comparison) && isSound ? { comparison, count } : null
}
