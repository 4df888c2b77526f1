import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { patternFault } from '#src/domain/pattern.ts'

/** The plan of one condition as if the case of its texts did not count; undefined where it never does. */
export function ignoringCase(plan: FilterPlan): FilterPlan | undefined {
  switch (plan.kind) {
    case 'field':
    case 'text': {
      const pattern = patternOf(plan.test)
      return pattern === undefined || patternFault(pattern)
        ? undefined
        : { ...plan, test: { test: 'regex', pattern } }
    }
    case 'hop': {
      const target = ignoringCase(plan.target)
      return target && { ...plan, target }
    }
    default:
      return undefined
  }
}

function patternOf(test: ValueTest): string | undefined {
  switch (test.test) {
    case 'substring':
      return `(?i)${escaped(test.text)}`
    case 'prefix':
      return `(?i)^${escaped(test.text)}`
    case 'regex':
      return `(?i)${test.pattern}`
    case 'one_of': {
      const texts = test.values.filter((each) => typeof each === 'string')
      return texts.length ? `(?i)^(?:${texts.map(escaped).join('|')})$` : undefined
    }
    default:
      return undefined
  }
}

/** As RE2 takes a text for itself. */
const escaped = (text: string): string => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&')
