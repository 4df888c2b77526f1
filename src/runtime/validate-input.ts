import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { TObject } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { excerptOf } from '#src/runtime/input-excerpt.ts'
import { inputProblems } from '#src/runtime/input-problems.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { withoutNulls } from '#src/runtime/without-nulls.ts'

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
  throw invalid(await allProblems(operation.input, clean, isValid.errors))
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
  private readonly compiled = new WeakMap<TObject, ValidateFunction>()
  private ajv: Promise<Ajv2020> | undefined

  constructor(options: { allErrors: boolean }) {
    this.allErrors = options.allErrors
  }

  async validator(schema: TObject): Promise<ValidateFunction> {
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

async function allProblems(
  schema: TObject,
  input: unknown,
  first: ValidateFunction['errors'],
): Promise<Problem[]> {
  const { excerpt, isCut } = excerptOf(schema, input)
  const validate = await everyFault.validator(schema)
  const problems = validate(excerpt) ? [] : inputProblems(validate.errors ?? [])
  // What was cut off may hold the fault that there is.
  return distinct(isCut ? [...inputProblems(first ?? []), ...problems] : problems)
}

const distinct = (problems: readonly Problem[]) => [
  ...new Map(problems.map((each) => [`${each.path}\n${each.message}`, each])).values(),
]
