import { COLUMN_TYPES, type SubjectType } from '#src/filter/language/subject.ts'
import { OPERATORS, type Operator, type OperatorName } from '#src/filter/language/operators.ts'
import { readHasTag } from '#src/filter/language/has-tag-form.ts'
import { type CountTest, readReverseForm, type ReverseForm } from '#src/filter/language/reverse-form.ts'
import { readSearchForm, type SearchForm } from '#src/filter/language/search-form.ts'
import { isReference, isSet } from '#src/domain/field-schema.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { fieldsOf, type FilterField } from '#web/rules/filter-fields.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

export type { SubjectType }

export const ARROW = '->'
export const REVERSE = '<-'
/** As many references as the service follows. */
export const MAX_HOPS = 5

/** One condition of a filter, taken apart. */
export interface Condition {
  not: boolean
  /** References that are followed first: `Task.assignee`. */
  hops: readonly string[]
  /** `name`, `search`, `has_tag`, `Task.status`, `<-Task.project`. */
  subject: string
  value: unknown
}

/** null: it joins others, or is no condition. */
export function readCondition(filter: Filter): Condition | null {
  const [key, ...others] = Object.keys(filter)
  if (key === undefined || others.length || key === 'and' || key === 'or') return null
  const value = filter[key]
  if (key === 'not') {
    const inner = typeof value === 'object' && value !== null ? readCondition(value as Filter) : null
    return inner && !inner.not ? { ...inner, not: true } : null
  }
  const hops = key.split(ARROW)
  return { not: false, hops: hops.slice(0, -1), subject: hops.at(-1)!, value }
}

export function writeCondition({ not, hops, subject, value }: Condition): Filter {
  const condition = { [[...hops, subject].join(ARROW)]: value }
  return not ? { not: condition } : condition
}

/** What a condition is about. */
export type SubjectKind =
  | { kind: 'search' }
  | { kind: 'has_tag' }
  /** Two times. */
  | { kind: 'changed' }
  | { kind: 'reverse'; field: FilterField | undefined }
  | { kind: 'value'; type: SubjectType; field: FilterField | undefined }
  /** A tag or field that is not there, or not any more. */
  | { kind: 'unknown' }

export function subjectKind(subject: string, tags: readonly FilterTag[]): SubjectKind {
  if (subject === 'search') return { kind: 'search' }
  if (subject === 'has_tag') return { kind: 'has_tag' }
  if (subject === 'changed_between') return { kind: 'changed' }
  if (Object.hasOwn(COLUMN_TYPES, subject))
    return { kind: 'value', type: COLUMN_TYPES[subject as keyof typeof COLUMN_TYPES], field: undefined }
  if (subject.startsWith(REVERSE))
    return { kind: 'reverse', field: fieldNamed(subject.slice(REVERSE.length), tags) }
  const field = fieldNamed(subject, tags)
  return field ? { kind: 'value', type: field.type, field } : { kind: 'unknown' }
}

export function fieldNamed(reference: string, tags: readonly FilterTag[]): FilterField | undefined {
  const dot = reference.lastIndexOf('.')
  const [tag, name] = [reference.slice(0, dot), reference.slice(dot + 1)]
  const found =
    tags.find(({ tag_id }) => tag_id === tag.toUpperCase()) ?? tags.find((each) => each.name === tag)
  return found && fieldsOf(found).find((field) => field.name === name)
}

/** An operator with what follows it. */
export interface Test {
  operator: OperatorName
  operand: unknown
}

/** A bare value is `eq`; null: it is none that can be read. */
export function readTest(value: unknown): Test | null {
  if (value === null || typeof value !== 'object') return { operator: 'eq', operand: value }
  const [name, ...others] = Object.keys(value)
  if (Array.isArray(value) || name === undefined || others.length || !Object.hasOwn(OPERATORS, name))
    return null
  return { operator: name as OperatorName, operand: (value as Record<string, unknown>)[name] }
}

/** How many values an operator takes. */
export type OperandCount = 'none' | 'one' | 'many'

export interface OperatorChoice {
  /** Unique among the choices of its type: what follows the subject in English. */
  words: string
  operator: OperatorName
  count: OperandCount
  /** Of `none`: what is written. */
  fixed?: boolean
}

