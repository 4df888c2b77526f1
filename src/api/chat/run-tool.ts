import type { ToolCall } from '#src/api/chat/model-step.ts'
import { shorten } from '#src/api/chat/transcript.ts'
import { errorInWords } from '#src/api/error-in-words.ts'
import { notesBeside } from '#src/api/notes-beside.ts'
import { callTool, type Tool } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { parseExactJson } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import { nearest } from '#src/domain/nearest.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Facet } from '#src/operations/call.ts'

/** Items that one bulk call of the assistant may change. */
const MAX_AFFECTED = 100
/** Characters of a result that the model is told. */
const MAX_RESULT = 30_000

/** How many items a call would change. The tools that change one thing are not in it. */
const AFFECTED: Record<string, (ask: Ask, args: Arguments) => number | Promise<number>> = {
  bulk_add_items: (_, { items }) => (Array.isArray(items) ? items.length : 0),
  bulk_delete_items: byDryRun('bulk_delete_items'),
  bulk_apply_tag: byDryRun('bulk_apply_tag'),
  bulk_remove_tag: byDryRun('bulk_remove_tag'),
  bulk_update_field_values: byDryRun('bulk_update_field_values'),
  upsert_items: (_, { items }) => (Array.isArray(items) ? items.length : 0),
  migrate_tag_values: byDryRun('migrate_tag_values', 'migrated'),
  batch: async (ask, args) => {
    if (args.dry_run === true) return 0
    const { json } = await ask('batch', { ...args, dry_run: true })
    const { results } = JSON.parse(json) as { results: { affected_count?: number; length?: number }[] }
    return results.reduce((sum, { affected_count, length }) => sum + (affected_count ?? length ?? 1), 0)
  },
  undo_changes: async (ask, args) => {
    if (args.dry_run === true) return 0
    const { json } = await ask('undo_changes', { ...args, dry_run: true })
    return (JSON.parse(json) as { affected_item_ids: string[] }).affected_item_ids.length
  },
  // A tag takes the values of all its items with it, and they do not come back.
  delete_tag: (ask, { tag_id }) => itemsWith(ask, tag_id),
}
type Arguments = Record<string, unknown>
/** Calls a tool. */
type Ask = (name: string, args: unknown) => Promise<Reply>

/** `count`: where a dry run of the tool says how many items it would change. */
function byDryRun(name: string, count = 'affected_count') {
  return async (ask: Ask, args: Arguments): Promise<number> => {
    if (args.dry_run === true) return 0
    const { json } = await ask(name, { ...args, dry_run: true })
    return (JSON.parse(json) as Record<string, number>)[count]!
  }
}

/** 0 where there is no such tag: the call itself says so. */
async function itemsWith(ask: Ask, tag_id: unknown): Promise<number> {
  try {
    return await byDryRun('bulk_remove_tag')(ask, { filter: { has_tag: tag_id }, tag_id })
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'BadRequest' || error.code === 'NotFound')) return 0
    throw error
  }
}

/** A tool that the chat never has: what it removes does not come back. */
const NOT_IN_CHAT = new Set(['purge_deleted_items'])
export const chatTools = (tools: readonly Tool[]) => tools.filter(({ name }) => !NOT_IN_CHAT.has(name))

export interface ToolOutcome {
  /** JSON text: what REST would answer, or `{error}`. */
  json: string
  /** What the model is told. */
  told: string
  ok: boolean
}

export interface ToolRunner {
  facet: Facet
  caller: Caller
  tools: readonly Tool[]
  /** The turn is over. */
  signal?: AbortSignal
  onError(this: void, error: unknown): void
}

/** Runs what the model asked for; what goes wrong comes back as a result that says how to do it right. */
export async function runTool(runner: ToolRunner, call: ToolCall): Promise<ToolOutcome> {
  try {
    const { json, notes } = await carryOut(runner, call)
    const beside = notesBeside(notes)
    return { json, told: shorten(json, MAX_RESULT) + (beside ? `\n${beside}` : ''), ok: true }
  } catch (error) {
    const json = JSON.stringify({ error: inWords(error, runner) })
    return { json, told: json, ok: false }
  }
}

async function carryOut({ facet, caller, tools, signal }: ToolRunner, call: ToolCall): Promise<Reply> {
  const { name } = call
  const find = (name: string) => tools.find((each) => each.name === name)
  const tool = find(name)
  if (!tool) throw unknownTool(name, tools)
  const args = argumentsOf(call)
  const ask: Ask = (name, given) => callTool(facet, find(name)!, { ...caller, source: 'chat' }, given, signal)
  const affected = (await AFFECTED[name]?.(ask, args as Arguments)) ?? 0
  if (affected > MAX_AFFECTED)
    throw badRequest(
      `This would change ${affected} items at once; the assistant may change at most ${MAX_AFFECTED}. Nothing was changed`,
      {
        suggestion:
          'Go step by step with narrower filters, or tell the user what you would do and ask them to do it themselves',
      },
    )
  return ask(name, args)
}

/** @throws BadRequest for what is no JSON, and for what could not be kept exactly */
function argumentsOf({ name, input, text }: ToolCall): unknown {
  try {
    return parseExactJson(text ?? JSON.stringify(input ?? {}), { what: 'The text of the arguments' }) ?? {}
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message, { suggestion: `Call ${name} again with a JSON object` })
  }
}

function unknownTool(name: string, tools: readonly Tool[]): ServiceError {
  const close = nearest(
    name,
    tools.map((each) => each.name),
  )
  return badRequest(
    `There is no tool '${name}' here`,
    close ? { suggestion: `Did you mean '${close}'?` } : {},
  )
}

function inWords(error: unknown, { onError }: ToolRunner): string {
  if (error instanceof ServiceError) return errorInWords(error)
  onError(error)
  return 'Something went wrong on our side; try again once, then tell the user'
}
