import { type TObject, Type } from 'typebox'
import { partInput, withoutPart, withPart } from '#src/api/text-part.ts'
import { findHints, foundNothing, nearestItems } from '#src/api/find-hints.ts'
import { leanAnswer } from '#src/api/lean-answer.ts'
import {
  type InputSchema,
  inputSchema,
  pagedInput,
  retryableInput,
  sortsByKeys,
  toolDescription,
} from '#src/api/tool-listing.ts'
import type { Caller } from '#src/domain/caller.ts'
import { invalid } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { inCamelCase, nearestAction } from '#src/domain/nearest-action.ts'
import { Reply } from '#src/domain/reply.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { NEWEST_FIRST, TOOL_PAGE } from '#src/operations/paging.ts'
import { callOperation, type Runtime } from '#src/runtime/call.ts'
import { checkKey } from '#src/runtime/idempotency.ts'
import type { Operation } from '#src/runtime/operation.ts'

/** An operation as a model meets it, in MCP and in the chat. */
export interface Tool {
  name: string
  /** When and how to use it, with an example. */
  description: string
  /** The JSON Schema that validates the arguments; an object without `anyOf` at its top. */
  inputSchema: InputSchema
  annotations: ToolAnnotations
  operation: Operation
}

/**
 * A type and no interface, because the SDK wants open objects. What is left out is as the protocol has it by itself: a
 * tool does not only read, does not suffer a repetition, and what only reads neither destroys nor repeats.
 */
type ToolAnnotations = {
  readOnlyHint?: true
  destructiveHint?: boolean
  idempotentHint?: true
}

