import { closest, didYouMean, someOf } from '#src/domain/message-words.ts'
import { isDate, toDateTime } from '#src/domain/date-time.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { variantsOf, type FieldType, type FlatField } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { faultsOfFiles } from '#src/domain/file-values.ts'
import { faultOfYear, parseIsoTime } from '#src/domain/iso-time.ts'
import { parseUlid } from '#src/domain/ulid.ts'

type Check = (value: unknown, field: FlatField, path: string) => Problem[]

const expect =
  (isRight: (value: unknown) => boolean, wanted: string): Check =>
  (value, _, path) =>
    isRight(value) ? [] : [{ path, message: `expected ${wanted}` }]

/** What is wrong with a value that is not null, by the type of its field. */
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
  File: (value, _, path) => faultsOfFiles(value, path),
}

function isItemId(value: unknown): value is string {
  return typeof value === 'string' && parseUlid(value) !== null
}

const TEXT_OF_DAY = /^.{10}$/
/** As `toISOString` has a moment whose year has more than four digits: cells and typed texts come so. */
const BEYOND = /^[+-]\d{6}-.*Z$/
const A_DATE_TIME = 'a date with a time, e.g. 2026-01-31T09:30:00Z'

function faultOfDateTime(value: unknown): string {
  if (typeof value !== 'string') return `expected ${A_DATE_TIME}`
  const time = TEXT_OF_DAY.test(value) ? null : parseIsoTime(value)
  const year = faultOfYear(time?.floor ?? (BEYOND.test(value) ? Date.parse(value) : 0))
  if (year !== undefined) return `'${value.slice(0, 100)}' ${year}`
  if (!time)
    return /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(value)
      ? `'${value.slice(0, 100)}' is no time of the calendar`
      : `expected ${A_DATE_TIME}`
  return 'times are kept in milliseconds; give at most three digits behind the second'
}

/** Elements of a MultiReference. */
export const MAX_REFERENCES = 1000

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
      problems.push({ path: `${path}[${i}]`, message: `the item '${item_id}' appears here twice` })
    else seen.add(item_id)
    if (problems.length > MAX_PROBLEMS) break
  }
  return problems
}

function checkSelect(value: unknown, { schema }: FlatField, path: string): Problem[] {
  const variants = variantsOf(schema)
  const chosen = chosenVariant(value)
  if (chosen === null) {
    const text = onlyText(value) ?? ''
    const meant = variants.includes(text) ? text : closest(text, variants)
    // Another variant as the example would be taken over.
    const example = `expected an object, e.g. ${JSON.stringify({ variant: meant ?? variants[0] ?? '' })}`
    return [{ path, message: meant === undefined ? `${example}; variants: ${someOf(variants)}` : example }]
  }
  const problems = Object.keys(value as object)
    .filter((key) => key !== 'variant')
    .map((key) => ({
      path: `${path}.${key}`,
      message: `unknown property; sub-fields belong beside the field, not in it`,
    }))
  if (!variants.includes(chosen))
    problems.push({ path: `${path}.variant`, message: unknownVariant(chosen, variants) })
  return problems
}

/** What stands for a variant in the wrong form: done, ["done"], {"name": "done"}. */
function onlyText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : undefined
  const [only, ...others] = Object.values(value) as unknown[]
  return typeof only === 'string' && !others.length ? only : undefined
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
    return seen.has(name) ? `the variant '${name}' appears here twice` : undefined
  }
}

const unknownVariant = (name: string, variants: readonly string[]) =>
  `unknown variant '${name}'; ${didYouMean(name, variants)}`
