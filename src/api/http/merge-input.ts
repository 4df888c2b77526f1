import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { queryFaults, type Query } from '#src/api/http/parse-query.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { textFault } from '#src/json/exact-json.ts'
import type { Operation } from '#src/runtime/operation.ts'

type Taking = Pick<Operation, 'input' | 'ignores' | 'is_body'>

/** The framework reads no body of these. */
const READS = new Set(['GET', 'HEAD'])
/** Bytes of an empty object, which some clients send with whatever they ask: it says nothing that could be lost. */
const EMPTY = 2

/**
 * One input of path, query and body. What is in two of them is a fault; only what an operation ignores in its
 * body anyway (a representation that is sent back) gives way to the path (decision 51).
 */
export function mergeInput(operation: Taking, request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  if (READS.has(request.method) && Number(request.headers['content-length'] ?? 0) > EMPTY)
    throw invalid([{ path: '', message: 'GET takes no body; what it takes is in the query' }])
  const isMissing = body === undefined || body === null
  if (isMissing ? operation.is_body : typeof body !== 'object' || Array.isArray(body))
    throw invalid([{ path: '', message: 'expected an object as the body' }])
  const input: Record<string, unknown> = { ...(body as object | null | undefined) }
  const problems: Problem[] = []
  if (request.raw.url?.includes('?')) addQuery(operation, request.query as Query, input, problems)
  const params = request.params as Record<string, string>
  for (const name in params) {
    const text = params[name]!
    const fault = textFault(text)
    if (fault) problems.push({ path: name, message: fault })
    if (name in input && !operation.ignores?.includes(name) && input[name] !== text)
      problems.push({ path: name, message: 'is in the path too, with another value' })
    input[name] = text
  }
  if (problems.length) throw invalid(problems)
  return input
}

function addQuery(
  { input: { properties }, is_body }: Taking,
  query: Query,
  input: Record<string, unknown>,
  problems: Problem[],
): void {
  problems.push(...queryFaults(query))
  for (const [name, text] of Object.entries(query)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (is_body) problems.push({ path: name, message: 'is no part of the query; send it in the body' })
    else if (Object.hasOwn(input, name))
      problems.push({ path: name, message: 'is in the query and in the body' })
    else if (Array.isArray(text) && isOne(schema))
      problems.push({ path: name, message: 'appears twice in the query' })
    else input[name] = fromText(schema, text)
  }
}

/** Whether a property has one value, and no list of them. */
function isOne(schema: TSchema | undefined): boolean {
  const { type } = (schema ?? {}) as { type?: string }
  return type !== undefined && type !== 'array'
}

/** Texts of a query take the type that the schema wants, where they can; what cannot is validation's to refuse. */
function fromText(schema: TSchema | undefined, text: string | string[]): unknown {
  const { type, items } = (schema ?? {}) as { type?: string; items?: TSchema }
  if (type === 'array') {
    // Names of properties have no comma: there it parts them.
    const texts = [text].flat().flatMap((each) => (items && 'enum' in items ? each.split(',') : each))
    return texts.map((each) => fromText(items, each))
  }
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && NUMBER.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Below 2^53, so that nothing is rounded. */
const NUMBER = /^-?\d{1,15}$/
