import { FIELD_TYPES, isMany } from '#src/domain/field-schema.ts'
import {
  A_BOOLEAN,
  A_LIST,
  A_PATTERN,
  A_STRING,
  AN_ENDING,
  endingIn,
  A_VALUE,
  type OperandKind,
  ORDERED,
  type Ordered,
} from '#src/filter/language/operand-kinds.ts'
import {
  type Binding,
  compare,
  differs,
  equals,
  isOneOf,
  type TestResult,
} from '#src/filter/language/operator-tests.ts'
import {
  type Comparison,
  comparisonWords,
  isNotWords,
  isWords,
  matchesWords,
  quote,
  said,
} from '#src/filter/language/operator-words.ts'
import type { Subject, SubjectType } from '#src/filter/language/subject.ts'

export interface Operator {
  /** For the reference. */
  readonly meaning: string
  readonly appliesTo: readonly SubjectType[]
  readonly operand: OperandKind
  /** Called with subjects that it applies to and operands that it accepts. */
  test(subject: Subject, operand: unknown, binding: Binding): TestResult
  /** What follows the subject in English. */
  words(subject: Subject, operand: unknown): string
}

const TEXTS: readonly SubjectType[] = ['Text', 'String', 'File']
/** Everything that an operator can be about but ids and times, which every item has. */
export const ANY: readonly SubjectType[] = ['Text', ...FIELD_TYPES]

/** The same without files, which are looked at by their names. */
const PLAIN: readonly SubjectType[] = ANY.filter((type) => type !== 'File')

/** What has an order. */
const ORDERLY: readonly SubjectType[] = ['Text', 'String', 'Number', 'Date', 'DateTime', 'Select', 'Time']

const operator = <Operand>(row: {
  meaning: string
  appliesTo: readonly SubjectType[]
  operand: OperandKind<Operand>
  test(subject: Subject, operand: Operand, binding: Binding): TestResult
  words(subject: Subject, operand: Operand): string
}) => row as unknown as Operator

const ORDERS: Record<Comparison, string> = {
  gt: 'The value comes after the operand',
  gte: 'The value is the operand or comes after it',
  lt: 'The value comes before the operand',
  lte: 'The value is the operand or comes before it',
}

