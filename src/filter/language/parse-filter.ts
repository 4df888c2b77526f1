import { isRecord } from '#src/domain/is-record.ts'
import { MAX_PROBLEMS } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import {
  ARROW,
  type FilterKeys,
  hopsOf,
  isReverse,
  ITEM_KEYS,
  nameWithReverse,
  REVERSE,
  splits,
  TAG_KEYS,
} from '#src/filter/language/filter-keys.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import type { FilterTree, LeafTree, ParsedFilter, PlainLeaf } from '#src/filter/language/filter-tree.ts'
import { readChangedForm } from '#src/filter/language/changed-form.ts'
import { readReverseForm } from '#src/filter/language/reverse-form.ts'
import { readSearchForm } from '#src/filter/language/search-form.ts'
import { readHasTag } from '#src/filter/language/has-tag-form.ts'
import type { Column } from '#src/filter/language/subject.ts'
import { TestParser } from '#src/filter/language/test-parser.ts'

export const MAX_HOPS = 5
/** Nested `and`, `or`, `not`; the leaf is not counted. */
export const MAX_NESTING = 50
export const MAX_LEAVES = 1000
/** Ids that one test names. */
export const MAX_IDS = 10_000

const TOO_MANY_HOPS = `Reference traversal exceeds max depth of ${MAX_HOPS} hops`

/** How deep a filter is: under how many `and`, `or`, `not`, and behind how many references. */
interface Place {
  depth: number
  hops: number
}

/** A key with the references that lead to it. */
interface WholeKey {
  key: string
  hops: number
}

/**
 * Proves the structure of a filter that came from outside: keys, operands and limits; names are not looked at. Every
 * fault is collected with its path, which starts with `path`. A key `<-Tag.field` asks who refers to an item, but for
 * one whose tag is among `names`: those of tags that begin with `<-` themselves.
 */
export function parseFilter(
  input: unknown,
  path = 'filter',
  names: ReadonlySet<string> = new Set(),
): ParsedFilter {
  return parse(input, path, ITEM_KEYS, names)
}

/** The same for a filter of tags, which has no other leaves than `search`, `name` and `description`. */
export function parseTagFilter(input: unknown, path = 'filter'): ParsedFilter<PlainLeaf> {
  return parse(input, path, TAG_KEYS, new Set()) as ParsedFilter<PlainLeaf>
}

function parse(input: unknown, path: string, language: FilterKeys, names: ReadonlySet<string>): ParsedFilter {
  const parser = new FilterParser(language, names)
  const tree = parser.filter(input, path, { depth: 0, hops: 0 })
  return { tree, faults: parser.faults, possibleNames: parser.possibleNames }
}

/** Keys that a suggestion names, and characters of each. */
const MAX_NAMED = 10
const MAX_KEY = 100

const named = (keys: readonly string[], as: (key: string) => string): string =>
  keys
    .slice(0, MAX_NAMED)
    .map((key) => as(JSON.stringify(key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key)))
    .join(', ') + (keys.length > MAX_NAMED ? ', …' : '')

const combined = (keys: readonly string[]): string =>
  `Combine them: {"and": [${named(keys, (key) => `{${key}: …}`)}]}`

const oneOfThem = (unknown: readonly string[]): string =>
  `Keep one condition: ${named(unknown, (key) => key)} ${unknown.length === 1 ? 'is' : 'are'} none`

class FilterParser {
  readonly faults: FilterFault[] = []
  readonly possibleNames = new Set<string>()
  private leaves = 0
  private readonly tests = new TestParser((path, message, more) => this.fault(path, message, more))
  private readonly language: FilterKeys
  private readonly names: ReadonlySet<string>

  constructor(language: FilterKeys, names: ReadonlySet<string>) {
    this.language = language
    this.names = names
  }

  filter(input: unknown, path: string, at: Place): FilterTree | undefined {
    if (!isRecord(input)) return this.fault(path, 'Filter must be an object')
    const keys = Object.keys(input)
    if (keys.length === 0) return this.fault(path, 'Filter object cannot be empty')
    if (keys.length > 1) {
      const unknown = keys.filter((key) => !this.isKey(key))
      const suggestion = unknown.length ? oneOfThem(unknown) : combined(keys)
      this.fault(path, 'Filter object must have exactly one key', { suggestion })
      for (const key of keys) if (this.isKey(key)) this.entry(key, input[key], path, at)
      return undefined
    }
    return this.entry(keys[0]!, input[keys[0]!], path, at)
  }

  private isKey(key: string): boolean {
    const { keys, tags } = this.language
    return keys.includes(key) || (tags && (key.startsWith(REVERSE) || key.includes('.')))
  }

  private entry(key: string, value: unknown, parent: string, at: Place): FilterTree | undefined {
    const path = parent ? `${parent}.${key}` : key
    if (key === 'and' || key === 'or' || key === 'not') {
      if (at.depth === MAX_NESTING)
        return this.fault(path, `Filter exceeds max nesting of ${MAX_NESTING} 'and', 'or' and 'not'`)
      return key === 'not' ? this.negation(value, path, at) : this.list(key, value, path, at)
    }
    this.leaves++
    if (this.leaves > MAX_LEAVES)
      return this.leaves === MAX_LEAVES + 1
        ? this.fault(path, `Filter exceeds max of ${MAX_LEAVES} conditions`)
        : undefined
    if (this.language.tags && key.includes(REVERSE)) this.notePossibleNames(key)
    return this.leaf({ key, hops: at.hops }, key, value, path)
  }