/** The operations that have a tool name, ready to be listed and called, by name. */
export function toolsOf(operations: readonly Operation[]): readonly Tool[] {
  return operations
    .filter(({ tool }) => tool !== undefined)
    .map(toTool)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The name of the tool that was probably meant by one that there is not: models know REST's names of operations too. */
export function toolMeant(name: string, tools: readonly Tool[]): string | undefined {
  const camel = inCamelCase(name)
  const twin = tools.find(({ operation }) => operation.name === camel)
  return (
    twin?.name ??
    nearestAction(
      name,
      tools.map((tool) => tool.name),
    )
  )
}

function toTool(operation: Operation): Tool {
  const { hints } = operation
  const asTool = { ...operation, input: withProof(operation, toolInput(operation)) }
  const readOnly = isReadOnly(operation)
  return {
    name: operation.tool!,
    description: toolDescription(operation),
    inputSchema: inputSchema(asTool.input),
    annotations: {
      ...(readOnly ? { readOnlyHint: true } : { destructiveHint: hints?.destructive ?? false }),
      ...(!readOnly && hints?.idempotent && { idempotentHint: true }),
    },
    operation: asTool,
  }
}

function toolInput({ name, paged, retryable, input }: Operation): TObject {
  if (paged) return pagedInput(input)
  if (name === getItem.name) return partInput(input)
  return retryable ? retryableInput(input) : input
}

/** Where something is left out of answers, what brings it back; `callTool` takes it out. */
function withProof(operation: Operation, input: TObject): TObject {
  const answer = JSON.stringify(operation.output)
  if (!isReadOnly(operation) || !REPEATED.test(answer)) return input
  const proof = Type.Optional(Type.Boolean({ description: 'With hashes and doubles' }))
  return Type.Object({ ...input.properties, proof }, { additionalProperties: false })
}

/** Properties of which lean answers leave some out: an id is one of two. */
const REPEATED = /"(?:details_hash|metrics)":\{|^(?=.*"id":\{)(?=.*"(?:item|tag|view)_id":\{)/

const isReadOnly = ({ hints, effect }: Operation): boolean => hints?.readOnly ?? effect === 'read'

/** Characters of a list that a model reads at once (additions §7). */
const MAX_TOOL_TEXT = 60_000

interface ToolCallOptions {
  signal?: AbortSignal | undefined
  /** Characters after which the page of a list ends. */
  max_text?: number
}

/**
 * Runs a tool for a caller.
 * @throws ServiceError as every operation does.
 */
export async function callTool(
  runtime: Runtime,
  tool: Tool,
  caller: Caller,
  args: unknown,
  { signal, max_text = MAX_TOOL_TEXT }: ToolCallOptions = {},
): Promise<Reply> {
  const { operation } = tool
  const { proof, rest: given } = withoutProof(args ?? {})
  const { from, rest } = operation.name === getItem.name ? withoutPart(given) : { rest: given }
  const { key, input } = withoutKey(operation, withDefaults(operation, rest))
  const call = async (given: unknown) => {
    const whole = await untilSessionEnds(runtime, caller, signal, (either) =>
      callOperation(runtime, operation, caller, given, either, { key }),
    )
    return proof ? whole : leanAnswer(whole)
  }
  const reply = await call(input)
  if (from !== undefined) return withPart(reply, from, max_text)
  if (operation.name === searchItems.name && foundNothing(reply, input)) {
    const [hints, nearest] = await Promise.all([
      findHints(runtime, caller, input),
      nearestItems(runtime, caller, input),
    ])
    return hints.length || nearest.length ? new Reply(reply.json, { ...reply.meta, hints, nearest }) : reply
  }
  return isList(operation)
    ? shortened(reply, max_text, (limit) => call({ ...(input as object), limit }))
    : reply
}

/** Every tool takes `proof`: the answer as it is, with hashes and salts. */
function withoutProof(args: unknown): { proof: boolean; rest: unknown } {
  if (!isRecord(args) || !Object.hasOwn(args, 'proof')) return { proof: false, rest: args }
  const { proof, ...rest } = args
  if (proof !== null && typeof proof !== 'boolean')
    throw invalid([{ path: 'proof', message: 'must be a boolean' }])
  return { proof: proof === true, rest }
}

/** The idempotency_key of a tool that takes one, alongside its other arguments. */
function withoutKey({ retryable }: Operation, args: unknown): { key: string | undefined; input: unknown } {
  if (!retryable || !isRecord(args) || (args.idempotency_key ?? null) === null)
    return { key: undefined, input: args }
  const { idempotency_key, ...input } = args
  return { key: checkKey(idempotency_key, 'idempotency_key'), input }
}

/** What takes a limit and says how to go on; the audit log has no `after`, but goes on all the same. */
const isList = ({ paged, input, output }: Operation): boolean =>
  paged === true || ('limit' in input.properties && 'items' in output)

/** How many there are in a list, or in the lists that an answer is made of. */
const elementsOf = (answer: unknown): number =>
  Array.isArray(answer)
    ? answer.length
    : Object.values(answer as object).reduce<number>(
        (sum, each) => sum + (Array.isArray(each) ? each.length : 0),
        0,
      )

/** The page itself, or as much of it as a model should read; `next` then goes on from there. */
async function shortened(
  page: Reply,
  max_text: number,
  call: (limit: number) => Promise<Reply>,
): Promise<Reply> {
  let reply = page
  while (reply.json.length > max_text) {
    const elements = elementsOf(JSON.parse(reply.json))
    if (elements < 2) return reply
    const fitting = Math.floor((elements * max_text) / reply.json.length)
    reply = await call(Math.max(1, Math.min(fitting, elements - 1)))
  }
  return reply
}

/**
 * A page where a list is asked for without a limit, and newest first where it can be sorted and is not; a search for
 * items knows by its filter whether it has an order of its own.
 */
function withDefaults({ name, paged, input }: Operation, args: unknown): unknown {
  if (!paged || typeof args !== 'object' || args === null || Array.isArray(args)) return args
  const { limit, sort, skip } = args as Record<string, unknown>
  const isWhole = (limit ?? skip ?? null) === null
  const sorted = !sortsByKeys(input) || name === searchItems.name || (sort ?? null) !== null
  return { ...args, ...(isWhole && { limit: TOOL_PAGE }), ...(!sorted && { sort: NEWEST_FIRST }) }
}

/** Work whose signal aborts when the caller's session, key or app ends, or with `signal`. */
async function untilSessionEnds<T>(
  { services }: Pick<Runtime, 'services'>,
  { token_hash }: Pick<Caller, 'token_hash'>,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const unwatch = token_hash === null ? undefined : services.sessions.onEnd(token_hash, end)
  try {
    return await work(controller.signal)
  } finally {
    signal?.removeEventListener('abort', end)
    unwatch?.()
  }
}
