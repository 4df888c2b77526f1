import { MAX_PROBLEMS } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import type {
  FieldTest,
  FilterTree,
  LeafTree,
  ParsedFilter,
  PlainLeaf,
} from '#src/filter/language/filter-tree.ts'
import { isRelativeTime } from '#src/filter/language/relative-time.ts'
import { type Column, COLUMN_TYPES } from '#src/filter/language/subject.ts'
import { OPERATORS, type Operator, type OperatorName } from '#src/filter/language/operators.ts'

export const MAX_HOPS = 5
/** Nested `and`, `or`, `not`; the leaf is not counted. */
export const MAX_NESTING = 50
export const MAX_LEAVES = 1000
/** Ids that one test names. */
export const MAX_IDS = 10_000

/** What a filter may speak of. */
interface Language {
  keys: readonly string[]
  columns: readonly string[]
  /** Whether `has_tag` and `Tag.field` are known. */
  tags: boolean
  unknown: string
}
const ITEMS: Language = {
  keys: ['and', 'or', 'not', 'search', 'has_tag', ...Object.keys(COLUMN_TYPES)],
  columns: Object.keys(COLUMN_TYPES),
  tags: true,
  unknown: 'Unknown filter. Expected: and, or, not, search, has_tag, name, description, or Tag.field',
}
const TAGS: Language = {
  keys: ['and', 'or', 'not', 'search', 'name', 'description'],
  columns: ['name', 'description'],
  tags: false,
  unknown: 'Unknown filter. Expected: and, or, not, search, name, or description',
}
const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[]
const ARROW = '->'

/**
 * Proves the structure of a filter that came from outside: keys, operands and limits; names are not looked at. Every
 * fault is collected with its path, which starts with `path`.
 */
export function parseFilter(input: unknown, path = 'filter'): ParsedFilter {
  return parse(input, path, ITEMS)
}

/** The same for a filter of tags, which has no other leaves than `search`, `name` and `description`. */
export function parseTagFilter(input: unknown, path = 'filter'): ParsedFilter<PlainLeaf> {
  return parse(input, path, TAGS) as ParsedFilter<PlainLeaf>
}

function parse(input: unknown, path: string, language: Language): ParsedFilter {
  const parser = new FilterParser(language)
  const tree = parser.filter(input, path, 0)
  return { tree, faults: parser.faults }
}

class FilterParser {
  readonly faults: FilterFault[] = []
  private leaves = 0
  private readonly language: Language

  constructor(language: Language) {
    this.language = language
  }

  filter(input: unknown, path: string, depth: number): FilterTree | undefined {
    if (!isObject(input)) return this.fault(path, 'Filter must be an object')
    const keys = Object.keys(input)
    if (keys.length === 0) return this.fault(path, 'Filter object cannot be empty')
    if (keys.length > 1) {
      this.fault(path, 'Filter object must have exactly one key', {
        suggestion: `Combine them: {"and": [${keys
          .slice(0, 2)
          .map((key) => `{${JSON.stringify(key)}: …}`)
          .join(', ')}]}`,
      })
      for (const key of keys) this.entry(key, input[key], path, depth)
      return undefined
    }
    return this.entry(keys[0]!, input[keys[0]!], path, depth)
  }

  private entry(key: string, value: unknown, parent: string, depth: number): FilterTree | undefined {
    const path = parent ? `${parent}.${key}` : key
    if (key === 'and' || key === 'or' || key === 'not') {
      if (depth === MAX_NESTING)
        return this.fault(path, `Filter exceeds max nesting of ${MAX_NESTING} 'and', 'or' and 'not'`)
      return key === 'not' ? this.negation(value, path, depth) : this.list(key, value, path, depth)
    }
    this.leaves++
    if (this.leaves > MAX_LEAVES)
      return this.leaves === MAX_LEAVES + 1
        ? this.fault(path, `Filter exceeds max of ${MAX_LEAVES} conditions`)
        : undefined
    return this.leaf(key, key, value, path)
  }

  private negation(value: unknown, path: string, depth: number): FilterTree | undefined {
    const child = this.filter(value, path, depth + 1)
    return child && { kind: 'not', child }
  }

  private list(kind: 'and' | 'or', value: unknown, path: string, depth: number): FilterTree | undefined {
    if (!Array.isArray(value)) return this.fault(path, `'${kind}' requires an array of at least 2 filters`)
    if (value.length < 2) this.fault(path, `'${kind}' requires at least 2 filters`)
    const children: FilterTree[] = []
    for (const [i, each] of value.entries()) {
      if (this.leaves > MAX_LEAVES || this.faults.length > MAX_PROBLEMS) break
      const child = this.filter(each, `${path}[${i}]`, depth + 1)
      if (child) children.push(child)
    }
    return { kind, children }
  }

