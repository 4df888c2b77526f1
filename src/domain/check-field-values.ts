import { CHECKS } from '#src/domain/check-value.ts'
import { didYouMean } from '#src/domain/message-words.ts'
import { toDateTime } from '#src/domain/date-time.ts'
import { editValue, isEdit } from '#src/domain/edit-value.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { completeFiles, type KnownFiles } from '#src/domain/file-values.ts'
import type { FieldType, FlatFields } from '#src/domain/field-schema.ts'
import { isActive, valueOf, type FieldValues } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'

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
  /** Where the values are in the input. */
  path?: string
  /** What the item has for the tag so far. */
  stored?: FieldValues
  /**
   * `merge`: a null may also name a stored field that has left the schema, and a value may be an edit of the stored one
   * (`editValue`).
   */
  merge?: boolean
  /** Those that the values may name; without it they are not looked up. */
  files?: KnownFiles | undefined
  /** `Base.field` of the tags that this one extends, by the field's name, for who takes it for one of its own. */
  above?: ReadonlyMap<string, string> | undefined
}

/** Each value against its field; whether sub-fields are active is `checkSubFields`, over the values that result. */
export function checkFieldValues(
  fields: FlatFields,
  given: FieldValues,
  { path = 'field_values', stored = {}, merge = false, files, above }: CheckOptions = {},
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
        problems.push({ path: at, message: unknownField(name, fields, above) })
    } else if (merge && isEdit(field, value)) {
      const before = valueOf(stored, name)
      const edited = editValue(field, value, before, { path: at, files })
      problems.push(...edited.problems)
      values = { ...values, [name]: edited.value }
      if (!edited.problems.length) references.push(...referencesAdded(field.type, value, before, at))
    } else if (value !== null) {
      const found = CHECKS[field.type](value, field, at)
      problems.push(...found)
      if (found.length) continue
      const complete =
        field.type === 'File'
          ? completeFiles(value as unknown[], valueOf(stored, name), files, at)
          : undefined
      if (complete) problems.push(...complete.problems)
      const kept = complete ? complete.value : asKept(field.type, value)
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

/** Those that an edit brings, where the edit names them. */
function referencesAdded(
  type: FieldType,
  { add }: Record<string, unknown>,
  stored: unknown,
  path: string,
): ReferenceUse[] {
  if (type !== 'MultiReference' || add === undefined) return []
  return referencesOf(type, asKept(type, add), stored, `${path}.add`).filter((use) => !use.unchanged)
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

function unknownField(name: string, fields: FlatFields, above?: ReadonlyMap<string, string>): string {
  const extended = above?.get(name)
  if (extended !== undefined)
    return `unknown field; '${extended}' is of a tag that this one extends: give the item that tag too`
  return fields.size
    ? `unknown field; ${didYouMean(name, [...fields.keys()])}`
    : 'unknown field; the tag has no fields'
}

const quoteList = (names: readonly string[]) => names.map((each) => `'${each}'`).join(' or ')
