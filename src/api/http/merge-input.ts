import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import type { Operation } from '#src/operations/operation.ts'

/** One input of path, query and body; the path wins, a property that query and body both give is a fault. */
export function mergeInput(operation: Operation, request: FastifyRequest): unknown {
  const { body } = request
  const params = request.params as Record<string, string>
  const query = request.query as Record<string, string | string[]>
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw invalid([{ path: '', message: 'expected an object as the body' }])
  const input: Record<string, unknown> = { ...(body as object | null) }
  const problems: Problem[] = []
  for (const [name, text] of Object.entries(query)) {
    if (Object.hasOwn(input, name))
      problems.push({ path: name, message: 'stands in the query and in the body' })
    else input[name] = fromText(operation.input.properties[name], text)
  }
  if (problems.length) throw invalid(problems)
  return Object.assign(input, params)
}

/** Texts of a query take the type that the schema wants, where they can; what cannot is validation's to refuse. */
function fromText(schema: TSchema | undefined, text: string | string[]): unknown {
  const { type, items } = (schema ?? {}) as { type?: string; items?: TSchema }
  if (type === 'array') return [text].flat().map((each) => fromText(items, each))
  if (typeof text !== 'string') return text
  if (type === 'integer' || type === 'number') return NUMBER.test(text) ? Number(text) : text
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