/** The operators of the filter language (specification, Operators), in the order in which they are named to users. */
export const OPERATORS = {
  eq: operator({
    meaning:
      'The value is the operand. null: no value. A MultiSelect or MultiReference is compared as a set; a bare string is a set of one. Of a File: one of its files has this name.',
    appliesTo: [...ANY, 'Id', 'Time'],
    operand: A_VALUE,
    test: equals,
    words: isWords,
  }),
  neq: operator({
    meaning:
      'There is a value and it is not the operand. null: there is a value. A Boolean without a value matches too.',
    appliesTo: [...PLAIN, 'Id', 'Time'],
    operand: A_VALUE,
    test: differs,
    words: isNotWords,
  }),
  gt: ordering('gt', ORDERLY),
  gte: ordering('gte', ORDERLY),
  lt: ordering('lt', ORDERLY),
  lte: ordering('lte', ORDERLY),
  select_gt: ordering('gt', ['Select'], A_STRING),
  select_gte: ordering('gte', ['Select'], A_STRING),
  select_lt: ordering('lt', ['Select'], A_STRING),
  select_lte: ordering('lte', ['Select'], A_STRING),
  match: operator({
    meaning:
      'The variant has this name, or one of the chosen variants has; one of the referenced items has this id.',
    appliesTo: ['Select', 'MultiSelect', 'MultiReference'],
    operand: A_STRING,
    test: (subject, name, binding) => isOneOf([name], subject, binding),
    words: ({ type }, name) => `${type === 'Select' ? 'is' : 'includes'} ${quote(name)}`,
  }),
  regex: operator({
    meaning: 'The RE2 pattern matches somewhere in the text; `(?i)` ignores case.',
    appliesTo: TEXTS,
    operand: A_PATTERN,
    test: (_, pattern) => ({ test: 'regex', pattern }),
    words: matchesWords,
  }),
  matches: operator({
    meaning: 'The same as `regex`.',
    appliesTo: TEXTS,
    operand: A_PATTERN,
    test: (_, pattern) => ({ test: 'regex', pattern }),
    words: matchesWords,
  }),
  contains: operator({
    meaning: 'The text is part of the value; case counts.',
    appliesTo: TEXTS,
    operand: A_STRING,
    test: (_, text) => ({ test: 'substring', text }),
    words: (_, text) => `contains ${quote(text)}`,
  }),
  starts_with: operator({
    meaning: 'The value begins with the text; case counts.',
    appliesTo: TEXTS,
    operand: A_STRING,
    test: (_, text) => ({ test: 'prefix', text }),
    words: (_, text) => `starts with ${quote(text)}`,
  }),
  ends_with: operator({
    meaning: 'The value ends with the text; case counts.',
    appliesTo: TEXTS,
    operand: AN_ENDING,
    test: (_, text) => ({ test: 'regex', pattern: endingIn(text) }),
    words: (_, text) => `ends with ${quote(text)}`,
  }),
  in: operator({
    meaning:
      'The value, or one of the several, is in the array. An empty array and null in it match nothing.',
    appliesTo: [...PLAIN, 'Id'],
    operand: A_LIST,
    test: (subject, list, binding) => isOneOf(list, subject, binding),
    words: (subject, list) => {
      const values = list.map((each) => said(subject, each)).join(', ')
      return `${isMany(subject.type) ? 'includes' : 'is'} one of ${values || 'nothing'}`
    },
  }),
  exists: operator({
    meaning: 'true: there is a value; false: there is none.',
    appliesTo: ANY,
    operand: A_BOOLEAN,
    test: (_, wanted) => ({ test: wanted ? 'present' : 'absent' }),
    words: (_, wanted) => (wanted ? 'has a value' : 'has no value'),
  }),
  is_null: operator({
    meaning: 'true: there is no value; false: there is one.',
    appliesTo: ANY,
    operand: A_BOOLEAN,
    test: (_, wanted) => ({ test: wanted ? 'absent' : 'present' }),
    words: (_, wanted) => (wanted ? 'has no value' : 'has a value'),
  }),
  dangling: operator({
    meaning:
      'true: there is a value, and its item (one of them) is deleted or purged; false: there is a value, and all its items live.',
    appliesTo: ['Reference', 'MultiReference'],
    operand: A_BOOLEAN,
    test: (_, dangling) => ({ test: 'dangling', dangling }),
    words: ({ type }, dangling) =>
      type === 'MultiReference'
        ? `refers to ${dangling ? 'an item that is deleted' : 'living items alone'}`
        : `refers to ${dangling ? 'an item that is deleted' : 'a living item'}`,
  }),
  // Of a sub-field, and of a field that has left the schema, plan-filter.ts knows more.
  outdated: operator({
    meaning:
      'true: there is a value that does not fit the present schema, or its field has left it; false: there is a value, and it fits.',
    appliesTo: FIELD_TYPES,
    operand: A_BOOLEAN,
    test: ({ type, variants }) =>
      type === 'Select' || type === 'MultiSelect' ? { test: 'misfit', variants } : { test: 'misfit' },
    words: (_, outdated) =>
      outdated ? 'has a value that does not fit the schema' : 'has a value that fits the schema',
  }),
} satisfies Record<string, Operator>

export type OperatorName = keyof typeof OPERATORS

export const operatorsFor = (type: SubjectType): string[] =>
  Object.entries<Operator>(OPERATORS).flatMap(([name, { appliesTo }]) =>
    appliesTo.includes(type) ? [name] : [],
  )

/** Comparison by the order of the subject's type. */
function ordering(
  comparison: Comparison,
  appliesTo: readonly SubjectType[],
  operand: OperandKind<string> | OperandKind<Ordered> = ORDERED,
) {
  return operator<Ordered>({
    meaning: `${ORDERS[comparison]}${operand === ORDERED ? '' : ', by the position of the variant'}.`,
    appliesTo,
    operand,
    test: (subject, operand, binding) => compare(comparison, subject, operand, binding),
    words: (subject, operand) => comparisonWords(comparison, subject, operand),
  })
}
