import type { FieldType } from '#src/domain/field-schema.ts'
import { patternFault } from '#src/domain/pattern.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { isMoment, otherSpelling } from '#src/filter/moment.ts'
import type { IndexValue, ValueTest } from '#src/filter/plan.ts'

/** What an operator looks at: a field by its type, or `Text`: the item's name or description. */
export type SubjectType = FieldType | 'Text'

export interface Subject {
  /** As the reader knows it: `Task.priority`, `name`. */
  readonly label: string
  readonly type: SubjectType
  /** Of a Select or MultiSelect, in order. */
  readonly variants: readonly string[]
}

/** What a test needs to know besides subject and operand, and where it leaves its remarks. */
export interface Binding {
  rowId(item_id: Ulid): number | undefined
  warn(message: string): void
}

export type TestResult = ValueTest | 'always' | 'never'

export interface Operator {
  readonly appliesTo: readonly SubjectType[]
  readonly operand: OperandKind
  /** Called with subjects that it applies to and operands that it accepts. */
  test(subject: Subject, operand: unknown, binding: Binding): TestResult
  /** What follows the subject in English. */
  words(subject: Subject, operand: unknown): string
}

interface OperandKind<Operand = unknown> {
  /** `'gt' requires ${requires}` */
  readonly requires: string
  accepts(value: unknown): value is Operand
  /** A fault within an operand of the right type. */
  fault?(value: Operand): string | undefined
}

type Scalar = string | number | boolean
interface VariantValue {
  variant: string
}
type Element = Scalar | VariantValue | null

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNumber = (value: unknown): value is string | number =>
  isText(value) || typeof value === 'number'
const isScalar = (value: unknown): value is Scalar => isTextOrNumber(value) || typeof value === 'boolean'
const isVariantValue = (value: unknown): value is VariantValue =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  isText((value as { variant?: unknown }).variant)
const isElement = (value: unknown): value is Element =>
  value === null || isScalar(value) || isVariantValue(value)

const A_STRING: OperandKind<string> = { requires: 'a string', accepts: isText }
const A_BOOLEAN: OperandKind<boolean> = {
  requires: 'a boolean',
  accepts: (value) => typeof value === 'boolean',
}
const A_PATTERN: OperandKind<string> = { ...A_STRING, fault: patternFault }
const ORDERED: OperandKind<string | number> = {
  requires: 'a number, string, or date',
  accepts: isTextOrNumber,
}
const A_LIST: OperandKind<Element[]> = {
  requires: 'an array',
  accepts: (value) => Array.isArray(value),
  fault: (list) =>
    list.every(isElement) ? undefined : 'the array may hold strings, numbers, booleans and {variant} objects',
}
const A_VALUE: OperandKind<Element | string[]> = {
  requires: 'a string, number, boolean, null, {variant} object, or array of strings',
  accepts: (value): value is Element | string[] =>
    isElement(value) || (Array.isArray(value) && value.every(isText)),
}

const TEXTS: readonly SubjectType[] = ['Text', 'String']
const ANY: readonly SubjectType[] = [
  'Text',
  'String',
  'Number',
  'Boolean',
  'Date',
  'Reference',
  'Select',
  'MultiSelect',
]

const operator = <Operand>(row: {
  appliesTo: readonly SubjectType[]
  operand: OperandKind<Operand>
  test(subject: Subject, operand: Operand, binding: Binding): TestResult
  words(subject: Subject, operand: Operand): string
}) => row as unknown as Operator

