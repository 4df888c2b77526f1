import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { ChangedTime } from '#src/filter/language/changed-form.ts'
import { relativeTimeWords } from '#src/filter/language/relative-time.ts'
import type { CountTest } from '#src/filter/language/reverse-form.ts'
import { type SearchForm, textsOf } from '#src/filter/language/search-form.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import { quote } from '#src/filter/language/operator-words.ts'
import { OPERATORS, type Operator } from '#src/filter/language/operators.ts'
import { columnSubject, subjectOf } from '#src/filter/meaning/plan-filter.ts'
import type { Subject, SubjectType } from '#src/filter/language/subject.ts'

/** How values of a subject are said, where that is not as JSON; of a column there is no field. */
export type SayOf = (
  type: SubjectType,
  reference?: FieldReference,
) => ((value: unknown) => string) | undefined

/** The filter as an English clause about one item: `Task.priority is at least 3 and (has tag Urgent or …)`. */
export function filterWords(filter: BoundFilter, sayOf: SayOf = () => undefined): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.children.map((child) => operandWords(child, sayOf)).join(` ${filter.kind} `)
    case 'not':
      return `not (${filterWords(filter.child, sayOf)})`
    case 'search':
    case 'changed':
    case 'has_tag':
    case 'column':
    case 'field':
    case 'hop':
    case 'reverse':
      return leafWords(filter, sayOf)
  }
}

const operandWords = (filter: BoundFilter, sayOf: SayOf): string =>
  filter.kind === 'and' || filter.kind === 'or'
    ? `(${filterWords(filter, sayOf)})`
    : filterWords(filter, sayOf)

const LINKS: Partial<Record<BoundLeaf['kind'], string>> = {
  has_tag: 'that',
  changed: 'that was',
  reverse: 'of which it is true that',
}

function leafWords(leaf: BoundLeaf, sayOf: SayOf): string {
  switch (leaf.kind) {
    case 'search':
      return searchWords(leaf)
    case 'has_tag': {
      if (!leaf.tag) return 'has no tag'
      if (leaf.exact) return `has the tag ${leaf.tag.name} itself`
      const others = leaf.tags.length - 1
      const below =
        others === 0 ? '' : ` or ${others === 1 ? 'the tag' : `one of ${others} tags`} that extends it`
      return `has the tag ${leaf.tag.name}${below}`
    }
    case 'changed':
      return `changed from ${timeWords(leaf.between[0])} on and before ${timeWords(leaf.between[1])}`
    case 'column':
      return testWords(columnSubject(leaf.column), leaf.test, sayOf)
    case 'field':
      return testWords(subjectOf(leaf.reference), leaf.test, sayOf, leaf.reference)
    case 'hop': {
      const { tag, name } = leaf.reference
      const target = leafWords(leaf.target, sayOf)
      const link = LINKS[leaf.target.kind] ?? 'whose'
      return `${tag.name}.${name} refers to an item ${link} ${target}`
    }
    case 'reverse':
      return reverseWords(leaf, sayOf)
  }
}

function searchWords({ text, in: places = ['name', 'description'], match }: SearchForm): string {
  if (text === '') return 'anything'
  const where = places.length > 2 ? 'name, description or values' : places.join(' or ')
  const verb = places.length === 1 && places[0] === 'values' ? 'contain' : 'contains'
  const texts = textsOf({ text }).map(quote)
  const what = texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)!}` : texts[0]!
  if (match === 'any') return `${where} ${verb === 'contain' ? 'have' : 'has'} words of ${what}`
  return `${where} ${verb} ${match === 'words' ? 'all words of ' : ''}${what} in any case`
}

const timeWords = (time: ChangedTime): string => (typeof time === 'string' ? time : relativeTimeWords(time))

const COUNT_WORDS: Record<CountTest['comparison'], string> = {
  eq: 'exactly',
  neq: 'not exactly',
  gt: 'more than',
  gte: 'at least',
  lt: 'fewer than',
  lte: 'at most',
}

function reverseWords(
  { reference, filter, count }: Extract<BoundLeaf, { kind: 'reverse' }>,
  sayOf: SayOf,
): string {
  const { comparison, count: n } = count ?? { comparison: 'gte', count: 1 }
  const [items, satisfy] = n === 1 ? ['item refers', 'satisfies'] : ['items refer', 'satisfy']
  const which = filter ? ` and ${satisfy} (${filterWords(filter, sayOf)})` : ''
  return `${COUNT_WORDS[comparison]} ${n} ${items} to it by ${reference.tag.name}.${reference.name}${which}`
}

function testWords(
  subject: Subject,
  { operator, operand, given }: FieldTest,
  sayOf: SayOf,
  reference?: FieldReference,
): string {
  const row: Operator = OPERATORS[operator]
  // As it was written: a relative time is not yet a date.
  const written = typeof given === 'object' && given !== null && !Array.isArray(given)
  const said = written ? (given as Record<string, unknown>)[operator] : operand
  return `${subject.label} ${row.words({ ...subject, say: sayOf(subject.type, reference) }, said)}`
}
