import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { AnswerParts } from '#src/api/chat/answer-parts.ts'
import { type ChatEvent, ChatFault } from '#src/api/chat/chat-event.ts'
import type { modelStep, Step, Timeouts, ToolCall } from '#src/api/chat/model-step.ts'
import { chatTools, runTool, type ToolOutcome } from '#src/api/chat/run-tool.ts'
import { systemPrompt } from '#src/api/chat/system-prompt.ts'
import {
  historyMessages,
  resultsMessage,
  sendable,
  type HistoryMessage,
  type TranscriptCall,
  type TranscriptStep,
} from '#src/api/chat/transcript.ts'
import { WholeCharacters, withWholeCharacters } from '#src/api/chat/whole-characters.ts'
import type { Tool } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { mayCall } from '#src/runtime/may-call.ts'

/** Specification, Limits: tool loops per chat request; calls that one step asks for count each. */
const MAX_CALLS = 200
/** Characters of one answer, all its steps together. */
const MAX_ANSWER = 2_000_000
/** Characters of everything that the model writes for one message: text, reasoning, arguments of its calls. */
const MAX_KEPT = 4_000_000

export interface TurnParts {
  runtime: Runtime
  caller: Caller
  tools: readonly Tool[]
  timeouts: Timeouts
  /**
   * Aborts the turn's signal where the session has ended, of which this process may not have been notified.
   * @throws NotFound where the chat has been deleted: nothing would say what its answer has done; ChatFault where the
   * account has another role than the caller
   */
  checkGoesOn(this: void): Promise<void>
  /** For what went wrong on our side. */
  onError(this: void, error: unknown): void
  /** For what went wrong at the provider. */
  warn(this: void, message: string): void
}

export interface TurnInput {
  model: LanguageModel
  message: string
  history: readonly HistoryMessage[]
  signal: AbortSignal
  /** Waits while the client reads slower than the model writes. */
  send(this: void, event: ChatEvent): Promise<void>
}

/** What was said in a turn: for the turns that follow, and for people. */
export interface Said {
  steps: TranscriptStep[]
  parts: AnswerParts
}

/**
 * Lets the model answer, running the tools that it asks for, until it asks for none. `said` fills as it goes on, so
 * that it is known also when the turn fails.
 * @throws whatever ends the turn: a ChatFault, the provider's error, the signal's reason
 */
export async function runTurn(parts: TurnParts, input: TurnInput, said: Said): Promise<void> {
  // Whatever ends the turn ends what the provider still has to say.
  const over = new AbortController()
  const signal = AbortSignal.any([input.signal, over.signal])
  const { modelStep, toolSet } = await import('#src/api/chat/model-step.ts')
  const tools = chatTools(parts.tools.filter(({ operation }) => mayCall(operation, parts.caller)))
  try {
    const turn = new Turn({ ...parts, tools }, { ...input, signal }, said)
    await turn.run(modelStep, toolSet(tools))
  } finally {
    over.abort()
  }
}

interface Component {
  id: string
  title: string | null
  js: string
  css: string
}

class Turn {
  private readonly parts: TurnParts
  private readonly input: TurnInput
  private readonly steps: TranscriptStep[]
  private readonly answer: AnswerParts
  private room = MAX_ANSWER
  private calls = 0
  /** Of what is kept of the turn besides, e.g. what the model thinks and how it fills in its calls. */
  private readonly kept = { left: MAX_KEPT }
  private readonly changed = { items: 0, views_lost: 0 }

  constructor(parts: TurnParts, input: TurnInput, said: Said) {
    this.parts = parts
    this.input = input
    this.steps = said.steps
    this.answer = said.parts
  }

  async run(askModel: typeof modelStep, tools: ToolSet): Promise<void> {
    const { model, signal, history, message } = this.input
    const { runtime, caller, timeouts } = this.parts
    const instructions = systemPrompt(new Date(runtime.clock()), caller.scope)
    const messages: ModelMessage[] = [...historyMessages(history), { role: 'user', content: message }]
    for (;;) {
      const step: TranscriptStep = { text: '', calls: [] }
      this.steps.push(step)
      const request = { model, instructions, messages: sendable(messages), tools, signal, timeouts }
      const answer = askModel({ ...request, kept: this.kept })
      const { calls, said } = await this.passOn(answer, step)
      if (!calls.length) return this.checkSaid()
      for (const call of calls) {
        if (this.calls++ === MAX_CALLS)
          throw new ChatFault(`The assistant used tools ${MAX_CALLS} times for one message: it may no more`)
        await this.parts.checkGoesOn()
        signal.throwIfAborted()
        step.calls.push(await this.runCall(call))
      }
      messages.push(...said, resultsMessage(step.calls))
    }
  }

  /** @throws ChatFault where the model ended without a word and without having done anything, thoughts aside */
  private checkSaid(): void {
    if (this.steps.every(({ text, calls }) => !text.trim() && !calls.length))
      throw new ChatFault('The language model answered nothing. Ask again, or in other words')
  }

  private async passOn(answer: AsyncGenerator<string, Step>, step: TranscriptStep): Promise<Step> {
    const text = new WholeCharacters()
    for (;;) {
      const { done, value } = await answer.next()
      const piece = done ? text.end() : text.take(value)
      if (piece) await this.sendPiece(piece, step)
      if (done) return value
    }
  }

  private async sendPiece(piece: string, step: TranscriptStep): Promise<void> {
    // What the model says after its tools is a paragraph of its own.
    const content = !step.text && this.steps.some(({ text }) => text) ? `\n\n${piece}` : piece
    if ((this.room -= content.length) < 0)
      throw new ChatFault(`The answer was ended: it is longer than ${MAX_ANSWER} characters`)
    step.text += content
    this.answer.text(content)
    await this.input.send({ type: 'text_delta', content })
  }

  private async runCall(call: ToolCall): Promise<TranscriptCall> {
    const { send } = this.input
    const { id, name, input } = withWholeCharacters(call)
    const event = { type: 'tool_call', id, name, arguments: input } as const
    await send({ ...event, status: 'running', result: 'null' })
    const { signal } = this.input
    const outcome = await runTool({ ...this.parts, changed: this.changed, signal }, call)
    await send({ ...event, status: 'completed', result: outcome.json })
    const args = isRecord(input) ? input : {}
    this.answer.toolCall({ name, arguments: args, result: outcome.json, change_id: outcome.change_id })
    const isComponent = name === 'render_react' && outcome.ok
    const told = isComponent ? await this.showComponent(outcome) : outcome.told
    return { id, name, arguments: args, result: told }
  }

  /** The user gets the component; the model does not need to read its code again. */
  private async showComponent({ json }: ToolOutcome): Promise<string> {
    const { id, title, js, css } = JSON.parse(json) as Component
    this.answer.component({ id, title, js, css })
    await this.input.send({ type: 'react_render', id, title, js, css })
    return JSON.stringify({ id, title, shown: true })
  }
}
