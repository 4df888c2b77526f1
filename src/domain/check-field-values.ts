import { toDateTime } from '#src/domain/date-time.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { variantsOf, type FieldType, type FlatField, type FlatFields } from '#src/domain/field-schema.ts'
import { chosenVariant, isActive, valueOf, type FieldValues } from '#src/domain/field-values.ts'
import { isDate } from '#src/domain/is-date.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { nearest } from '#src/domain/nearest.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/** A reference that the values make; whether its item exists is for the caller to see. */
export interface ReferenceUse {
  path: string
  item_id: Ulid
  /** It stood there before: accepted even if its item has gone since. */
  unchanged: boolean
}

export interface CheckedValues {
  problems: Problem[]
  /** As given, item ids in upper case, times in UTC. */
  values: FieldValues
  references: ReferenceUse[]
}

interface CheckOptions {
  /** Where the values stand in the input. */
  path?: string
  /** What the item has for the tag so far. */
  stored?: FieldValues
  /** `merge`: a null may also name a stored field that has left the schema. */
  merge?: boolean
}

/** Each value against its field; whether sub-fields are active is `checkSubFields`, over the values that result. */
export function checkFieldValues(
  fields: FlatFields,
  given: FieldValues,
  { path = 'field_values', stored = {}, merge = false }: CheckOptions = {},
): CheckedValues {
  const problems: Problem[] = []
  const references: ReferenceUse[] = []
  let values = given
  for (const [name, value] of Object.entries(given)) {
    if (problems.length > MAX_PROBLEMS) break
    const at = `${path}.${name}`
    const field = fields.get(name)
    if (!field) {
      if (!(merge && value === null && Object.hasOwn(stored, name)))
        problems.push({ path: at, message: unknownField(name, fields) })
    } else if (value !== null) {
      const found = CHECKS[field.type](value, field, at)
      problems.push(...found)
      if (found.length) continue
      const kept = asKept(field.type, value)
      if (kept !== value) values = { ...values, [name]: kept }
      references.push(...referencesOf(field.type, kept, valueOf(stored, name), at))
    }
  }
  return { problems, values, references }
}

/** A right value as it is stored; the same object where it is given so. */
function asKept(type: FieldType, value: unknown): unknown {
  switch (type) {
    case 'Reference':
      return (value as string).toUpperCase()
    case 'DateTime':
      return toDateTime(value)
    case 'MultiReference': {
      const ids = value as readonly string[]
      const upper = ids.map((each) => each.toUpperCase())
      return upper.every((each, i) => each === ids[i]) ? ids : upper
    }
    default:
      return value
  }
}

/** `kept` and `stored`: the field's value as it will be and as it is. */
function referencesOf(type: FieldType, kept: unknown, stored: unknown, path: string): ReferenceUse[] {
  const before = new Set<unknown>(Array.isArray(stored) ? stored : [stored])
  const use = (item_id: Ulid, at: string) => ({ path: at, item_id, unchanged: before.has(item_id) })
  if (type === 'Reference') return [use(kept as Ulid, path)]
  if (type !== 'MultiReference') return []
  return (kept as Ulid[]).map((item_id, i) => use(item_id, `${path}[${i}]`))
}

/** A sub-field has a value only while its variant is chosen, in the values that result from a change. */
export function checkSubFields(
  fields: FlatFields,
  given: FieldValues,
  result: FieldValues,
  path = 'field_values',
): Problem[] {
  const problems: Problem[] = []
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name)
    if (!field?.parents || value === null || isActive(fields, field, result)) continue
    const where = field.parents.map((parent) => `'${parent.field}' is ${quoteList(parent.variants)}`)
    problems.push({ path: `${path}.${name}`, message: `applies only while ${where.join(' or ')}` })
  }
  return problems
}

type Check = (value: unknown, field: FlatField, path: string) => Problem[]

const expect =
  (isRight: (value: unknown) => boolean, wanted: string): Check =>
  (value, _, path) =>
    isRight(value) ? [] : [{ path, message: `expected ${wanted}` }]

export const CHECKS: Record<FieldType, Check> = {
  String: expect((value) => typeof value === 'string', 'a string'),
  Number: expect((value) => Number.isFinite(value), 'a number'),
  Boolean: expect((value) => typeof value === 'boolean', 'true or false'),
  Date: (value, _, path) => {
    if (isDate(value)) return []
    const real = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
    return [{ path, message: real ? `'${value}' is no day of the calendar` : 'expected a date YYYY-MM-DD' }]
  },
  DateTime: (value, _, path) =>
    toDateTime(value) === null ? [{ path, message: faultOfDateTime(value) }] : [],
  Reference: expect(isItemId, 'the id of an item (a ULID)'),
  MultiReference: checkMultiReference,
  Select: checkSelect,
  MultiSelect: checkMultiSelect,
}

