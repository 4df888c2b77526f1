import { Type, type TObject } from 'typebox'
import type { Caller } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import { callOperation, type Facet } from '#src/operations/call.ts'
import type { Operation } from '#src/operations/operation.ts'
import { After, Limit } from '#src/operations/schemas.ts'
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
  return operations.filter(({ tool }) => tool !== undefined).map(toTool)
}

function toTool(operation: Operation): Tool {
  const { hints } = operation
  const selectable = selectableProperties(operation)
  const input = operation.paged ? pagedInput(operation.input) : operation.input
  const asTool = { ...operation, input: selectable ? withFields(input, selectable) : input }
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
export async function callTool(facet: Facet, tool: Tool, caller: Caller, args: unknown): Promise<Reply> {
  const { operation } = tool
  const reply = await callOperation(facet, operation, caller, withDefaults(operation, args ?? {}))
  const { fields } = (args ?? {}) as { fields?: unknown }
  return Array.isArray(fields) && selectableProperties(operation)
    ? new Reply(JSON.stringify(onlyFields(JSON.parse(reply.json), new Set(fields))), reply.notes)
    : reply
}

/** A page where a list is asked for without a limit, newest first where it can be sorted. */
function withDefaults({ paged, input }: Operation, args: unknown): unknown {
  if (!paged || typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { limit, sort } = args as Record<string, unknown>
  if ((limit ?? null) !== null) return args
  const sorted = !input.properties.sort || (sort ?? null) !== null
  return { ...args, limit: TOOL_PAGE, ...(!sorted && { sort: NEWEST_FIRST }) }
}

function describe({ summary, description, example, paged, input }: Operation): string {
  const order = input.properties.sort ? ' and, without sort, newest first' : ''
  const pages = `Without limit at most ${TOOL_PAGE}${order}; next, beside the answer, has the arguments of the following page.`
  const shown = example?.input === undefined ? '' : `Example: ${JSON.stringify(example.input)}`
  return [summary, description, paged ? pages : '', shown].filter(Boolean).join('\n')
}

/** Limit and cursor in a tool's words: REST's speak of headers. */
function pagedInput(input: TObject): TObject {
  const limit = Type.Unsafe<number>({ ...Limit, description: `At most so many; without it ${TOOL_PAGE}` })
  const after = Type.Unsafe<string>({ ...After, description: 'Goes on after a page: its next.after' })
  const properties = { ...input.properties, limit: Type.Optional(limit), after: Type.Optional(after) }
  return Type.Object(properties, { additionalProperties: false })
}

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** The properties of a list's elements (or of several lists' in one object), where a tool reads a list. */
function selectableProperties(operation: Operation): string[] | undefined {
  if (!isReadOnly(operation)) return undefined
  const { type, items, properties } = operation.output as JsonSchema
  const lists = type === 'array' ? [items] : Object.values(properties ?? {}).map((each) => each.items)
  if (!lists.length || !lists.every((each) => each?.properties)) return undefined
  return [...new Set(lists.flatMap((each) => Object.keys(each!.properties!)))]
}

function withFields(input: TObject, names: string[]): TObject {
  const fields = Type.Array(Type.Unsafe<string>({ enum: names }), {
    description: 'Only these properties of each element, so that the answer stays small',
  })
  return Type.Object({ ...input.properties, fields: Type.Optional(fields) }, { additionalProperties: false })
}

/** @param list An array of objects, or an object of such arrays. */
function onlyFields(list: unknown, names: ReadonlySet<unknown>): unknown {
  if (!Array.isArray(list))
    return Object.fromEntries(
      Object.entries(list as object).map(([name, each]) => [name, onlyFields(each, names)]),
    )
  return list.map((each: object) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => names.has(name))),
  )
}

/** What only our own validation reads is left out: it would cost every client tokens. */
const OWN_KEYWORDS = new Set(['patternMessage', 'examples', 'title'])

/** The schema as it is listed. */
function toJsonSchema(schema: unknown): unknown {
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
