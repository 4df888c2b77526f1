import { isSet } from '#src/domain/field-schema.ts'
import { isVariantValue, type Ordered } from '#src/filter/language/operand-kinds.ts'
import { isRelativeTime, relativeTimeWords } from '#src/filter/language/relative-time.ts'
import type { Subject, SubjectType } from '#src/filter/language/subject.ts'

const ARTICLES: Partial<Record<SubjectType, string>> = { Text: 'a text', Id: 'an id', Time: 'a time' }

export const withArticle = (type: SubjectType): string => ARTICLES[type] ?? `a ${type}`

export function quote(value: unknown): string {
  if (isRelativeTime(value)) return relativeTimeWords(value)
  return JSON.stringify(isVariantValue(value) ? value.variant : value)
}

/** What the subject is compared with, as its readers know it. */
export const said = ({ say }: Subject, value: unknown): string => (say ?? quote)(value)

const MAX_BRIEF = 100
/** For remarks: a long operand is not said again. */
export function brief(value: unknown): string {
  const text = quote(value)
  return text.length > MAX_BRIEF ? `${text.slice(0, MAX_BRIEF)}…` : text
}

export function isWords(subject: Subject, operand: unknown): string {
  const { type } = subject
  if (operand === null) return 'has no value'
  if (type === 'File') return `has a file named ${quote(operand)}`
  return isSet(type) ? `is exactly ${setWords(operand)}` : `is ${said(subject, operand)}`
}

export function isNotWords(subject: Subject, operand: unknown): string {
  const { type } = subject
  if (operand === null) return 'has a value'
  if (isSet(type)) return `has a value other than exactly ${setWords(operand)}`
  return type === 'Boolean'
    ? `is not ${quote(operand)} or has no value`
    : `has a value other than ${said(subject, operand)}`
}

const setWords = (operand: unknown): string =>
  Array.isArray(operand) ? operand.map(quote).join(' and ') || 'the empty set' : quote(operand)

export function matchesWords(_: Subject, pattern: string): string {
  return `matches the regular expression ${quote(pattern)}`
}

/** By the order of the subject's type. */
export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

const KINDS: Partial<Record<SubjectType, keyof typeof COMPARISON_WORDS>> = {
  Number: 'number',
  Date: 'date',
  DateTime: 'date',
  Time: 'date',
  Select: 'variant',
}
const COMPARISON_WORDS: Record<'number' | 'date' | 'text' | 'variant', Record<Comparison, string>> = {
  number: { gt: 'is greater than', gte: 'is at least', lt: 'is less than', lte: 'is at most' },
  date: { gt: 'is after', gte: 'is on or after', lt: 'is before', lte: 'is on or before' },
  text: { gt: 'sorts after', gte: 'is or sorts after', lt: 'sorts before', lte: 'is or sorts before' },
  variant: { gt: 'comes after', gte: 'is or comes after', lt: 'comes before', lte: 'is or comes before' },
}

export function comparisonWords(comparison: Comparison, subject: Subject, operand: Ordered): string {
  return `${COMPARISON_WORDS[KINDS[subject.type] ?? 'text'][comparison]} ${said(subject, operand)}`
}