function isItemId(value: unknown): value is string {
  return typeof value === 'string' && parseUlid(value) !== null
}

const TEXT_OF_DAY = /^.{10}$/
const A_DATE_TIME = 'a date with a time, e.g. 2026-01-31T09:30:00Z'

function faultOfDateTime(value: unknown): string {
  if (typeof value !== 'string') return `expected ${A_DATE_TIME}`
  const time = TEXT_OF_DAY.test(value) ? null : parseIsoTime(value)
  if (!time)
    return /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(value)
      ? `'${value.slice(0, 100)}' is no time of the calendar`
      : `expected ${A_DATE_TIME}`
  return time.floor === time.ceil
    ? 'in UTC the year must be one of 0000 to 9999'
    : 'times are kept in milliseconds; give at most three digits behind the second'
}

/** Elements of a MultiReference. */
const MAX_REFERENCES = 1000

function checkMultiReference(value: unknown, _: FlatField, path: string): Problem[] {
  if (!Array.isArray(value)) return [{ path, message: 'expected an array of ids of items' }]
  if (value.length > MAX_REFERENCES)
    return [{ path, message: `expected at most ${MAX_REFERENCES} ids, not ${value.length}` }]
  const seen = new Set<string>()
  const problems: Problem[] = []
  for (const [i, each] of value.entries()) {
    const item_id = isItemId(each) ? each.toUpperCase() : undefined
    if (item_id === undefined)
      problems.push({ path: `${path}[${i}]`, message: 'expected the id of an item (a ULID)' })
    else if (seen.has(item_id))
      problems.push({ path: `${path}[${i}]`, message: `the item '${item_id}' stands here twice` })
    else seen.add(item_id)
    if (problems.length > MAX_PROBLEMS) break
  }
  return problems
}

function checkSelect(value: unknown, { schema }: FlatField, path: string): Problem[] {
  const variants = variantsOf(schema)
  const chosen = chosenVariant(value)
  if (chosen === null) {
    const example = typeof value === 'string' && variants.includes(value) ? value : (variants[0] ?? '')
    return [{ path, message: `expected an object, e.g. ${JSON.stringify({ variant: example })}` }]
  }
  const problems = Object.keys(value as object)
    .filter((key) => key !== 'variant')
    .map((key) => ({
      path: `${path}.${key}`,
      message: `unknown property; sub-fields stand beside the field, not in it`,
    }))
  if (!variants.includes(chosen))
    problems.push({ path: `${path}.variant`, message: unknownVariant(chosen, variants) })
  return problems
}

function checkMultiSelect(value: unknown, { schema }: FlatField, path: string): Problem[] {
  if (!Array.isArray(value)) return [{ path, message: 'expected an array of variant names' }]
  const variants = variantsOf(schema)
  const known = new Set(variants)
  const seen = new Set<unknown>()
  const problems: Problem[] = []
  for (const [i, each] of value.entries()) {
    if (problems.length > MAX_PROBLEMS) break
    const message = faultOfVariant(each)
    if (message !== undefined) problems.push({ path: `${path}[${i}]`, message })
    seen.add(each)
  }
  return problems

  function faultOfVariant(name: unknown): string | undefined {
    if (typeof name !== 'string') return 'expected a string'
    if (!known.has(name)) return unknownVariant(name, variants)
    return seen.has(name) ? `the variant '${name}' stands here twice` : undefined
  }
}

const unknownVariant = (name: string, variants: readonly string[]) =>
  `unknown variant '${name}'; ${didYouMean(name, variants)}`

const unknownField = (name: string, fields: FlatFields) =>
  fields.size
    ? `unknown field; ${didYouMean(name, [...fields.keys()])}`
    : 'unknown field; the tag has no fields'

/** More names than these help nobody. */
const MAX_LISTED = 20
/** With a hundred faults, each compared to every name, more would take seconds. */
const MAX_COMPARED = 1000

function didYouMean(name: string, names: readonly string[]): string {
  const close = nearest(name, names.slice(0, MAX_COMPARED))
  if (close !== undefined) return `did you mean '${close}'?`
  const more = names.length > MAX_LISTED ? ', …' : ''
  return `expected one of: ${names.slice(0, MAX_LISTED).join(', ')}${more}`
}

const quoteList = (names: readonly string[]) => names.map((each) => `'${each}'`).join(' or ')
