import { Type, type TObject } from 'typebox'
import { untilSessionEnds } from '#src/api/until-session-ends.ts'
import type { Caller } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import { callOperation, type Facet } from '#src/operations/call.ts'
import { checkKey } from '#src/operations/idempotency.ts'
import type { Operation } from '#src/operations/operation.ts'
import { After, Limit, NewTag } from '#src/operations/schemas.ts'
import { NEWEST_FIRST, TOOL_PAGE } from '#src/operations/paging.ts'

/** An operation as a model meets it, in MCP and in the chat. */
export interface Tool {
  name: string
  /** When and how to use it, with an example. */
  description: string
  /** The JSON Schema that validates the arguments; an object without `anyOf` at its top. */
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations: ToolAnnotations
  operation: Operation
}

/** A type and no interface, because the SDK wants open objects. */
type ToolAnnotations = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** The service touches nothing but its own base. */
  openWorldHint: false
}

/** The operations that have a tool name, ready to be listed and called. */
export function toolsOf(operations: readonly Operation[]): readonly Tool[] {
  return toldOnce(operations.filter(({ tool }) => tool !== undefined).map(toTool))
}

/** Shorter descriptions cost less than what stands for them. */
const WORTH_TELLING_ONCE = 60

/** What several tools say alike of an argument is said by the first of them (additions §12). */
function toldOnce(tools: readonly Tool[]): readonly Tool[] {
  const told = new Map<string, string>()
  const toldBy = (schema: unknown, tool: string): unknown => {
    if (Array.isArray(schema)) return schema.map((each) => toldBy(each, tool))
    if (typeof schema !== 'object' || schema === null) return schema
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (keyword !== 'description' || typeof value !== 'string') return [keyword, toldBy(value, tool)]
        const first = told.get(value)
        if (first === undefined) told.set(value, tool)
        return [keyword, first !== undefined && value.length > WORTH_TELLING_ONCE ? `As in ${first}` : value]
      }),
    )
  }
  return tools.map((tool) => ({
    ...tool,
    inputSchema: toldBy(tool.inputSchema, tool.name) as Tool['inputSchema'],
  }))
}

function toTool(operation: Operation): Tool {
  const { hints } = operation
  const asTool = operation.paged
    ? { ...operation, input: pagedInput(operation.input) }
    : operation.retryable
      ? { ...operation, input: retryableInput(operation.input) }
      : operation
  const readOnly = isReadOnly(operation)
  return {
    name: operation.tool!,
    description: describe(operation),
    inputSchema: toJsonSchema(asTool.input) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: hints?.destructive ?? false,
      idempotentHint: hints?.idempotent ?? readOnly,
      openWorldHint: false,
    },
    operation: asTool,
  }
}

const isReadOnly = ({ hints, effect }: Operation): boolean => hints?.readOnly ?? effect === 'read'

/**
 * Runs a tool for a caller.
 * @throws ServiceError as every operation does.
 */
export async function callTool(
  facet: Facet,
  tool: Tool,
  caller: Caller,
  args: unknown,
  signal?: AbortSignal,
): Promise<Reply> {
  const { operation } = tool
  const { key, input } = withoutKey(operation, withDefaults(operation, args ?? {}))
  const call = (given: unknown) =>
    untilSessionEnds(facet, caller, signal, (either) =>
      callOperation(facet, operation, caller, given, either, { key }),
    )
  const reply = await call(input)
  return operation.paged ? shortened(reply, (limit) => call({ ...(input as object), limit })) : reply
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The idempotency_key of a tool that takes one, beside its other arguments. */
function withoutKey({ retryable }: Operation, args: unknown): { key: string | undefined; input: unknown } {
  if (!retryable || !isObject(args) || (args.idempotency_key ?? null) === null)
    return { key: undefined, input: args }
  const { idempotency_key, ...input } = args
  return { key: checkKey(idempotency_key, 'idempotency_key'), input }
}

function retryableInput(input: TObject): TObject {
  const idempotency_key = Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'The same key and arguments again, within 24 hours, get the same answer and change nothing more',
  })
  return Type.Object(
    { ...input.properties, idempotency_key: Type.Optional(idempotency_key) },
    { additionalProperties: false },
  )
}

/** Characters of a list that a model reads at once (additions §7). */
const MAX_PAGE_TEXT = 60_000

/** The page itself, or as much of it as a model should read; `next` then goes on from there. */
async function shortened(page: Reply, call: (limit: number) => Promise<Reply>): Promise<Reply> {
  let reply = page
  while (reply.json.length > MAX_PAGE_TEXT) {
    const elements: unknown = JSON.parse(reply.json)
    if (!Array.isArray(elements) || elements.length < 2) return reply
    const fitting = Math.floor((elements.length * MAX_PAGE_TEXT) / reply.json.length)
    reply = await call(Math.max(1, Math.min(fitting, elements.length - 1)))
  }
  return reply
}

/** A page where a list is asked for without a limit, and always newest first where it can be sorted and is not. */
function withDefaults({ paged, input }: Operation, args: unknown): unknown {
  if (!paged || typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { limit, sort, skip } = args as Record<string, unknown>
  const isWhole = (limit ?? skip ?? null) === null
  const sorted = !sortsByKeys(input) || (sort ?? null) !== null
  return { ...args, ...(isWhole && { limit: TOOL_PAGE }), ...(!sorted && { sort: NEWEST_FIRST }) }
}

/** Views sort by a word, and come oldest first without it. */
const sortsByKeys = ({ properties }: Operation['input']): boolean =>
  (properties.sort as { type?: unknown } | undefined)?.type === 'array'

function describe({ summary, description, example, paged, input }: Operation): string {
  const order = sortsByKeys(input) ? 'Without sort newest first. ' : ''
  const pages = `${order}Without limit at most ${TOOL_PAGE}; next, beside the answer, has the arguments of the following page.`
  const shown = example?.input === undefined ? '' : `Example: ${JSON.stringify(example.input)}`
  return [summary, description, paged ? pages : '', shown].filter(Boolean).join('\n')
}

/** Limit and cursor in a tool's words: REST's speak of headers. */
function pagedInput(input: TObject): TObject {
  const only = input.properties.skip ? '; 0 with count only counts' : ''
  const given = (input.properties.limit ?? Limit) as typeof Limit
  const limit = Type.Unsafe<number>({
    ...given,
    description: `At most so many; without it ${TOOL_PAGE}${only}`,
  })
  const after = Type.Unsafe<string>({ ...After, description: 'Goes on after a page: its next.after' })
  const properties = { ...input.properties, limit: Type.Optional(limit), after: Type.Optional(after) }
  return Type.Object(properties, { additionalProperties: false })
}

/** What only our own validation reads, and limits that nobody meets, are left out: they would cost every client tokens. */
const OWN_KEYWORDS = new Set([
  'patternMessage',
  'examples',
  'title',
  'maxLength',
  'maxItems',
  'maxProperties',
])

/** The schema as it is listed; a new tag is told in full by add_tag alone (additions §12). */
function toJsonSchema(schema: unknown): unknown {
  if (schema === NewTag) return { type: 'object', description: 'What add_tag takes' }
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !OWN_KEYWORDS.has(keyword))
      .map(([keyword, value]) => [
        keyword,
        // The names of properties are no keywords.
        keyword === 'properties'
          ? Object.fromEntries(
              Object.entries(value as object).map(([name, each]) => [name, toJsonSchema(each)]),
            )
          : toJsonSchema(value),
      ]),
  )
}