/** The operators of the filter language (specification, Operators), in the order in which they are named to users. */
export const OPERATORS = {
  eq: operator({ appliesTo: ANY, operand: A_VALUE, test: equals, words: isWords }),
  neq: operator({ appliesTo: ANY, operand: A_VALUE, test: differs, words: isNotWords }),
  gt: ordering('gt', ['Text', 'String', 'Number', 'Date', 'Select']),
  gte: ordering('gte', ['Text', 'String', 'Number', 'Date', 'Select']),
  lt: ordering('lt', ['Text', 'String', 'Number', 'Date', 'Select']),
  lte: ordering('lte', ['Text', 'String', 'Number', 'Date', 'Select']),
  select_gt: ordering('gt', ['Select'], A_STRING),
  select_gte: ordering('gte', ['Select'], A_STRING),
  select_lt: ordering('lt', ['Select'], A_STRING),
  select_lte: ordering('lte', ['Select'], A_STRING),
  match: operator({
    appliesTo: ['Select', 'MultiSelect'],
    operand: A_STRING,
    test: (subject, name, binding) => oneOf([name], subject, binding),
    words: ({ type }, name) => `${type === 'Select' ? 'is' : 'includes'} ${quote(name)}`,
  }),
  regex: operator({ appliesTo: TEXTS, operand: A_PATTERN, test: matches, words: matchesWords }),
  matches: operator({ appliesTo: TEXTS, operand: A_PATTERN, test: matches, words: matchesWords }),
  contains: operator({
    appliesTo: TEXTS,
    operand: A_STRING,
    test: (_, text) => ({ test: 'substring', text }),
    words: (_, text) => `contains ${quote(text)}`,
  }),
  starts_with: operator({
    appliesTo: TEXTS,
    operand: A_STRING,
    test: (_, text) => ({ test: 'prefix', text }),
    words: (_, text) => `starts with ${quote(text)}`,
  }),
  in: operator({
    appliesTo: ANY,
    operand: A_LIST,
    test: (subject, list, binding) => oneOf(list, subject, binding),
    words: ({ type }, list) =>
      `${type === 'MultiSelect' ? 'includes' : 'is'} one of ${list.map(quote).join(', ') || 'nothing'}`,
  }),
  exists: operator({
    appliesTo: ANY,
    operand: A_BOOLEAN,
    test: (_, wanted) => ({ test: wanted ? 'present' : 'absent' }),
    words: (_, wanted) => (wanted ? 'has a value' : 'has no value'),
  }),
  is_null: operator({
    appliesTo: ANY,
    operand: A_BOOLEAN,
    test: (_, wanted) => ({ test: wanted ? 'absent' : 'present' }),
    words: (_, wanted) => (wanted ? 'has no value' : 'has a value'),
  }),
} satisfies Record<string, Operator>

export type OperatorName = keyof typeof OPERATORS

function equals(subject: Subject, operand: Element | string[], binding: Binding): TestResult {
  if (operand === null) return { test: 'absent' }
  if (subject.type === 'MultiSelect') {
    const values = variantSet(subject, operand, binding)
    return values ? { test: 'same_set', values, negated: false } : 'never'
  }
  return oneOf([operand], subject, binding)
}

function differs(subject: Subject, operand: Element | string[], binding: Binding): TestResult {
  if (operand === null) return { test: 'present' }
  if (subject.type === 'MultiSelect') {
    const values = variantSet(subject, operand, binding)
    return values ? { test: 'same_set', values, negated: true } : { test: 'present' }
  }
  const or_absent = subject.type === 'Boolean'
  const values = indexValues(subject, operand, binding)
  if (values.length) return { test: 'none_of', values, or_absent }
  return or_absent ? 'always' : { test: 'present' }
}

function oneOf(
  list: readonly (Element | readonly string[])[],
  subject: Subject,
  binding: Binding,
): TestResult {
  const values = list.flatMap((each) => (each === null ? [] : indexValues(subject, each, binding)))
  return values.length ? { test: 'one_of', values: [...new Set(values)] } : 'never'
}

function variantSet(
  subject: Subject,
  operand: Element | string[],
  binding: Binding,
): readonly string[] | undefined {
  const names = isText(operand) ? [operand] : operand
  if (!Array.isArray(names)) {
    mismatch(subject, operand, binding)
    return undefined
  }
  for (const name of names) checkVariant(subject, name, binding)
  return [...new Set<string>(names)]
}

/** The values in the index that equal the operand: none where its type is not the subject's. */
function indexValues(
  subject: Subject,
  operand: Exclude<Element, null> | readonly string[],
  binding: Binding,
): IndexValue[] {
  const { type } = subject
  if (type === 'Number' && typeof operand === 'number') return [operand]
  if (type === 'Boolean' && typeof operand === 'boolean') return [operand ? 1 : 0]
  if (type === 'Select' && isVariantValue(operand)) return [checkVariant(subject, operand.variant, binding)]
  if (isText(operand))
    switch (type) {
      case 'Text':
        return [operand]
      case 'Date':
      case 'String': {
        checkMoment(subject, operand, binding)
        const other = otherSpelling(operand)
        return other === undefined ? [operand] : [operand, other]
      }
      case 'Select':
      case 'MultiSelect':
        return [checkVariant(subject, operand, binding)]
      case 'Reference': {
        const item_id = parseUlid(operand)
        const id = item_id === null ? undefined : binding.rowId(item_id)
        if (id === undefined) binding.warn(`No item has the id ${quote(operand)}`)
        return id === undefined ? [] : [id]
      }
      case 'Number':
      case 'Boolean':
        break
    }
  mismatch(subject, operand, binding)
  return []
}

