import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan, IndexValue, ValueTest } from '#src/filter/meaning/plan.ts'

const NEVER: FilterPlan = { kind: 'never' }

/**
 * What is true at least of each item of which one of two plans is true and the other is not. Where they differ in times
 * alone, as one filter at two moments, that is what lies in between.
 */
export function planDifference(one: FilterPlan, other: FilterPlan): FilterPlan {
  if (JSON.stringify(one) === JSON.stringify(other)) return NEVER
  if (one.kind === 'and' || one.kind === 'or') {
    if (other.kind !== one.kind || other.children.length !== one.children.length) return either(one, other)
    return anyOf(one.children.map((each, i) => planDifference(each, other.children[i]!)))
  }
  if (one.kind === 'not' && other.kind === 'not') return planDifference(one.child, other.child)
  if (one.kind === 'hop' && other.kind === 'hop' && one.field.id === other.field.id)
    return within(planDifference(one.target, other.target), (target) => ({ ...one, target }))
  if (one.kind === 'referred' && other.kind === 'referred' && sameCount(one, other))
    return within(planDifference(one.filter, other.filter), (filter) => ({
      kind: 'referred',
      field: one.field,
      filter,
      min: 1,
    }))
  if (sameSubject(one, other)) {
    const test = between([...valuesIn(one.test), ...valuesIn((other as Subject).test)])
    if (test) return { ...one, test }
  }
  return either(one, other)
}

type Referred = Extract<FilterPlan, { kind: 'referred' }>
const sameCount = (one: Referred, other: Referred): boolean =>
  one.field.id === other.field.id && one.min === other.min && one.max === other.max

/** Tests of one kind of one field or column: values between those that they name decide, and no others. */
function sameSubject(one: FilterPlan, other: FilterPlan): one is Subject {
  if (one.kind === 'field' && other.kind === 'field')
    return one.field.id === other.field.id && sameKind(one.test, other.test)
  if (one.kind !== 'text' || other.kind !== 'text') return false
  return one.column === other.column && sameKind(one.test, other.test)
}
type Subject = Extract<FilterPlan, { kind: 'field' | 'text' }>

function sameKind(one: ValueTest, other: ValueTest): boolean {
  if (one.test !== 'range' || other.test !== 'range') return one.test === other.test
  return !one.lower === !other.lower && !one.upper === !other.upper
}

const within = (found: FilterPlan, plan: (found: FilterPlan) => FilterPlan): FilterPlan =>
  found.kind === 'never' ? NEVER : plan(found)

function anyOf(plans: readonly FilterPlan[]): FilterPlan {
  const children = plans.filter(({ kind }) => kind !== 'never')
  return children.length > 1 ? { kind: 'or', children } : (children[0] ?? NEVER)
}

const either = (one: FilterPlan, other: FilterPlan): FilterPlan => anyOf([only(one, other), only(other, one)])
const only = (one: FilterPlan, other: FilterPlan): FilterPlan =>
  one.kind === 'never' || other.kind === 'always' ? NEVER : allOf([...conjunctsOf(one), notOf(other)])
const notOf = (plan: FilterPlan): FilterPlan =>
  plan.kind === 'never' ? { kind: 'always' } : { kind: 'not', child: plan }
function allOf(plans: readonly FilterPlan[]): FilterPlan {
  const children = plans.filter(({ kind }) => kind !== 'always')
  return children.length > 1 ? { kind: 'and', children } : (children[0] ?? { kind: 'always' })
}

/** Only a value between those that two tests name can pass one of them alone. */
function between(values: readonly IndexValue[]): ValueTest | undefined {
  const texts = values.filter((value) => typeof value === 'string').toSorted()
  if (!texts.length || texts.length < values.length) return undefined
  return {
    test: 'range',
    lower: { value: texts[0]!, inclusive: true },
    upper: { value: texts.at(-1)!, inclusive: true },
  }
}

function valuesIn(test: ValueTest): IndexValue[] {
  switch (test.test) {
    case 'one_of':
    case 'none_of':
      return [...test.values]
    case 'range':
      return [
        ...[test.lower, test.upper].flatMap((bound) => bound?.value ?? []),
        ...(test.also ?? []),
        ...(test.except ?? []),
      ]
    default:
      return []
  }
}
