import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { uniteRanges } from '#src/filter/meaning/unite-ranges.ts'

/**
 * Of alternatives (`or`) those that look for values of the same field, and those that look for tags, become one test
 * of all their values, and ranges of one field that overlap one range: one look into the index in place of many.
 */
export function joinAlternatives(alternatives: readonly FilterPlan[]): FilterPlan[] {
  const groups = Map.groupBy(alternatives, (each) => joinableBy(each) ?? each)
  return [...groups.values()].flatMap((group) => (group.length > 1 ? unionOf(group) : group))
}

/** What those have in common that can be one. Undefined for what stays by itself. */
function joinableBy(plan: FilterPlan): string | undefined {
  switch (plan.kind) {
    case 'has_tag':
      return 'tags'
    case 'id':
      return 'ids'
    case 'field':
      return withTest(`field ${plan.field.id}`, plan.test)
    case 'text':
      return withTest(plan.column, plan.test)
    case 'hop': {
      const target = joinableBy(plan.target)
      // Several ranges are no leaf, which is all that may be behind a reference.
      return target && !target.includes('range') ? `from ${plan.field.id} to ${target}` : undefined
    }
    default:
      return undefined
  }
}

function withTest(subject: string, test: ValueTest): string | undefined {
  if (test.test === 'one_of') return `values of ${subject}`
  return test.test === 'range' && !test.also && !test.except ? `range of ${subject}` : undefined
}

/** Of plans with one subject. Gathered first and made distinct once: lists may be long, and many. */
function unionOf(group: readonly FilterPlan[]): FilterPlan[] {
  const [first] = group
  switch (first?.kind) {
    case 'has_tag':
      return [{ ...first, tags: distinct((group as (typeof first)[]).map(({ tags }) => tags)) }]
    case 'id':
      return [{ ...first, items: distinct((group as (typeof first)[]).map(({ items }) => items)) }]
    case 'hop': {
      const [target] = unionOf((group as (typeof first)[]).map((each) => each.target))
      return [{ ...first, target: target! }]
    }
    case 'field':
    case 'text': {
      const tests = group.map((each) => (each as typeof first).test)
      return unionOfTests(tests).map((test) => ({ ...first, test }))
    }
    default:
      throw new Error('only tests of one subject can be joined')
  }
}

type OneOf = Extract<ValueTest, { test: 'one_of' }>

/** All of one kind. */
function unionOfTests(tests: readonly ValueTest[]): ValueTest[] {
  const ranges = tests.filter((each) => each.test === 'range')
  if (ranges.length) return uniteRanges(ranges)
  return [{ test: 'one_of', values: distinct((tests as OneOf[]).map(({ values }) => values)) }]
}

const distinct = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())]
