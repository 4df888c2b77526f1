import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TObject, TSchema } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { Operation } from '#src/operations/operation.ts'

/** More faults than these help nobody; the rest is only counted. */
const MAX_PROBLEMS = 100

let ajv: Ajv2020 | undefined
const validators = new WeakMap<TSchema, ValidateFunction>()

/**
 * The input as the operation's schema wants it: read-only properties taken out, a null for an optional property
 * taken as omitted (except where the schema gives null a meaning).
 * @throws BadRequest with every fault in `details.errors`.
 */
export function validateInput(operation: Operation, input: unknown): Record<string, unknown> {
  const given = isRecord(input) ? { ...input } : input
  if (isRecord(given))
    for (const name of operation.ignores ?? []) if (!(name in operation.input.properties)) delete given[name]
  const clean = withoutNulls(operation.input, given)
  const validate = validatorOf(operation.input)
  if (validate(clean)) return clean as Record<string, unknown>
  throw invalid(problemsOf(validate.errors ?? []))
}

function validatorOf(schema: TObject): ValidateFunction {
  let found = validators.get(schema)
  if (!found) {
    ajv ??= new Ajv2020({
      allErrors: true,
      strict: false,
      verbose: true,
      validateFormats: false,
      ownProperties: true,
    })
    found = ajv.compile(schema)
    validators.set(schema, found)
  }
  return found
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ObjectSchema {
  type?: string
  properties?: Record<string, ObjectSchema>
  required?: string[]
  items?: ObjectSchema
  anyOf?: ObjectSchema[]
}

const takesNull = (schema: ObjectSchema): boolean =>
  schema.type === 'null' || (!schema.type && !schema.anyOf) || (schema.anyOf?.some(takesNull) ?? false)

function withoutNulls(given: ObjectSchema, value: unknown): unknown {
  const schema = branchFor(given, value)
  if (Array.isArray(value)) {
    const { items } = schema
    return items?.properties || items?.anyOf ? value.map((each) => withoutNulls(items, each)) : value
  }
  if (!isRecord(value) || !schema.properties) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue
    const old = value[name]
    if (old === null && !schema.required?.includes(name) && !takesNull(property))
      delete (copy ??= { ...value })[name]
    else {
      const clean = withoutNulls(property, old)
      if (clean !== old) (copy ??= { ...value })[name] = clean
    }
  }
  return copy ?? value
}

/** Of a union the branch that an object was meant for: it has all that the branch requires. */
const branchFor = (schema: ObjectSchema, value: unknown): ObjectSchema =>
  (isRecord(value) &&
    schema.anyOf?.find(
      ({ properties, required = [] }) => properties && required.every((name) => Object.hasOwn(value, name)),
    )) ||
  schema

function problemsOf(errors: ErrorObject[]): Problem[] {
  const problems = relevant(errors).map(toProblem)
  const distinct = [...new Map(problems.map((each) => [`${each.path}\n${each.message}`, each])).values()]
  if (distinct.length <= MAX_PROBLEMS) return distinct
  return [
    ...distinct.slice(0, MAX_PROBLEMS),
    { path: '', message: `and ${distinct.length - MAX_PROBLEMS} more faults` },
  ]
}

/** Of a union's branches only the one that the value comes closest to speaks. */
function relevant(errors: ErrorObject[]): ErrorObject[] {
  let left = errors
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    if (!left.includes(union)) continue
    const within = left.filter(
      (error) =>
        error !== union &&
        error.schemaPath.startsWith(`${union.schemaPath}/`) &&
        error.instancePath.startsWith(union.instancePath),
    )
    const branches = Map.groupBy(
      within,
      (error) => error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0],
    )
    // A branch whose very type is wrong is not the one that was meant.
    const meant = [...branches.values()].filter(
      (branch) => !branch.some((error) => error.instancePath === union.instancePath && isTypeError(error)),
    )
    // Where each of several lacks what makes it that branch, none is.
    const undecided =
      meant.length > 1 &&
      meant.every((branch) =>
        branch.some((error) => error.instancePath === union.instancePath && error.keyword === 'required'),
      )
    const closest = undecided ? undefined : meant.sort((a, b) => a.length - b.length)[0]
    left = left.filter((error) =>
      closest
        ? error !== union && (!within.includes(error) || closest.includes(error))
        : !within.includes(error),
    )
  }
  return left
}

const isTypeError = ({ keyword }: ErrorObject) =>
  keyword === 'type' || keyword === 'const' || keyword === 'enum'

function toProblem(error: ErrorObject): Problem {
  const path = toPath(error.instancePath)
  const at = (name: string) => (path ? `${path}.${name}` : name)
  const { params, parentSchema, schema } = error
  switch (error.keyword) {
    case 'required':
      return { path: at(params.missingProperty), message: 'is required' }
    case 'additionalProperties': {
      const name: string = params.additionalProperty
      const known = Object.keys((parentSchema as ObjectSchema).properties ?? {})
      const close = nearest(name, known)
      const hint = close
        ? `did you mean '${close}'?`
        : known.length
          ? `expected one of: ${known.join(', ')}`
          : 'none is expected'
      return { path: at(name), message: `unknown property; ${hint}` }
    }
    case 'type':
      return { path, message: `expected ${describe({ type: params.type })}` }
    case 'anyOf':
      return { path, message: `expected ${(schema as ObjectSchema[]).map(describe).join(' or ')}` }
    case 'const':
      return { path, message: `expected ${JSON.stringify(params.allowedValue)}` }
    case 'enum':
      return {
        path,
        message: `expected one of: ${params.allowedValues.map((each: unknown) => JSON.stringify(each)).join(', ')}`,
      }
    case 'minLength':
      return {
        path,
        message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      }
    case 'maxLength':
      return { path, message: `must have at most ${params.limit} characters` }
    case 'minItems':
      return { path, message: `must have at least ${params.limit} elements` }
    case 'maxItems':
      return { path, message: `must have at most ${params.limit} elements` }
    case 'minimum':
      return { path, message: `must be at least ${params.limit}` }
    case 'maximum':
      return { path, message: `must be at most ${params.limit}` }
    case 'minProperties':
      return { path, message: `must have at least ${params.limit} properties` }
    case 'maxProperties':
      return {
        path,
        message: `must have exactly one property of: ${Object.keys((parentSchema as ObjectSchema).properties ?? {}).join(', ')}`,
      }
    case 'pattern':
      return {
        path,
        message:
          (parentSchema as { patternMessage?: string }).patternMessage ?? `must match ${params.pattern}`,
      }
    default:
      return { path, message: error.message ?? 'is not valid' }
  }
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function describe(schema: ObjectSchema & { const?: unknown }): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(describe).join(' or ')
  const name = NAMES[schema.type ?? ''] ?? 'a value'
  const only =
    schema.type === 'object' && schema.required?.length === 1 ? ` with '${schema.required[0]}'` : ''
  return name + only
}

/** `/items/3/field_values/priority` → `items[3].field_values.priority` */
function toPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}
