import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TObject } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { excerptOf } from '#src/operations/input-excerpt.ts'
import { inputProblems } from '#src/operations/input-problems.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { Operation } from '#src/operations/operation.ts'
import { withoutNulls } from '#src/operations/without-nulls.ts'

type Validated = Pick<Operation, 'input' | 'ignores'>

/**
 * The input as the operation's schema wants it: read-only properties taken out, a null for an optional property
 * taken as omitted (except where the schema gives null a meaning).
 * @throws BadRequest with every fault in `details.errors`.
 */
export function validateInput(operation: Validated, input: unknown): Record<string, unknown> {
  const clean = withoutNulls(operation.input, withoutIgnored(operation, input))
  const isValid = firstFault.validator(operation.input)
  if (isValid(clean)) return clean as Record<string, unknown>
  throw invalid(allProblems(operation.input, clean, isValid))
}

function withoutIgnored({ ignores = [], input: { properties } }: Validated, input: unknown): unknown {
  if (!isRecord(input)) return input
  const extra = ignores.filter((name) => Object.hasOwn(input, name) && !Object.hasOwn(properties, name))
  if (!extra.length) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !extra.includes(name)))
}

/** Validators of one kind, compiled on first use: an operation that is never called costs nothing. */
class Validators {
  private readonly allErrors: boolean
  private readonly compiled = new WeakMap<TObject, ValidateFunction>()
  private ajv: Ajv2020 | undefined

  constructor(options: { allErrors: boolean }) {
    this.allErrors = options.allErrors
  }

  validator(schema: TObject): ValidateFunction {
    let found = this.compiled.get(schema)
    if (!found) {
      this.ajv ??= new Ajv2020({
        allErrors: this.allErrors,
        strict: false,
        verbose: true,
        validateFormats: false,
        ownProperties: true,
      })
      this.compiled.set(schema, (found = this.ajv.compile(schema)))
    }
    return found
  }
}

/** Says yes or no at once, whatever the size of the input. */
const firstFault = new Validators({ allErrors: false })
const everyFault = new Validators({ allErrors: true })

function allProblems(schema: TObject, input: unknown, { errors: first }: ValidateFunction): Problem[] {
  const { excerpt, isCut } = excerptOf(schema, input)
  const validate = everyFault.validator(schema)
  const problems = validate(excerpt) ? [] : inputProblems(validate.errors ?? [])
  // What was cut off may hold the fault that there is.
  return distinct(isCut ? [...inputProblems(first ?? []), ...problems] : problems)
}

const distinct = (problems: readonly Problem[]) => [
  ...new Map(problems.map((each) => [`${each.path}\n${each.message}`, each])).values(),
]
