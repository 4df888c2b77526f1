import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { excerptOf } from '#src/runtime/input-excerpt.ts'
import { inputProblems, relevantErrors } from '#src/runtime/input-problems.ts'
import type { InputSchema } from '#src/runtime/input-schema.ts'

/** Elements of a list that are looked through in one turn of the event loop, and faults after which nothing more is. */
const SLICE = 100
const MAX_COUNTED = 10_000

/** The first faults, and how many there are: `isAll` where everything was looked through. */
export interface FoundProblems {
  problems: Problem[]
  count: number
  isAll: boolean
}

/**
 * Every fault of an input that has one, named or counted: lists of the input slice by slice, between which others have
 * their turn.
 */
export async function findProblems(
  schema: InputSchema,
  input: unknown,
  validator: (schema: InputSchema) => Promise<ValidateFunction>,
): Promise<FoundProblems> {
  const found = { problems: [] as Problem[], count: 0, isAll: true }
  const { frame, lists } = partsOf(schema)
  const look = async (part: InputSchema, value: unknown, moved?: (path: string) => string) => {
    const { excerpt, isCut } = excerptOf(part, value)
    if (isCut) found.isAll = false
    const validate = await validator(part)
    if (validate(excerpt)) return
    const errors = relevantErrors(validate.errors ?? [])
    const listed = errors.slice(0, MAX_PROBLEMS - found.problems.length)
    found.problems.push(...inputProblems(moved ? listed.map((each) => at(each, moved)) : listed))
    found.count += errors.length
  }
  await look(frame, input)
  for (const { name, list, most } of lists) {
    const elements = isRecord(input) && Object.hasOwn(input, name) ? input[name] : undefined
    if (!Array.isArray(elements)) continue
    const end = Math.min(elements.length, most)
    for (let from = 0; from < end; from += SLICE) {
      if (found.count >= MAX_COUNTED) return { ...found, isAll: false }
      await look(list, elements.slice(from, Math.min(from + SLICE, end)), (path) =>
        path.replace(/^\/(\d+)/, (_, index: string) => `/${name}/${from + Number(index)}`),
      )
      await new Promise(setImmediate)
    }
  }
  return found
}

const at = (error: ErrorObject, moved: (path: string) => string): ErrorObject => ({
  ...error,
  instancePath: moved(error.instancePath),
})

interface Parts {
  /** The schema without what its lists hold. */
  frame: InputSchema
  lists: { name: string; list: InputSchema; most: number }[]
}

/** Made once for each schema, as validators are. */
const known = new WeakMap<InputSchema, Parts>()

function partsOf(schema: InputSchema): Parts {
  const made = known.get(schema) ?? makeParts(schema)
  known.set(schema, made)
  return made
}

function makeParts(schema: InputSchema): Parts {
  const lists: Parts['lists'] = []
  const properties = { ...schema.properties }
  for (const [name, property] of Object.entries(properties)) {
    const { items, maxItems = Infinity, ...bounds } = property
    if (property.type !== 'array' || !items) continue
    lists.push({ name, list: { type: 'array', items }, most: maxItems })
    properties[name] = { ...bounds, ...(maxItems < Infinity && { maxItems }) }
  }
  return { frame: lists.length ? { ...schema, properties } : schema, lists }
}