  /** `rest` is what of the key is still to be read: behind the arrows. */
  private leaf(key: string, rest: string, value: unknown, path: string): LeafTree | undefined {
    if (this.language.columns.includes(rest)) return this.column(rest as Column, value, path)
    if (key === 'search')
      return typeof value === 'string'
        ? { kind: 'search', text: value }
        : this.fault(path, `'search' requires a string`)
    return this.language.tags ? this.tagLeaf(key, rest, value, path) : this.unknownKey(key, path)
  }

  private column(column: Column, value: unknown, path: string): LeafTree | undefined {
    const test = this.test(value, path)
    if (column === 'id' && Array.isArray(test?.operand) && test.operand.length > MAX_IDS)
      return this.fault(`${path}.${test.operator}`, `'${test.operator}' takes at most ${MAX_IDS} ids`)
    return test && { kind: 'column', column, test, path }
  }

  private tagLeaf(key: string, rest: string, value: unknown, path: string): LeafTree | undefined {
    const arrow = rest.indexOf(ARROW)
    if (arrow >= 0) return this.hop(key, rest, arrow, value, path)
    if (rest === 'has_tag') return this.hasTag(value, path)
    if (splits(rest)) {
      const test = this.test(value, path)
      return test && { kind: 'field', reference: rest, key, test, path }
    }
    if (key !== rest || rest.includes('.')) return this.fault(path, `Invalid dot-notation: '${key}'`)
    return this.unknownKey(key, path)
  }

  private unknownKey(key: string, path: string): undefined {
    const meant = nearest(key, this.language.keys)
    return this.fault(path, this.language.unknown, { suggestion: meant && `Did you mean '${meant}'?` })
  }

  private hop(key: string, rest: string, arrow: number, value: unknown, path: string): LeafTree | undefined {
    if (key === rest && key.split(ARROW).length - 1 > MAX_HOPS)
      return this.fault(path, `Reference traversal exceeds max depth of ${MAX_HOPS} hops`)
    const reference = rest.slice(0, arrow)
    if (!splits(reference)) return this.fault(path, `Invalid dot-notation: '${key}'`)
    const target = this.leaf(key, rest.slice(arrow + ARROW.length), value, path)
    return target && { kind: 'hop', reference, key, target, path }
  }

  private hasTag(value: unknown, path: string): LeafTree | undefined {
    if (typeof value === 'string') return { kind: 'has_tag', tag: value, path }
    const tag = soleEntry(soleEntry(value, 'name'), 'eq')
    if (typeof tag === 'string') return { kind: 'has_tag', tag, path }
    return this.fault(path, `'has_tag' requires a string`, {
      suggestion: 'Give the name or the id of a tag',
    })
  }

  private test(given: unknown, path: string): FieldTest | undefined {
    if (given === null || typeof given !== 'object')
      return { operator: 'eq', operand: given as string | number | boolean | null, given }
    if (!isObject(given))
      return this.fault(path, 'A field filter must be a value or an object with exactly one operator', {
        suggestion: `Use {"in": […]} for any of several values, {"eq": […]} for just these variants of a MultiSelect`,
      })
    const names = Object.keys(given)
    if (names.length !== 1)
      this.fault(path, `A field filter must have exactly one operator`, {
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
      return this.fault(path, `Unknown operator '${name}'. Expected: ${OPERATOR_NAMES.join(', ')}`, {
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
    if (!operand.accepts(value)) return this.fault(path, `'${name}' requires ${operand.requires}`)
    const fault = operand.fault?.(value)
    if (fault !== undefined) return this.fault(path, `'${name}': ${fault}`)
    return { operator: name as OperatorName, operand: value, given }
  }

  private fault(path: string, message: string, more?: { suggestion?: string | undefined }): undefined {
    if (this.faults.length <= MAX_PROBLEMS)
      this.faults.push({ path, message, ...(more?.suggestion && { suggestion: more.suggestion }) })
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether there is something on both sides of the last dot. */
function splits(reference: string): boolean {
  const dot = reference.lastIndexOf('.')
  return dot > 0 && dot < reference.length - 1
}

/** The value of an object's only key, if it is that one. */
function soleEntry(value: unknown, key: string): unknown {
  return isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, key)
    ? value[key]
    : undefined
}
