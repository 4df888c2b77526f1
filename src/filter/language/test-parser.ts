import { isRecord } from '#src/domain/is-record.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import { OPERATORS, type Operator, type OperatorName } from '#src/filter/language/operators.ts'
import { isRelativeTime } from '#src/filter/language/relative-time.ts'

/** Instructions of all patterns together: compiling these takes about half a second. */
const MAX_PATTERN_SIZES = 100_000

const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[]

type Report = (path: string, message: string, more?: { suggestion?: string | undefined }) => undefined

/** What follows the key of a condition: a value, or one operator with its operand. Of all tests of one filter. */
export class TestParser {
  private patternSizes = 0
  private readonly report: Report

  constructor(report: Report) {
    this.report = report
  }

  parse(given: unknown, path: string): FieldTest | undefined {
    if (given === null || typeof given !== 'object')
      return { operator: 'eq', operand: given as string | number | boolean | null, given }
    if (!isRecord(given))
      return this.report(path, 'A field filter must be a value or an object with exactly one operator', {
        suggestion: `Use {"in": […]} for any of several values, {"eq": […]} for just these variants of a MultiSelect`,
      })
    const names = Object.keys(given)
    if (names.length !== 1)
      this.report(path, `A field filter must have exactly one operator`, {
        suggestion: names.length
          ? `Combine several with 'and'`
          : `Expected one of: ${OPERATOR_NAMES.join(', ')}`,
      })
    let test: FieldTest | undefined
    for (const name of names) test = this.operator(name, given, `${path}.${name}`)
    return names.length === 1 ? test : undefined
  }

  private operator(name: string, given: Record<string, unknown>, path: string): FieldTest | undefined {
    if (!Object.hasOwn(OPERATORS, name)) {
      const meant = nearest(name, OPERATOR_NAMES)
      return this.report(path, `Unknown operator '${name}'. Expected: ${OPERATOR_NAMES.join(', ')}`, {
        suggestion:
          name === 'variant'
            ? `A Select is compared by the variant's name: {"eq": ${JSON.stringify(given[name])}}`
            : isRelativeTime(given)
              ? `Compare with it: {"gte": ${JSON.stringify(given)}}`
              : meant && `Did you mean '${meant}'?`,
      })
    }
    const { operand }: Operator = OPERATORS[name as OperatorName]
    const value = given[name]
    if (!operand.accepts(value)) return this.report(path, `'${name}' requires ${operand.requires}`)
    const fault = this.exceedsPatterns(operand, value) ?? operand.fault?.(value)
    if (fault !== undefined) return this.report(path, `'${name}': ${fault}`)
    return { operator: name as OperatorName, operand: value, given }
  }

  /** Checked before anything is compiled; what is too large by itself is reported as that. */
  private exceedsPatterns({ size }: Operator['operand'], value: unknown): string | undefined {
    const instructions = size?.(value) ?? 0
    if (instructions > MAX_PATTERN_SIZES) return undefined
    this.patternSizes += instructions
    return instructions && this.patternSizes > MAX_PATTERN_SIZES
      ? `compiled, the filter's regular expressions have more than ${MAX_PATTERN_SIZES.toLocaleString('en')} instructions in all`
      : undefined
  }
}
