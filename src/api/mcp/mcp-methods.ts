import { FILTER_GUIDE } from '#src/api/filter-guide.ts'
import {
  errorText,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  ourFault,
  quoted,
  type RequestId,
  resultText,
  toolFailure,
  toolResult,
  type ToolResult,
} from '#src/api/mcp/json-rpc.ts'
import { describedOnce } from '#src/api/tool-listing.ts'
import { callTool, type Tool, toolMeant } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { VERSION } from '#src/domain/version.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { checkCaller, mayCall } from '#src/runtime/may-call.ts'

/** What a client may tell its model of the service as a whole; the tools say the rest. */
export const INSTRUCTIONS = `Facet keeps items: a name, an optional HTML description, and any number of tags. A tag is a named schema of typed fields; applying it to an item gives the item values for them. Where a tag is meant, its id or its name will do.
Look at the tags first (get_tags): their fields and variants are what filters and values are made of.
Ask in a sentence with {"search": {"text": "when did we choose Kysely?", "match": "any"}}: items with any of the words, best first, also where a word is mistyped; give other words for the same as a list in text.
With snippets: true each item comes with the place that was met; a search by phrase or words that finds nothing names the nearest items.
get_items finds items (fields: ["name", "Task.due", "Task.assignee->name"] gives single values, limit 0 with count only counts), aggregate_items counts and sums by group, get_backlinks says what refers to an item. explain_query says why a filter finds nothing, or why an item is not in it.
Lists answer at most 100 elements unless limit is given; a second text block holds warnings and the arguments of the following page (next). Arguments of one name mean the same in every tool; the first tool of the list says what. Hashes and doubled ids are left out (proof: true brings them).
Change many at once: bulk_update_field_values by one filter, batch for different changes, upsert_items for a table, merge_items for duplicates. With dry_run they only say what would happen. undo_changes takes a change back by the change_id beside its answer.
${FILTER_GUIDE}`

/** Specification, Versioning. */
const PROTOCOL_VERSION = '2024-11-05'
/** Specification, Versioning: the version is the service's. */
export const SERVER_INFO = { name: 'items-mcp', version: VERSION }

export interface McpParts {
  runtime: Runtime
  tools: readonly Tool[]
  /** For what went wrong on our side. */
  onError(this: void, error: unknown): void
}

interface ToolList {
  tools: ReturnType<typeof listedTool>[]
  /** The SDK wants open objects. */
  [key: string]: unknown
}

export interface McpRequest {
  id: RequestId
  method: string
  params: unknown
}

/** MCP's methods without a transport (decision 80). */
export class McpMethods {
  private readonly parts: McpParts
  private readonly tools: ReadonlyMap<string, Tool>
  private readonly lists: OfferedTools<{ list: ToolList; json: string }>

  constructor(parts: McpParts) {
    this.parts = parts
    this.tools = new Map(parts.tools.map((tool) => [tool.name, tool]))
    this.lists = new OfferedTools(parts.tools, (tools) => {
      const list = { tools: tools.map(listedTool) }
      return { list, json: JSON.stringify(list) }
    })
  }

  /** The result of `tools/list`: the tools that the caller may use. */
  listFor(caller: Caller): ToolList {
    return this.lists.for(caller).list
  }

  /** The answer of protocol 2024-11-05 to a request, as JSON text. */
  async answer(caller: Caller, { id, method, params }: McpRequest, signal: AbortSignal): Promise<string> {
    switch (method) {
      case 'initialize':
        return resultText(id, INITIALIZED)
      case 'ping':
        return resultText(id, '{}')
      case 'tools/list': {
        const fault = cursorFault(params)
        return fault ? errorText(id, INVALID_PARAMS, fault) : resultText(id, this.lists.for(caller).json)
      }
      case 'tools/call':
        return this.call(caller, id, params, signal)
      default:
        return errorText(id, METHOD_NOT_FOUND, `Method not found: ${quoted(method)}`)
    }
  }

  private async call(caller: Caller, id: RequestId, params: unknown, signal: AbortSignal): Promise<string> {
    const { name, arguments: args } = isRecord(params) ? params : {}
    if (typeof name !== 'string')
      return errorText(id, INVALID_PARAMS, 'Invalid params: expected {"name": <tool>, "arguments": {…}}')
    const tool = this.find(name)
    if (!tool) return errorText(id, INVALID_PARAMS, this.unknownTool(name))
    return resultText(id, JSON.stringify(await this.resultOf(caller, tool, args, signal)))
  }

  /**
   * An app that lacks a scope is told so by the transport, so that it can ask for it (MCP authorization, scope
   * challenge); everything else is the tool's answer.
   * @throws Forbidden
   */
  checkScope(caller: Caller, message: unknown): void {
    if (caller.client?.kind !== 'app' || caller.scope === 'write') return
    if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return
    const tool = this.find(String(message.params.name))
    if (tool) checkCaller(tool.operation, caller)
  }

  /** The result of calling a tool, whether it succeeds or not; `signal` aborts when nobody waits for it any more. */
  async resultOf(caller: Caller, tool: Tool, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    try {
      const reply = await callTool(this.parts.runtime, tool, { ...caller, source: 'mcp' }, args, { signal })
      return toolResult(reply, args)
    } catch (error) {
      if (error instanceof ServiceError) return toolFailure(error)
      this.parts.onError(error)
      return toolFailure(ourFault())
    }
  }

  /** For the log. */
  readonly onError = (error: unknown): void => this.parts.onError(error)

  find(name: string): Tool | undefined {
    return this.tools.get(name)
  }

  unknownTool(name: string): string {
    const close = toolMeant(name, [...this.tools.values()])
    return `Unknown tool: ${quoted(name)}${close ? `. Did you mean '${close}'?` : ''}`
  }
}

/** What is wrong with a cursor of `tools/list`: the list comes whole, so there is none to go on from. */
export function cursorFault(params: unknown): string | undefined {
  const { cursor } = isRecord(params) ? params : {}
  return (cursor ?? '') === ''
    ? undefined
    : 'Invalid params: unknown cursor; the list of tools comes whole, so leave cursor out'
}

const INITIALIZED = JSON.stringify({
  protocolVersion: PROTOCOL_VERSION,
  capabilities: { tools: {} },
  serverInfo: SERVER_INFO,
  instructions: INSTRUCTIONS,
})

const listedTool = ({ name, description, inputSchema, annotations }: Tool) => ({
  name,
  description,
  inputSchema,
  annotations,
})

/** What a list of tools is made into for those who may use the same ones. */
class OfferedTools<T> {
  private readonly tools: readonly Tool[]
  private readonly make: (tools: readonly Tool[]) => T
  private readonly made = new Map<string, T>()

  constructor(tools: readonly Tool[], make: (tools: readonly Tool[]) => T) {
    this.tools = tools
    this.make = make
  }

  /** What tools one may use depends on the role, the scope and whether there is a limit alone. */
  for(caller: Caller): T {
    const kind = `${caller.role} ${caller.scope} ${caller.limited ?? false}`
    let made = this.made.get(kind)
    if (made === undefined)
      this.made.set(
        kind,
        (made = this.make(describedOnce(this.tools.filter(({ operation }) => mayCall(operation, caller))))),
      )
    return made
  }
}
