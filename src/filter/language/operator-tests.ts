import { isSet } from '#src/domain/field-schema.ts'
import { comparedTime, type IsoTime, parseIsoTime } from '#src/domain/iso-time.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { isMoment, otherSpelling } from '#src/filter/language/moment.ts'
import { type Element, isText, isVariantValue, type Ordered } from '#src/filter/language/operand-kinds.ts'
import { brief, type Comparison, withArticle } from '#src/filter/language/operator-words.ts'
import type { IndexValue, ValueTest } from '#src/filter/meaning/plan.ts'
import type { Subject } from '#src/filter/language/subject.ts'

/** What a test needs to know besides subject and operand, and where it leaves its remarks. */
export interface Binding {
  rowId(item_id: Ulid): number | undefined
  /** The remark is made only where it is wanted. */
  warn(remark: () => string): void
}

export type TestResult = ValueTest | 'always' | 'never'

export function equals(subject: Subject, operand: Element | string[], binding: Binding): TestResult {
  if (operand === null) return { test: 'absent' }
  if (isSet(subject.type)) {
    const values = elementSet(subject, operand, binding)
    return values ? { test: 'same_set', values, negated: false } : 'never'
  }
  return isOneOf([operand], subject, binding)
}

export function differs(subject: Subject, operand: Element | string[], binding: Binding): TestResult {
  if (operand === null) return { test: 'present' }
  if (isSet(subject.type)) {
    const values = elementSet(subject, operand, binding)
    return values ? { test: 'same_set', values, negated: true } : { test: 'present' }
  }
  const or_absent = subject.type === 'Boolean'
  const values = indexValues(subject, operand, binding)
  if (values.length) return { test: 'none_of', values, or_absent }
  return or_absent ? 'always' : { test: 'present' }
}

export function isOneOf(
  list: readonly (Element | readonly string[])[],
  subject: Subject,
  binding: Binding,
): TestResult {
  const values = list.flatMap((each) => (each === null ? [] : indexValues(subject, each, binding)))
  return values.length ? { test: 'one_of', values: [...new Set(values)] } : 'never'
}

/** As they are in the index; undefined where no value is such a set. */
function elementSet(
  subject: Subject,
  operand: Element | string[],
  binding: Binding,
): readonly IndexValue[] | undefined {
  const elements = isText(operand) ? [operand] : operand
  if (!Array.isArray(elements)) {
    mismatch(subject, operand, binding)
    return undefined
  }
  const values = elements.map((each) => indexValues(subject, each, binding))
  return values.every((each) => each.length) ? [...new Set(values.flat())] : undefined
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
      case 'File':
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
      case 'Id':
      case 'Reference':
      case 'MultiReference':
        return itemNamed(operand, binding)
      case 'Time':
      case 'DateTime': {
        const time = timeOf(subject, operand, binding)
        return time && time.floor === time.ceil ? [comparedTime(time.floor)] : []
      }
      case 'Number':
      case 'Boolean':
        break
    }
  mismatch(subject, operand, binding)
  return []
}

/** Its row id, as the only one; none where there is no such item, of which the caller is warned. */
function itemNamed(operand: string, binding: Binding): number[] {
  const item_id = parseUlid(operand)
  const id = item_id === null ? undefined : binding.rowId(item_id)
  if (id === undefined) binding.warn(() => `No item has the id ${brief(operand)}`)
  return id === undefined ? [] : [id]
}

export function compare(
  comparison: Comparison,
  subject: Subject,
  operand: Ordered,
  binding: Binding,
): TestResult {
  const { type, variants } = subject
  if (typeof operand === 'object' || (type === 'Number') !== (typeof operand === 'number')) {
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
  if (type === 'Time' || type === 'DateTime')
    return compareTimes(comparison, timeOf(subject, String(operand), binding))
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

/** Times are whole milliseconds; an operand between two of them comes after the one and before the other. */
function compareTimes(comparison: Comparison, time: IsoTime | undefined): TestResult {
  if (!time) return 'never'
  const bound = (at: number) => ({
    value: comparedTime(at),
    inclusive: comparison === 'gte' || comparison === 'lte',
  })
  return comparison === 'gt' || comparison === 'gte'
    ? { test: 'range', lower: bound(comparison === 'gt' ? time.floor : time.ceil) }
    : { test: 'range', upper: bound(comparison === 'lt' ? time.ceil : time.floor) }
}

function timeOf({ label }: Subject, text: string, binding: Binding): IsoTime | undefined {
  const time = parseIsoTime(text)
  if (!time)
    binding.warn(
      () => `${brief(text)} is no date, date-time or timestamp, so ${label} never equals or compares with it`,
    )
  return time ?? undefined
}

function checkVariant({ label, variants }: Subject, name: string, binding: Binding): string {
  if (!setOf(variants).has(name))
    binding.warn(() => `${label} has no variant ${brief(name)}; it has: ${listed(variants)}`)
  return name
}

const MAX_LISTED = 20
const listed = (variants: readonly string[]): string =>
  variants.slice(0, MAX_LISTED).map(brief).join(', ') + (variants.length > MAX_LISTED ? ', …' : '')

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** A list of operands and a list of variants may both be long. */
function setOf(variants: readonly string[]): ReadonlySet<string> {
  let found = sets.get(variants)
  if (!found) {
    found = new Set(variants)
    sets.set(variants, found)
  }
  return found
}

function checkMoment({ label, type }: Subject, text: string, binding: Binding): void {
  if (type === 'Date' && !isMoment(text))
    binding.warn(() => `${brief(text)} is not a date, so ${label} is compared with it as text`)
}

function mismatch({ label, type }: Subject, operand: unknown, binding: Binding): void {
  binding.warn(() => `${label} is ${withArticle(type)} and never equals or compares with ${brief(operand)}`)
}