const PLACE = '…'
/** The words of an operator without what follows it: made by the operator itself. */
const bare = (words: string) => words.replace(`"${PLACE}"`, '').trim()

/** What can be said of a subject of this type, from the one table of operators; what would read alike appears once. */
export function operatorChoices(type: SubjectType): OperatorChoice[] {
  const subject = { label: '', type, variants: [] }
  const choices = Object.entries<Operator>(OPERATORS).flatMap(([name, row]): OperatorChoice[] => {
    if (!row.appliesTo.includes(type)) return []
    const operator = name as OperatorName
    if (row.operand.accepts(true) && !row.operand.accepts(PLACE))
      return [true, false].map((fixed) => ({
        words: row.words(subject, fixed),
        operator,
        count: 'none',
        fixed,
      }))
    const many = !row.operand.accepts(PLACE) || (isSet(type) && (name === 'eq' || name === 'neq'))
    return [
      { words: bare(row.words(subject, many ? [PLACE] : PLACE)), operator, count: many ? 'many' : 'one' },
    ]
  })
  return choices.filter(({ words }, i) => choices.findIndex((each) => each.words === words) === i)
}

/** The choice that says what the test says. */
export function choiceOf({ operator, operand }: Test, type: SubjectType): OperatorChoice | undefined {
  const row: Operator = OPERATORS[operator]
  const subject = { label: '', type, variants: [] }
  const choices = operatorChoices(type)
  if (operand === null || row.operand === OPERATORS.exists.operand) {
    const words = row.words(subject, operand)
    return choices.find((choice) => choice.words === words)
  }
  const many = Array.isArray(operand)
  const words = bare(row.words(subject, many ? [PLACE] : PLACE))
  return choices.find((choice) => choice.words === words)
}

const FIRST: Partial<Record<SubjectType, OperatorName>> = {
  Text: 'contains',
  String: 'contains',
  MultiSelect: 'in',
  MultiReference: 'in',
  File: 'contains',
  Date: 'gte',
  DateTime: 'gte',
  Time: 'gte',
}

/** What most people mean. */
export function firstChoice(type: SubjectType): OperatorChoice {
  const choices = operatorChoices(type)
  return choices.find(({ operator }) => operator === FIRST[type]) ?? choices[0]!
}

/** Whether a value of the type is compared with dates, which may be relative. */
export const isTimely = (type: SubjectType): boolean =>
  type === 'Date' || type === 'DateTime' || type === 'Time'

export const leadsOn = (field: FilterField | undefined): boolean => isReference(field?.type)

/** A condition that lets in what it left out because there was no value. */
export const orNothing = (condition: Filter, key: string): Filter => ({
  or: [condition, { [key]: { exists: false } }],
})

export { readHasTag }
export type { CountTest }
export const COMPARISONS: readonly CountTest['comparison'][] = ['gte', 'gt', 'eq', 'neq', 'lt', 'lte']

/** What is under `search`; undefined where it is malformed. */
export function searchOf(value: unknown): SearchForm | undefined {
  const form = readSearchForm(value, '', { bareOnly: false })
  return 'message' in form ? undefined : form
}

/** As short as it can be written. */
export function searchValue({ text, in: places, match }: SearchForm): unknown {
  if (!places && !match) return text
  return { text, ...(places && { in: places }), ...(match && { match }) }
}

/** What is under `<-Tag.ref`; undefined where it is malformed. */
export function reverseOf(value: unknown): Pick<ReverseForm, 'filter' | 'count'> | undefined {
  const form = readReverseForm(value, '')
  return 'message' in form ? undefined : form
}

export function reverseValue(filter: unknown, { comparison, count }: CountTest): unknown {
  const some = comparison === 'gte' && count === 1
  if (filter === undefined) return { count: { [comparison]: count } }
  return some ? filter : { filter, count: { [comparison]: count } }
}

/** How `has_tag` names a tag; with `exact` those that extend it do not count. */
export function hasTagValue(tag: string | null, exact: boolean): unknown {
  return tag !== null && exact ? { name: { eq: tag }, exact: true } : tag
}
