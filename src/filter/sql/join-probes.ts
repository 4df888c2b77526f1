import { isTextTest } from '#src/domain/text-test.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { isMany } from '#src/domain/field-schema.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { balanced } from '#src/filter/sql/balanced.ts'
import { exists, type Scope } from '#src/filter/sql/field-probe.ts'
import { oneInValues, searchesCondition } from '#src/filter/sql/search-probe.ts'
import { type SingleTest, valueCondition } from '#src/filter/sql/value-condition.ts'
import { testedKind } from '#src/filter/sql/value-kind.ts'

type Combined = Extract<FilterPlan, { kind: 'and' | 'or' }>
type Operator = Combined['kind']
type ToCondition = (plan: FilterPlan, scope: Scope) => Expression<SqlBool>

/**
 * Up to this many each have a probe of their own. SQLite opens a cursor for each probe of each row, and to close one
 * goes through all that are open: a thousand probes of a row take a million steps. It makes a join of them, too, and of
 * seventeen tables one in which the text index comes where it cannot be used.
 */
const FEW = 8

/** The conditions of the children; many of them that look at the same row of the same table share one probe. */
export function joinProbes(
  { kind, children }: Combined,
  scope: Scope,
  of: ToCondition,
): Expression<SqlBool>[] {
  if (children.length <= FEW) return children.map((each) => of(each, scope))
  const probed = { ...scope, many: true as const }
  const groups = Map.groupBy(children, (each) => rowOf(each, kind, scope))
  return [...groups].flatMap(([row, group]) =>
    row === undefined || group.length === 1
      ? group.map((each) => of(each, probed))
      : joined(group, kind, probed, of),
  )
}

/** Where a child looks, if it can be asked there together with others. */
function rowOf(plan: FilterPlan, operator: Operator, { dialect, folded }: Scope): string | undefined {
  switch (plan.kind) {
    case 'not':
      return 'not'
    case 'search':
      return folded === 'row' || plan.except ? undefined : 'search'
    case 'values':
      return operator === 'or' && dialect.folded ? `values ${plan.fields.join()}` : undefined
    case 'hop':
      return isOneRow(plan, operator) ? `hop ${plan.field.id}` : undefined
    case 'field':
      return isSingle(plan.test) && isOneRow(plan, operator)
        ? `field ${plan.field.id} ${testedKind(plan.field.type, plan.test, dialect)}`
        : undefined
    default:
      return undefined
  }
}

/** That some row has one of several properties is the same as that one of them is had by some row; of all it is not. */
const isOneRow = ({ field }: Extract<FilterPlan, { kind: 'field' | 'hop' }>, operator: Operator): boolean =>
  operator === 'or' || !isMany(field.type)

const isSingle = (test: Extract<FilterPlan, { kind: 'field' }>['test']): test is SingleTest =>
  test.test === 'one_of' ||
  test.test === 'range' ||
  test.test === 'prefix' ||
  test.test === 'substring' ||
  isTextTest(test)

function joined(
  group: readonly FilterPlan[],
  operator: Operator,
  scope: Scope,
  of: ToCondition,
): Expression<SqlBool> {
  const [first] = group as readonly [FilterPlan]
  switch (first.kind) {
    case 'not': {
      const children = (group as (typeof first)[]).map(({ child }) => child)
      return sql`not ${of({ kind: operator === 'and' ? 'or' : 'and', children }, scope)}`
    }
    case 'search':
      return searchesCondition(group as (typeof first)[], operator, scope)
    case 'values':
      return oneInValues(group as [typeof first, ...(typeof first)[]], scope)
    case 'hop': {
      const children = (group as (typeof first)[]).map(({ target }) => target)
      return of({ ...first, target: { kind: operator, children } }, scope)
    }
    case 'field': {
      const { field } = first
      const kind = testedKind(field.type, first.test, scope.dialect)
      const tests = (group as (typeof first)[]).map(({ test }) => test as SingleTest)
      return exists(
        scope,
        field.id,
        (value) =>
          balanced(
            tests.map((test) => valueCondition(test, value, kind, scope.dialect)),
            operator,
          ),
        kind,
      )
    }
    default:
      throw new Error(`conditions of the kind ${first.kind} have no row in common`)
  }
}
