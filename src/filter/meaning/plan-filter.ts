import { foldForSearch } from '#src/domain/search-text.ts'
import { type Fold, planOfSearch } from '#src/filter/meaning/plan-search.ts'
import { firstUlidAt, type Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import { planOfReferring } from '#src/filter/meaning/count-range.ts'
import { joinAlternatives } from '#src/filter/meaning/join-alternatives.ts'
import { joinMissingParts, joinParts } from '#src/filter/meaning/join-parts.ts'
import { joinRanges } from '#src/filter/meaning/join-ranges.ts'
import type { Binding, TestResult } from '#src/filter/language/operator-tests.ts'
import { withArticle } from '#src/filter/language/operator-words.ts'
import { OPERATORS, type Operator, operatorsFor } from '#src/filter/language/operators.ts'
import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { boundField, leftField, meantField } from '#src/filter/meaning/bound-field.ts'
import type { CatalogField, CatalogTag } from '#src/filter/meaning/tag-catalog.ts'
import { type Column, COLUMN_TYPES, type Subject } from '#src/filter/language/subject.ts'

/** More remarks than these help nobody. */
const MAX_WARNINGS = 50

const ALWAYS: FilterPlan = { kind: 'always' }
const NEVER: FilterPlan = { kind: 'never' }

/** The plan of a bound filter, with what is known already (operators that do not apply, variants unknown) worked out. */
export function planFilter(
  filter: BoundFilter,
  rowIds: ReadonlyMap<Ulid, number>,
  fold: Fold = foldForSearch,
): { plan: FilterPlan; warnings: string[] } {
  const warnings: string[] = []
  const plan = planOf(filter, {
    fold,
    rowId: (item_id) => rowIds.get(item_id),
    warn: (remark) => {
      if (warnings.length === MAX_WARNINGS) return
      const message = remark()
      if (!warnings.includes(message)) warnings.push(message)
    },
  })
  return { plan, warnings }
}

/** `fold` as what is searched is folded. */
interface PlanBinding extends Binding {
  fold: Fold
}

function planOf(filter: BoundFilter, binding: PlanBinding): FilterPlan {
  switch (filter.kind) {
    case 'and':
      return join('and', filter.children, binding)
    case 'or':
      return join('or', filter.children, binding)
    case 'not': {
      const child = planOf(filter.child, binding)
      if (child.kind === 'always') return NEVER
      if (child.kind === 'never') return ALWAYS
      return child.kind === 'not' ? child.child : { kind: 'not', child }
    }
    case 'search':
    case 'changed':
    case 'has_tag':
    case 'column':
    case 'field':
    case 'hop':
    case 'reverse':
      return planOfLeaf(filter, binding)
  }
}

/** Nested lists of the same kind become one; what is always or never true decides or drops out. */
function join(kind: 'and' | 'or', filters: readonly BoundFilter[], binding: PlanBinding): FilterPlan {
  const [neutral, decisive] = kind === 'and' ? [ALWAYS, NEVER] : [NEVER, ALWAYS]
  const children: FilterPlan[] = []
  let decided = false
  for (const each of filters) {
    const child = planOf(each, binding)
    if (child.kind === decisive.kind) decided = true
    else if (child.kind === kind) children.push(...child.children)
    else if (child.kind !== neutral.kind) children.push(child)
  }
  if (decided) return decisive
  const joined =
    kind === 'and' ? joinRanges(joinMissingParts(children)) : joinAlternatives(joinParts(children))
  return joined.length > 1 ? { kind, children: joined } : (joined[0] ?? neutral)
}

function planOfLeaf(leaf: BoundLeaf, binding: PlanBinding): FilterPlan {
  switch (leaf.kind) {
    case 'search':
      return planOfSearch(leaf, binding.fold)
    case 'has_tag':
      return leaf.tag ? { kind: 'has_tag', tags: leaf.tags } : { kind: 'not', child: { kind: 'tagged' } }
    case 'changed':
      return planOfChanged(leaf)
    case 'column':
      return planOfColumn(leaf.column, testOf(columnSubject(leaf.column), leaf.test, binding))
    case 'field': {
      const { field } = leaf.reference
      if (leaf.test.operator === 'outdated') return planOfOutdated(leaf.reference, leaf.test, binding)
      if (!field) return planOfUnknownField(leaf.reference, leaf.test, binding)
      const test = testOf(subjectOf(leaf.reference), leaf.test, binding)
      return test === 'always' || test === 'never' ? { kind: test } : { kind: 'field', field, test }
    }
    case 'hop': {
      const target = planOfLeaf(leaf.target, binding)
      return target.kind === 'never' ? NEVER : { kind: 'hop', field: leaf.reference.field, target }
    }
    case 'reverse': {
      const { reference, filter, count = { comparison: 'gte', count: 1 } } = leaf
      return planOfReferring(reference.field, filter ? planOf(filter, binding) : ALWAYS, count)
    }
  }
}

/** Ids of events are in the order of their times, to the millisecond; years of four digits are all within an id. */
function planOfChanged({ from, before }: Extract<BoundLeaf, { kind: 'changed' }>): FilterPlan {
  const place = (time: number) => firstUlidAt(Math.max(time, 0))
  return from < before ? { kind: 'changed', from: place(from), before: place(before) } : NEVER
}

function planOfColumn(column: Column, test: TestResult): FilterPlan {
  if (test === 'always' || test === 'never') return { kind: test }
  // Every item has all but a description.
  if (column !== 'description' && test.test === 'present') return ALWAYS
  if (column !== 'description' && test.test === 'absent') return NEVER
  if (column !== 'id') return { kind: 'text', column, test }
  if (test.test !== 'one_of' && test.test !== 'none_of') throw new Error('an id is only ever named')
  const named: FilterPlan = { kind: 'id', items: test.values.map(Number) }
  return test.test === 'one_of' ? named : { kind: 'not', child: named }
}

function testOf(subject: Subject, { operator, operand }: FieldTest, binding: PlanBinding): TestResult {
  const row: Operator = OPERATORS[operator]
  // Whether there is a value may be asked of every type, whatever the operator compares otherwise (decisions §6).
  const asksForValue = operand === null && (operator === 'eq' || operator === 'neq')
  if (asksForValue || row.appliesTo.includes(subject.type)) return row.test(subject, operand, binding)
  binding.warn(
    () =>
      `'${operator}' does not apply to ${subject.label}, which is ${withArticle(subject.type)}, so it matches nothing; these apply: ${operatorsFor(subject.type).join(', ')}`,
  )
  return 'never'
}

/** A value that the field cannot take, is outside of its variant, or has no field any more. */
function planOfOutdated(reference: FieldReference, test: FieldTest, binding: PlanBinding): FilterPlan {
  const { tag, field } = reference
  const left = field ? undefined : leftField(reference)
  if (left) return test.operand === true ? { kind: 'field', field: left, test: { test: 'present' } } : NEVER
  if (!field) return planOfUnknownField(reference, test, binding)
  const misfit = testOf(subjectOf(reference), test, binding) as ValueTest
  const misfits: FilterPlan = { kind: 'field', field, test: misfit }
  const present: FilterPlan = { kind: 'field', field, test: { test: 'present' } }
  const active = planOfActive(tag, field, [])
  const outdated: FilterPlan = active
    ? {
        kind: 'or',
        children: [misfits, { kind: 'and', children: [present, { kind: 'not', child: active }] }],
      }
    : misfits
  return test.operand === true
    ? outdated
    : { kind: 'and', children: [present, { kind: 'not', child: outdated }] }
}

/** One of the variants that the field belongs to is chosen; undefined where it belongs to none. */
function planOfActive(
  tag: CatalogTag,
  { parents }: CatalogField,
  below: readonly string[],
): FilterPlan | undefined {
  if (!parents) return undefined
  const chosen = parents.flatMap((parent): FilterPlan[] => {
    const select = tag.fields.get(parent.field)
    if (!select || below.includes(select.name)) return []
    const field = boundField(tag, select)
    const here: FilterPlan = { kind: 'field', field, test: { test: 'one_of', values: parent.variants } }
    const above = planOfActive(tag, select, [...below, select.name])
    return [above ? { kind: 'and', children: [here, above] } : here]
  })
  return chosen.length > 1 ? { kind: 'or', children: chosen } : (chosen[0] ?? NEVER)
}

/** Such a field is null on every item. */
function planOfUnknownField(reference: FieldReference, test: FieldTest, binding: PlanBinding): FilterPlan {
  const { tag, name } = reference
  binding.warn(() => {
    const meant = meantField(reference)
    return `Tag '${tag.name}' has no field '${name}', so it is null on every item${meant ? `; did you mean '${meant}'?` : ''}`
  })
  // As a String: of the types whose `neq` does not match null.
  const silent = { ...binding, warn: () => {} }
  const result = testOf({ label: name, type: 'String', variants: [] }, test, silent)
  return typeof result === 'object' && result.test === 'absent' ? ALWAYS : NEVER
}

/** What an operator knows of a column. */
export const columnSubject = (column: Column): Subject => ({
  label: column,
  type: COLUMN_TYPES[column],
  variants: [],
})

/** What an operator knows of a field. */
export function subjectOf({ tag, name, field }: FieldReference): Subject {
  return {
    label: `${tag.name}.${name}`,
    type: field?.type ?? 'String',
    variants: field?.variants ?? [],
  }
}