type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

function ordering(
  comparison: Comparison,
  appliesTo: readonly SubjectType[],
  operand: OperandKind<string> | OperandKind<string | number> = ORDERED,
) {
  return operator<string | number>({
    appliesTo,
    operand,
    test: (subject, operand, binding) => compare(comparison, subject, operand, binding),
    words: (subject, operand) => comparisonWords(comparison, subject, operand),
  })
}

function compare(
  comparison: Comparison,
  subject: Subject,
  operand: string | number,
  binding: Binding,
): TestResult {
  const { type, variants } = subject
  if ((type === 'Number') !== (typeof operand === 'number')) {
    mismatch(subject, operand, binding)
    return 'never'
  }
  if (type === 'Select') {
    const position = variants.indexOf(checkVariant(subject, String(operand), binding))
    if (position < 0) return 'never'
    const values = {
      gt: variants.slice(position + 1),
      gte: variants.slice(position),
      lt: variants.slice(0, position),
      lte: variants.slice(0, position + 1),
    }[comparison]
    return values.length ? { test: 'one_of', values } : 'never'
  }
  const inclusive = comparison === 'gte' || comparison === 'lte'
  const bound = { value: operand, inclusive }
  const range = comparison === 'gt' || comparison === 'gte' ? { lower: bound } : { upper: bound }
  checkMoment(subject, String(operand), binding)
  const other = type === 'Date' || type === 'String' ? otherSpelling(String(operand)) : undefined
  if (other === undefined) return { test: 'range', ...range }
  // The other spelling is equal in time, whichever side of the operand the order of code points puts it on.
  const isWithin = range.lower ? other > operand : other < operand
  if (isWithin === inclusive) return { test: 'range', ...range }
  return inclusive ? { test: 'range', ...range, also: [other] } : { test: 'range', ...range, except: [other] }
}

function matches(_: Subject, pattern: string): TestResult {
  return { test: 'regex', pattern }
}

function checkVariant({ label, variants }: Subject, name: string, binding: Binding): string {
  if (!variants.includes(name))
    binding.warn(`${label} has no variant ${quote(name)}; it has: ${variants.map(quote).join(', ')}`)
  return name
}

function checkMoment({ label, type }: Subject, text: string, binding: Binding): void {
  if (type === 'Date' && !isMoment(text))
    binding.warn(`${quote(text)} is not a date, so ${label} is compared with it as text`)
}

function mismatch({ label, type }: Subject, operand: unknown, binding: Binding): void {
  binding.warn(`${label} is ${withArticle(type)} and never equals or compares with ${quote(operand)}`)
}

export const withArticle = (type: SubjectType): string => `a ${type === 'Text' ? 'text' : type}`

export const quote = (value: unknown): string =>
  isVariantValue(value) ? JSON.stringify(value.variant) : JSON.stringify(value)

function isWords({ type }: Subject, operand: unknown): string {
  if (operand === null) return 'has no value'
  return type === 'MultiSelect' ? `is exactly ${setWords(operand)}` : `is ${quote(operand)}`
}

function isNotWords({ type }: Subject, operand: unknown): string {
  if (operand === null) return 'has a value'
  if (type === 'MultiSelect') return `has a value other than exactly ${setWords(operand)}`
  return type === 'Boolean'
    ? `is not ${quote(operand)} or has no value`
    : `has a value other than ${quote(operand)}`
}

const setWords = (operand: unknown): string =>
  Array.isArray(operand) ? operand.map(quote).join(' and ') || 'the empty set' : quote(operand)

function matchesWords(_: Subject, pattern: string): string {
  return `matches the regular expression ${quote(pattern)}`
}

const COMPARISON_WORDS: Record<'number' | 'date' | 'text' | 'variant', Record<Comparison, string>> = {
  number: { gt: 'is greater than', gte: 'is at least', lt: 'is less than', lte: 'is at most' },
  date: { gt: 'is after', gte: 'is on or after', lt: 'is before', lte: 'is on or before' },
  text: { gt: 'sorts after', gte: 'is or sorts after', lt: 'sorts before', lte: 'is or sorts before' },
  variant: { gt: 'comes after', gte: 'is or comes after', lt: 'comes before', lte: 'is or comes before' },
}

function comparisonWords(comparison: Comparison, { type }: Subject, operand: string | number): string {
  const kind =
    type === 'Number' ? 'number' : type === 'Date' ? 'date' : type === 'Select' ? 'variant' : 'text'
  return `${COMPARISON_WORDS[kind][comparison]} ${quote(operand)}`
}
