import type { LanguageModel, ModelMessage } from 'ai'
import type { ToolCall, Timeouts } from '#src/api/chat/model-step.ts'
import { ChatFault } from '#src/api/chat/chat-fault.ts'
import { chatTools, runTool, type ToolOutcome } from '#src/api/chat/run-tool.ts'
import { type PromptTag, systemPrompt } from '#src/api/chat/system-prompt.ts'
import {
  historyMessages,
  resultsMessage,
  type ToldMessage,
  type TranscriptCall,
  type TranscriptStep,
} from '#src/api/chat/transcript.ts'
import type { ChatEvent } from '#src/api/chat/chat-event.ts'
import { callTool, type Tool } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import type { Facet } from '#src/operations/call.ts'

/** Specification, Limits: tool loops per chat request. */
export const MAX_LOOPS = 200
/** Characters of one answer, all its steps together. */
const MAX_ANSWER = 2_000_000
/** Tags that the system prompt looks at. */
const MAX_TAGS = 500

export interface TurnParts {
  facet: Facet
  caller: Caller
  tools: readonly Tool[]
  timeouts: Timeouts
  /** For what went wrong on our side. */
  onError(this: void, error: unknown): void
  /** For what went wrong at the provider. */
  warn(this: void, message: string): void
}

export interface TurnInput {
  model: LanguageModel
  message: string
  history: readonly ToldMessage[]
  signal: AbortSignal
  /** Waits while the client reads slower than the model writes. */
  send(this: void, event: ChatEvent): Promise<void>
}

/**
 * Lets the model answer, running the tools that it asks for, until it asks for none. `steps` fills as it goes on, so
 * that what was said is known also when the turn fails.
 * @throws whatever ends the turn: a ChatFault, the provider's error, the signal's reason
 */
export async function runTurn(parts: TurnParts, input: TurnInput, steps: TranscriptStep[]): Promise<void> {
  const { modelStep, toolSet } = await import('#src/api/chat/model-step.ts')
  const { model, signal, send } = input
  const tools = chatTools(parts.tools)
  const offered = toolSet(tools)
  const instructions = systemPrompt({ ...(await knownTags(parts)), now: new Date(parts.facet.clock()) })
  const messages: ModelMessage[] = [
    ...historyMessages(input.history),
    { role: 'user', content: input.message },
  ]
  let room = MAX_ANSWER
  for (let loops = 0; ; loops++) {
    const step: TranscriptStep = { text: '', calls: [] }
    steps.push(step)
    const answer = modelStep({
      model,
      instructions,
      messages,
      tools: offered,
      signal,
      timeouts: parts.timeouts,
    })
    let piece = await answer.next()
    for (; !piece.done; piece = await answer.next()) {
      // What the model says after its tools is a paragraph of its own.
      const content = !step.text && steps.some(({ text }) => text) ? `\n\n${piece.value}` : piece.value
      if ((room -= content.length) < 0)
        throw new ChatFault(
          `The answer is longer than ${MAX_ANSWER} characters: that is the most there may be`,
        )
      step.text += content
      await send({ type: 'text_delta', content })
    }
    const { calls, said } = piece.value
    if (!calls.length) return
    if (loops === MAX_LOOPS)
      throw new ChatFault(
        `The assistant used tools ${MAX_LOOPS} times for one message: that is the most it may`,
      )
    for (const call of calls) {
      signal.throwIfAborted()
      step.calls.push(await runCall(parts, { ...parts, tools }, call, send))
    }
    messages.push(...said, resultsMessage(step.calls))
  }
}

async function runCall(
  { facet, caller, onError }: TurnParts,
  { tools }: { tools: readonly Tool[] },
  call: ToolCall,
  send: TurnInput['send'],
): Promise<TranscriptCall> {
  const { id, name, input } = call
  await send({ type: 'tool_call', id, name, arguments: input, status: 'running', result: 'null' })
  const outcome = await runTool({ facet, caller, tools, onError }, call)
  await send({ type: 'tool_call', id, name, arguments: input, status: 'completed', result: outcome.json })
  const args = typeof input === 'object' && input !== null ? input : {}
  const told = name === 'render_react' ? await showComponent(outcome, send) : outcome.told
  return { id, name, arguments: args, result: told }
}

/** The user gets the component; the model does not need to read its code again. */
async function showComponent({ json, told, ok }: ToolOutcome, send: TurnInput['send']): Promise<string> {
  if (!ok) return told
  const { id, title, js, css } = JSON.parse(json) as {
    id: string
    title: string | null
    js: string
    css: string
  }
  await send({ type: 'react_render', id, title, js, css })
  return JSON.stringify({ id, title, shown: true })
}

/** The newest tags with their fields, for the system prompt. */
async function knownTags({ facet, caller, tools }: TurnParts): Promise<{ tags: PromptTag[]; more: boolean }> {
  const getTags = tools.find(({ name }) => name === 'get_tags')
  if (!getTags) return { tags: [], more: false }
  const { json, notes } = await callTool(facet, getTags, caller, { limit: MAX_TAGS })
  return { tags: JSON.parse(json) as PromptTag[], more: notes?.next !== undefined }
}
