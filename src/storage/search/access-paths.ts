import type { RawBuilder } from 'kysely'
import {
  filterSource,
  type FilterSource,
  jointSource,
  referredSource,
} from '#src/storage/search/filter-source.ts'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'

/** More lists than these are not merged in order: one sorted set is cheaper. */
export const MAX_MERGED = 8
/** A union of more parts than these is no longer quick to count. */
const MAX_PARTS = 64

/** One part of a plan as what an index gives, to drive a search: the union of its sources. */
export interface AccessPath {
  /** The part of the plan that it stands for. */
  readonly part: FilterPlan
  readonly sources: readonly FilterSource[]
  /** Its items come in the order of row ids without being sorted. */
  readonly ordered: boolean
  /** Its items satisfy the part, which need not be probed. */
  readonly exact: boolean
  readonly ofTexts?: boolean
  /** It starts from the items that refer to those of the part, which has another path too. */
  readonly fromReferring?: boolean
}

/** The strategy and its candidates ask for the same ones. */
function byPlan<T>(make: (plan: FilterPlan, dialect: Dialect) => T) {
  const known = new WeakMap<Dialect, WeakMap<FilterPlan, T>>()
  return (plan: FilterPlan, dialect: Dialect): T => {
    let made = known.get(dialect)
    if (!made) known.set(dialect, (made = new WeakMap()))
    if (!made.has(plan)) made.set(plan, make(plan, dialect))
    return made.get(plan)!
  }
}

/** Undefined where no index can drive: negatives, and texts that have no index. */
export const accessPathOf = byPlan((part: FilterPlan, dialect): AccessPath | undefined =>
  pathOver(part, sourcesOf(part, dialect)),
)

/** All of them: who is referred to can be found from those who refer, too. */
export function accessPathsOf(part: FilterPlan, dialect: Dialect): AccessPath[] {
  return [
    accessPathOf(part, dialect) ?? [],
    part.kind === 'referred' ? fromReferring(part, dialect) : [],
  ].flat()
}

/** Those of all conjuncts. Texts that one look-up finds together have one path, which gives the fewest of them. */
export const accessPathsOver = byPlan((plan: FilterPlan, dialect): readonly AccessPath[] => {
  const parts = conjunctsOf(plan)
  const joint = jointSource(parts, dialect)
  const alone = parts.filter((part) => !joint?.parts.some((each) => each === part))
  const path = joint && pathOver({ kind: 'and', children: joint.parts }, [joint.source])
  return [path ?? [], ...alone.map((part) => accessPathsOf(part, dialect))].flat()
})

function pathOver(part: FilterPlan, sources: readonly FilterSource[] | undefined): AccessPath | undefined {
  if (!sources?.length || sources.length > MAX_PARTS) return undefined
  return {
    part,
    sources,
    ordered: sources.length <= MAX_MERGED && sources.every(({ ordered }) => ordered),
    exact: sources.every(({ exact }) => exact),
    ...(sources.some(({ ofTexts }) => ofTexts) && { ofTexts: true }),
  }
}

/** One that refers is enough, or they are still to be counted. */
function fromReferring(part: Extract<FilterPlan, { kind: 'referred' }>, dialect: Dialect): AccessPath[] {
  const { field, filter, min, max } = part
  const isOne = min === 1 && max === undefined
  const referring = sourcesOf(filter, dialect)
  const path = pathOver(
    part,
    referring?.map((each) => referredSource(field, { ...each, exact: each.exact && isOne }, dialect.filter)),
  )
  return path ? [{ ...path, fromReferring: true }] : []
}

function sourcesOf(part: FilterPlan, dialect: Dialect): readonly FilterSource[] | undefined {
  switch (part.kind) {
    case 'or': {
      return all(part.children.map((each) => sourcesOf(each, dialect)))?.flat()
    }
    case 'and':
      return bestOf(part.children, dialect)?.map((source) => ({ ...source, exact: false }))
    case 'not':
    case 'tagged':
    case 'values':
    case 'any':
    case 'always':
    case 'never':
      return undefined
    case 'items':
    case 'id':
    case 'changed':
    case 'has_tag':
    case 'search':
    case 'text':
    case 'field':
    case 'hop':
    case 'referred':
      return all(alternativesOf(part).map((each) => leafSource(each, dialect)))
  }
}

const all = <T>(list: readonly (T | undefined)[]): T[] | undefined =>
  list.every((each) => each !== undefined) ? (list as T[]) : undefined

/** Of parts that are all true one that drives the others: best one in order, so that a walk can stop at a limit. */
function bestOf(parts: readonly FilterPlan[], dialect: Dialect): readonly FilterSource[] | undefined {
  const candidates = parts.flatMap((each) => {
    const sources = sourcesOf(each, dialect)
    return sources?.length ? [sources] : []
  })
  return candidates.find((sources) => sources.every(({ ordered }) => ordered)) ?? candidates[0]
}

/** `in` and the like as tests of single values: the index has the items of each in order. */
function alternativesOf(part: FilterPlan): readonly FilterPlan[] {
  if (part.kind === 'has_tag' && part.tags.length <= MAX_MERGED)
    return part.tags.map((tag) => ({ ...part, tags: [tag] }))
  if (
    (part.kind === 'field' || part.kind === 'text') &&
    part.test.test === 'one_of' &&
    part.test.values.length <= MAX_MERGED
  )
    return part.test.values.map((value) => ({ ...part, test: { test: 'one_of', values: [value] } }))
  return [part]
}

/** A test that would look at every value of its field leaves it to a probe; that there is a value is what drives. */
function leafSource(leaf: FilterPlan, dialect: Dialect): FilterSource | undefined {
  const source = filterSource(leaf, dialect)
  if (source?.seeks) return source
  if (leaf.kind === 'hop') return source && present(leaf, dialect)
  if (leaf.kind !== 'field' || leaf.test.test === 'absent') return undefined
  if (leaf.test.test === 'none_of' && leaf.test.or_absent) return undefined
  return present(leaf, dialect)
}

function present(
  { field }: Extract<FilterPlan, { kind: 'field' | 'hop' }>,
  dialect: Dialect,
): FilterSource | undefined {
  const source = filterSource({ kind: 'field', field, test: { test: 'present' } }, dialect)
  return source && { ...source, exact: false }
}

/** A hop's referenced items and theirs: each is looked through whole before a row is found. */
export function targetsOf({ sources }: AccessPath): RawBuilder<{ item: number }>[] {
  return sources.flatMap((source) => {
    const lists: RawBuilder<{ item: number }>[] = []
    for (let each = source.targets; each; each = each.targets) lists.unshift(each.rows)
    return lists
  })
}
