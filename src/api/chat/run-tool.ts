import type { ToolCall } from '#src/api/chat/model-step.ts'
import { shorten } from '#src/api/chat/transcript.ts'
import { withPart } from '#src/api/text-part.ts'
import { errorInWords } from '#src/api/error-in-words.ts'
import { metaBeside } from '#src/api/meta-beside.ts'
import { callTool, type Tool, toolMeant } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { parseExactJson } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { ASSISTANT_PURGES_NOTHING } from '#src/operations/items/purge-deleted.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Runtime } from '#src/runtime/call.ts'

/** Items that the assistant may change for one message, all its calls together (decision 81). */
export const MAX_CHANGED = 100
/** Characters of a result that are sent to the model. */
const MAX_RESULT = 30_000

/** What changes many things at once, or deletes. Another tool may always change the one thing that it is given. */
const isBulk = (name: string) => name.startsWith('bulk_') || BULK.has(name)
const BULK = new Set([
  'upsert_items',
  'migrate_tag_values',
  'delete_tag',
  'batch',
  'undo_changes',
  'merge_items',
  'delete_item',
  'edit_tag',
])

/** Views that the assistant may delete or overwrite for one message: what they were does not come back (additions §12). */
const MAX_VIEWS_LOST = 10
const LOSES_A_VIEW = new Set(['delete_view', 'update_view'])

/** A tool that the chat never has: what it removes does not come back. */
const NOT_IN_CHAT = new Set(['purge_deleted_items'])
export const chatTools = (tools: readonly Tool[]) => tools.filter(({ name }) => !NOT_IN_CHAT.has(name))

export interface ToolOutcome {
  /** JSON text: what REST would answer, or `{error}`. */
  json: string
  /** What is sent to the model. */
  told: string
  ok: boolean
  /** The change that it made. */
  change_id?: string | undefined
}

export interface ToolRunner {
  runtime: Runtime
  caller: Caller
  tools: readonly Tool[]
  /** The turn is over. */
  signal?: AbortSignal
  /** Items that have been changed, and views deleted or overwritten, for this message; counted on here. */
  changed: { items: number; views_lost: number }
  onError(this: void, error: unknown): void
}

/** Runs what the model asked for; what goes wrong comes back as a result that says how to do it right. */
export async function runTool(runner: ToolRunner, call: ToolCall): Promise<ToolOutcome> {
  try {
    const args = argumentsOf(call)
    const tool = toolNamed(call.name, runner.tools)
    const reply = await carryOut(runner, tool, args)
    const { json, meta } = reply
    return { json, told: toldOf(reply, tool, args), ok: true, change_id: meta?.change_id }
  } catch (error) {
    const json = JSON.stringify({ error: inWords(error, runner) })
    return { json, told: shorten(json, MAX_RESULT), ok: false }
  }
}

async function carryOut(runner: ToolRunner, tool: Tool, args: unknown): Promise<Reply> {
  const { runtime, changed, signal } = runner
  const { name } = tool
  const losesView = LOSES_A_VIEW.has(name)
  if (losesView && changed.views_lost >= MAX_VIEWS_LOST) throw tooManyViews()
  const left = Math.max(MAX_CHANGED - changed.items, isBulk(name) ? 0 : 1)
  const may_change = { max: MAX_CHANGED, left }
  const proposes = runner.caller.scope === 'propose' || name === 'propose_changes'
  const caller: Caller = { ...runner.caller, source: 'chat', ...(!proposes && { may_change }) }
  // A page that were cut afterwards would lose what lies between the cut and its `next`.
  const reply = await callTool(runtime, tool, caller, args, { signal, max_text: MAX_RESULT })
  if (!reply.meta?.replayed) changed.items += reply.meta?.changed ?? 0
  if (losesView) changed.views_lost++
  return reply
}

const tooManyViews = () =>
  badRequest(
    `The assistant may delete or change at most ${MAX_VIEWS_LOST} views for one message. Nothing was changed by it`,
    {
      suggestion: 'Tell the user which others you would delete or change, and ask them to do it themselves',
    },
  )

/** @throws BadRequest for what is no JSON, and for what could not be kept exactly */
function argumentsOf({ name, input, text }: ToolCall): unknown {
  try {
    return parseExactJson(text ?? JSON.stringify(input ?? {}), { what: 'The text of the arguments' }) ?? {}
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message, { suggestion: `Call ${name} again with a JSON object` })
  }
}

/** @throws BadRequest where there is none */
function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((each) => each.name === name)
  if (tool) return tool
  // Some models write what their training wrote around it: functions.get_items, get_items<|channel|>.
  const words = new Set(name.split(/\W+/))
  const close = tools.find((each) => words.has(each.name))?.name ?? toolMeant(name, tools)
  const meant = close ? `Did you mean '${close}'?` : undefined
  throw badRequest(`There is no tool '${name}' here`, {
    // The nearest name would be that of a tool that deletes what nobody has deleted.
    suggestion: NOT_IN_CHAT.has(name)
      ? `${ASSISTANT_PURGES_NOTHING.message}. ${ASSISTANT_PURGES_NOTHING.suggestion}`
      : meant,
  })
}

/** What the model reads of an answer: of a long item a part of its texts, and how to go on. */
function toldOf(reply: Reply, tool: Tool, args: unknown): string {
  const isItem = tool.operation.name === getItem.name
  const isWhole = reply.json.length <= MAX_RESULT || reply.meta?.part !== undefined
  const read = isItem && !isWhole ? withPart(reply, 0, MAX_RESULT) : reply
  const beside = metaBeside(read, args)
  return shorten(read.json, MAX_RESULT, howToAskForLess(tool, args)) + (beside ? `\n${beside}` : '')
}

function howToAskForLess({ operation }: Tool, args: unknown): string {
  if (operation.name === getItem.name && isRecord(args))
    return `; get_items with {"filter": {"id": ${JSON.stringify(args['item_id'])}}, "fields": ["Tag.field"]} gives single values`
  const ways = ['limit', 'fields'].filter((name) => name in operation.input.properties)
  if (!ways.length) return ''
  const long = operation.name === searchItems.name ? '; get_item reads long texts part by part' : ''
  return `; ask for less with ${ways.join(' and ')}${long}`
}

function inWords(error: unknown, { onError }: ToolRunner): string {
  if (error instanceof ServiceError) return errorInWords(error)
  onError(error)
  return 'Something went wrong on our side; try again once, then tell the user'
}
