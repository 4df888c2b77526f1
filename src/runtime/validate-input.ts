import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { TObject } from 'typebox'
import { invalid, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { findProblems, type FoundProblems } from '#src/runtime/find-problems.ts'
import { inputProblems, relevantErrors } from '#src/runtime/input-problems.ts'
import { branchFor, type InputSchema } from '#src/runtime/input-schema.ts'
import type { Operation } from '#src/runtime/operation.ts'

type Validated = Pick<Operation, 'input' | 'ignores'>

/**
 * The input as the operation's schema wants it: read-only properties taken out, a null for an optional property
 * taken as omitted (except where the schema gives null a meaning).
 * @throws BadRequest with every fault in `details.errors`.
 */
export async function validateInput(operation: Validated, input: unknown): Promise<Record<string, unknown>> {
  const clean = withoutNulls(operation.input, withoutIgnored(operation, input))
  const isValid = await firstFault.validator(operation.input)
  if (isValid(clean)) return clean as Record<string, unknown>
  const { problems, ...found } = await allProblems(operation.input, clean, isValid.errors)
  throw invalid(problems, { found })
}

function withoutIgnored({ ignores = [], input: { properties } }: Validated, input: unknown): unknown {
  if (!isRecord(input)) return input
  const extra = ignores.filter((name) => Object.hasOwn(input, name) && !Object.hasOwn(properties, name))
  if (!extra.length) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !extra.includes(name)))
}

/**
 * Validators of one kind, compiled on first use: an operation that is never called costs nothing, nor does Ajv in a
 * thread that only reads.
 */
class Validators {
  private readonly allErrors: boolean
  private readonly compiled = new WeakMap<InputSchema, ValidateFunction>()
  private ajv: Promise<Ajv2020> | undefined

  constructor(options: { allErrors: boolean }) {
    this.allErrors = options.allErrors
  }

  async validator(schema: InputSchema): Promise<ValidateFunction> {
    const known = this.compiled.get(schema)
    if (known) return known
    const ajv = await (this.ajv ??= newAjv(this.allErrors))
    const compiled = this.compiled.get(schema) ?? ajv.compile(schema)
    this.compiled.set(schema, compiled)
    return compiled
  }
}

async function newAjv(allErrors: boolean): Promise<Ajv2020> {
  const { default: ajv } = await import('ajv/dist/2020.js') // a CommonJS module has no other name in the pack
  return new ajv.Ajv2020({
    allErrors,
    strict: false,
    verbose: true,
    validateFormats: false,
    ownProperties: true,
  })
}

/** Says yes or no at once, whatever the size of the input. */
const firstFault = new Validators({ allErrors: false })
const everyFault = new Validators({ allErrors: true })

/** Those of the input, and the first one where what was too much to be looked through holds it. */
async function allProblems(
  schema: TObject,
  input: unknown,
  first: ValidateFunction['errors'],
): Promise<FoundProblems> {
  const found = await findProblems(schema, input, (part) => everyFault.validator(part))
  const named = found.isAll ? [] : inputProblems(relevantErrors(first ?? []))
  const inShape = distinct([...named, ...found.problems])
  const others = ownFaults(schema, input, inShape)
  return {
    problems: [...inShape, ...others],
    count: found.count + inShape.length - found.problems.length + others.length,
    isAll: found.isAll && others.length <= MAX_PROBLEMS,
  }
}

/** Characters and elements of a property in which our own code looks for faults here, while everybody waits. */
const MAX_OWN = 8 * 1024

/** What our own code finds in those properties, unless they are large, with which the schema finds nothing wrong. */
function ownFaults(
  { properties }: InputSchema,
  input: unknown,
  found: readonly Problem[],
): readonly Problem[] {
  if (!isRecord(input)) return []
  return Object.entries(properties ?? {}).flatMap(([name, { faultsIn }]) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    const isFaulty = found.some(({ path }) => path === name || path.startsWith(`${name}.`))
    return faultsIn && isRecord(value) && !isFaulty && isWithin(value, MAX_OWN) ? faultsIn(value, name) : []
  })
}

/** Whether a value of JSON has no more characters and elements; where it has, that is known before it is gone through. */
function isWithin(value: unknown, max: number): boolean {
  let left = max
  const fits = (part: unknown): boolean => {
    left -= typeof part === 'string' ? part.length + 1 : 1
    if (left < 0) return false
    if (Array.isArray(part)) return part.every(fits)
    return !isRecord(part) || Object.entries(part).every((entry) => entry.every(fits))
  }
  return fits(value)
}

const distinct = (problems: readonly Problem[]) => [
  ...new Map(problems.map((each) => [`${each.path}\n${each.message}`, each])).values(),
]

/** The value with each null taken out that stands for an optional property and has no meaning there. */
function withoutNulls(given: InputSchema, value: unknown): unknown {
  const schema = branchFor(given, value)
  if (Array.isArray(value)) return elementsWithoutNulls(schema, value)
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

function elementsWithoutNulls({ items, maxItems = Infinity }: InputSchema, list: unknown[]): unknown[] {
  if (!(items?.properties || items?.anyOf) || list.length > maxItems) return list
  return list.map((each) => withoutNulls(items, each))
}

const takesNull = (schema: InputSchema): boolean =>
  schema.type === 'null' || (!schema.type && !schema.anyOf) || (schema.anyOf?.some(takesNull) ?? false)
