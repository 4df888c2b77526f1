import type { Problem } from '#src/domain/errors.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { bindValuePath, type ValuePath } from '#src/filter/meaning/value-path.ts'

export const FUNCTIONS = ['sum', 'avg', 'min', 'max', 'count_distinct'] as const
export type MetricFunction = (typeof FUNCTIONS)[number]

/** What is worked out for each group. */
export type Metric =
  | { readonly of: 'count' }
  | { readonly of: MetricFunction; readonly path: ValuePath & { kind: 'field' } }

/** As it is asked for: one key, `{count: true}` or `{sum: "Task.estimate"}`. */
export type GivenMetric = { count?: boolean } & Partial<Record<MetricFunction, string>>

/** Types that have a least and a greatest value; a Select's are in the order of its variants. */
const ORDERED: readonly string[] = ['Number', 'Date', 'DateTime', 'String', 'Select']

/** @returns the metric, or what is wrong with it */
export async function bindMetric(
  given: GivenMetric,
  path: string,
  catalog: TagCatalog,
): Promise<Metric | Problem> {
  const [name, ...others] = Object.keys(given) as ('count' | MetricFunction)[]
  if (name === undefined || others.length)
    return { path, message: `give exactly one of count, ${FUNCTIONS.join(', ')}` }
  if (name === 'count') return given.count ? { of: 'count' } : { path, message: "'count' must be true" }
  const at = `${path}.${name}`
  const bound = await bindValuePath(given[name]!, at, catalog)
  if ('message' in bound) return bound
  if (bound.kind === 'name') return { path: at, message: `'${name}' needs a field, and a name is none` }
  const { type } = bound.field
  if ((name === 'sum' || name === 'avg') && type !== 'Number')
    return { path: at, message: `'${name}' needs a Number, and '${given[name]}' is a ${type}` }
  if ((name === 'min' || name === 'max') && !ORDERED.includes(type))
    return {
      path: at,
      message: `'${name}' needs one of ${ORDERED.join(', ')}, and '${given[name]}' is a ${type}`,
    }
  return { of: name, path: bound }
}
