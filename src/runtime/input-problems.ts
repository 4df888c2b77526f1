import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Problem } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { counted } from '#src/domain/message-words.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { InputSchema } from '#src/runtime/input-schema.ts'

/** The validator's errors in words that help to go on. */
export const inputProblems = (relevant: readonly ErrorObject[]): Problem[] =>
  relevant.map((error) => ({ path: pathOf(error), message: messageOf(error) }))

/** Those that say what is wrong: of a union the branch that was meant, of a text what it says once. */
export const relevantErrors = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  onceEach(ofMeantBranches(errors))

const LENGTHS = new Set(['minLength', 'maxLength'])

/** An empty text is blank too, and says so once. */
function onceEach(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const measured = new Set(errors.filter(({ keyword }) => LENGTHS.has(keyword)).map(placeOf))
  return errors.filter((error) => error.keyword !== 'pattern' || !measured.has(placeOf(error)))
}

/** The text, and the schema that it is held against. */
const placeOf = ({ instancePath, schemaPath }: ErrorObject) =>
  `${instancePath}\n${schemaPath.slice(0, schemaPath.lastIndexOf('/'))}`

/**
 * Of a union's branches only the one that the value comes closest to speaks. Their errors stand right before the one of
 * the union, so that one way through them does.
 */
function ofMeantBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const left: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'anyOf') {
      let from = left.length
      while (from > 0 && isWithin(left[from - 1]!, error)) from--
      const within = left.splice(from)
      const closest = marksGiven(error).length > 1 ? undefined : closestBranch(error, within)
      left.push(...(closest ?? [error]))
    } else left.push(error)
  }
  return left
}

const isWithin = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))

/** The errors of the branch that was meant; undefined where none stands out. */
function closestBranch(union: ErrorObject, within: readonly ErrorObject[]): ErrorObject[] | undefined {
  const here = (error: ErrorObject) => error.instancePath === union.instancePath
  const branches = Map.groupBy(
    within,
    (error) => error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0],
  )
  // A branch whose very type is wrong is not the one that was meant.
  const meant = [...branches.values()].filter(
    (branch) => !branch.some((error) => here(error) && TYPE_KEYWORDS.has(error.keyword)),
  )
  // One that lacks what makes it that branch is not it, however few its faults; where each of several does, none is.
  const marked = meant.filter(
    (branch) => !branch.some((error) => here(error) && error.keyword === 'required'),
  )
  if (meant.length > 1 && !marked.length) return undefined
  return (marked.length ? marked : meant).sort((a, b) => a.length - b.length)[0]
}

/** What the value has of the properties that make a branch that one; no branch takes several of them. */
function marksGiven({ schema, data }: ErrorObject): string[] {
  if (!isRecord(data)) return []
  const branches = schema as InputSchema[]
  const marks = branches.flatMap(({ required = [], additionalProperties }) =>
    additionalProperties === false && required.length === 1 ? required : [],
  )
  const given = [...new Set(marks)].filter((name) => Object.hasOwn(data, name))
  const isOne = branches.some(({ properties = {} }) => given.every((name) => Object.hasOwn(properties, name)))
  return isOne ? [] : given
}

const TYPE_KEYWORDS = new Set(['type', 'const', 'enum'])

/** Where the fault is; for a property that is missing or too much, the property itself. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const path = toPath(instancePath)
  const property: string | undefined = params.missingProperty ?? params.additionalProperty
  if (property === undefined) return path
  return path ? `${path}.${property}` : property
}

/** `/items/3/field_values/priority` → `items[3].field_values.priority` */
function toPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}

const messageOf = (error: ErrorObject): string =>
  MESSAGES[error.keyword]?.(error) ?? error.message ?? 'is not valid'

const MESSAGES: Record<string, (error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: ({ params, parentSchema }) =>
    `unknown property; ${knownProperty(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`,
  type: ({ params }) => `expected ${describe({ type: params.type })}`,
  anyOf: (error) => {
    const given = marksGiven(error).map((name) => `'${name}'`)
    if (given.length > 1) return `expected exactly one of ${given.join(' and ')}`
    return `expected ${describe({ anyOf: error.schema as InputSchema[] })}`
  },
  const: ({ params }) => `expected ${JSON.stringify(params.allowedValue)}`,
  enum: ({ params }) =>
    `expected one of: ${(params.allowedValues as unknown[]).map((each) => JSON.stringify(each)).join(', ')}`,
  minLength: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minItems: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} elements`,
  maxItems: ({ params }) => `must have at most ${params.limit} elements`,
  minProperties: ({ params }) => `must have at least ${counted(params.limit, 'property', 'properties')}`,
  maxProperties: ({ params }) => `must have at most ${counted(params.limit, 'property', 'properties')}`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  pattern: ({ params, parentSchema }) =>
    (parentSchema?.patternMessage as string | undefined) ?? `must match ${params.pattern}`,
}

function knownProperty(name: string, known: readonly string[]): string {
  const close = nearest(name, known)
  if (close !== undefined) return `did you mean '${close}'?`
  return known.length ? `expected one of: ${known.join(', ')}` : 'none is expected'
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

function describe(schema: InputSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(describe).join(' or ')
  const name = NAMES[schema.type ?? ''] ?? 'a value'
  const [only, ...others] = schema.type === 'object' ? (schema.required ?? []) : []
  return only !== undefined && !others.length ? `${name} with '${only}'` : name
}