  private notePossibleNames(key: string): void {
    for (const segment of key.split(ARROW)) {
      const name = nameWithReverse(segment)
      if (name !== undefined) this.possibleNames.add(name)
    }
  }

  private negation(value: unknown, path: string, at: Place): FilterTree | undefined {
    const child = this.filter(value, path, { ...at, depth: at.depth + 1 })
    return child && { kind: 'not', child }
  }

  private list(kind: 'and' | 'or', value: unknown, path: string, at: Place): FilterTree | undefined {
    if (!Array.isArray(value)) return this.fault(path, `'${kind}' requires an array of at least 2 filters`)
    if (value.length < 2) this.fault(path, `'${kind}' requires at least 2 filters`)
    const children: FilterTree[] = []
    for (const [i, each] of value.entries()) {
      if (this.leaves > MAX_LEAVES || this.faults.length > MAX_PROBLEMS) break
      const child = this.filter(each, `${path}[${i}]`, { ...at, depth: at.depth + 1 })
      if (child) children.push(child)
    }
    return { kind, children }
  }

  /** `rest` is what of the key is still to be read: behind the arrows. */
  private leaf(whole: WholeKey, rest: string, value: unknown, path: string): LeafTree | undefined {
    const { key } = whole
    if (this.language.columns.includes(rest)) return this.column(rest as Column, value, path)
    if (key === 'search') {
      const form = readSearchForm(value, path, { bareOnly: !this.language.tags })
      return 'message' in form ? this.fault(form.path, form.message, form) : { kind: 'search', ...form }
    }
    return this.language.tags ? this.tagLeaf(whole, rest, value, path) : this.unknownKey(key, path)
  }

  private column(column: Column, value: unknown, path: string): LeafTree | undefined {
    const test = this.tests.parse(value, path)
    if (column === 'id' && Array.isArray(test?.operand) && test.operand.length > MAX_IDS)
      return this.fault(`${path}.${test.operator}`, `'${test.operator}' takes at most ${MAX_IDS} ids`)
    return test && { kind: 'column', column, test, path }
  }

  private tagLeaf(whole: WholeKey, rest: string, value: unknown, path: string): LeafTree | undefined {
    const { key } = whole
    const arrow = rest.indexOf(ARROW)
    if (isReverse(arrow >= 0 ? rest.slice(0, arrow) : rest, this.names))
      return this.reverse(whole, rest.slice(REVERSE.length), value, path)
    if (arrow >= 0) return this.hop(whole, rest, arrow, value, path)
    if (rest === 'has_tag') return this.hasTag(value, path)
    if (rest === 'changed_between') {
      const between = readChangedForm(value, path)
      return 'message' in between
        ? this.fault(between.path, between.message, between)
        : { kind: 'changed', between, path }
    }
    if (splits(rest)) {
      const test = this.tests.parse(value, path)
      return test && { kind: 'field', reference: rest, key, test, path }
    }
    if (key !== rest || rest.includes('.')) return this.fault(path, `Invalid dot-notation: '${key}'`)
    return this.unknownKey(key, path)
  }

  private unknownKey(key: string, path: string): undefined {
    const meant = nearest(key, this.language.keys)
    return this.fault(path, this.language.unknown, { suggestion: meant && `Did you mean '${meant}'?` })
  }

  private hop(
    whole: WholeKey,
    rest: string,
    arrow: number,
    value: unknown,
    path: string,
  ): LeafTree | undefined {
    const { key, hops } = whole
    if (key === rest && hops + hopsOf(key, this.names) > MAX_HOPS) return this.fault(path, TOO_MANY_HOPS)
    const reference = rest.slice(0, arrow)
    if (!splits(reference)) return this.fault(path, `Invalid dot-notation: '${key}'`)
    const target = this.leaf(whole, rest.slice(arrow + ARROW.length), value, path)
    return target && { kind: 'hop', reference, key, target, path }
  }

  /** Items that refer to this one, or to what the arrows before lead to. */
  private reverse(
    { key, hops }: WholeKey,
    reference: string,
    value: unknown,
    path: string,
  ): LeafTree | undefined {
    const taken = hops + hopsOf(key, this.names)
    if (taken > MAX_HOPS) return this.fault(path, TOO_MANY_HOPS)
    if (!splits(reference) || reference.includes(ARROW))
      return this.fault(path, `Invalid dot-notation: '${key}'`, {
        suggestion: 'After <-Tag.reference comes a filter for the items that refer',
      })
    const form = readReverseForm(value, path)
    if ('message' in form) return this.fault(form.path, form.message)
    const { count, filterPath } = form
    const filter =
      form.filter === undefined ? undefined : this.filter(form.filter, filterPath, { depth: 0, hops: taken })
    return { kind: 'reverse', reference, key, filter, count, path }
  }

  private hasTag(value: unknown, path: string): LeafTree | undefined {
    const form = readHasTag(value)
    if (form) return { kind: 'has_tag', ...form, path }
    return this.fault(path, `'has_tag' requires a string`, {
      suggestion: 'Give the name or the id of a tag',
    })
  }

  private fault(path: string, message: string, more?: { suggestion?: string | undefined }): undefined {
    if (this.faults.length <= MAX_PROBLEMS)
      this.faults.push({ path, message, ...(more?.suggestion && { suggestion: more.suggestion }) })
    return undefined
  }
}
