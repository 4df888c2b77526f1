import {
  type AssistantModelMessage,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  experimental_streamTextLowMemory as streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai'
import { ChatFault } from '#src/api/chat/chat-event.ts'
import type { Tool } from '#src/api/tools.ts'
import { isRecord } from '#src/domain/is-record.ts'

export interface StepInput {
  model: LanguageModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  signal: AbortSignal
  timeouts: Timeouts
  /** Characters that the model may still write for this message; what it writes is taken off. */
  kept: { left: number }
}

/** Milliseconds. */
export interface Timeouts {
  /** Until the first piece: a local model reads a long prompt slowly. */
  first: number
  /** From one piece to the next. */
  next: number
}

export interface ToolCall {
  id: string
  name: string
  /** As the SDK read it, which rounds numbers and lets one of two equal keys win. */
  input: unknown
  /** As the model wrote it; missing where the provider does not say. */
  text?: string
}

export interface Step {
  text: string
  calls: ToolCall[]
  /** What the model said, with what its provider wants back unchanged (e.g. signed reasoning). */
  said: AssistantModelMessage[]
}

/** The tools as they are described to the provider; we run them ourselves. */
export const toolSet = (tools: readonly Tool[]): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema(inputSchema) },
    ]),
  )

/** One answer of the model: its text piece by piece, and in the end what it was. */
export async function* modelStep(input: StepInput): AsyncGenerator<string, Step> {
  const { signal, kept } = input
  const beginning = patience(input.timeouts.first)
  let said: AssistantModelMessage[] = []
  const stream = streamOf(input, beginning.signal, (messages) => (said = messages))
  let text = ''
  const calls: ToolCall[] = []
  const written = new Map<string, string>()
  for await (const part of stream) {
    if (!part.type.startsWith('start')) beginning.end()
    if ((kept.left -= writtenIn(part)) < 0)
      throw new ChatFault('The answer was ended: the language model wrote too much for one message')
    if (part.type === 'text-delta') {
      text += part.text
      yield part.text
    } else if (part.type === 'tool-call') {
      calls.push(toolCall(part, written.get(part.toolCallId)))
      // Some models give the calls of one answer the same id.
      written.delete(part.toolCallId)
    } else if (part.type === 'tool-input-delta')
      written.set(part.id, (written.get(part.id) ?? '') + part.delta)
    else checkPart(part, signal, beginning.signal, calls.length > 0)
  }
  return { text, calls, said }
}

/**
 * As far as here a request begins like the one before, and is not read anew: tools and instructions, then all that was
 * said until now. Anthropic wants to be told; others see it by themselves.
 */
const KEPT = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Asks the model; `onSaid` is called with its messages when it has ended. */
function streamOf(
  { model, instructions, messages, tools, signal, timeouts }: StepInput,
  beginning: AbortSignal,
  onSaid: (said: AssistantModelMessage[]) => void,
): AsyncIterable<TextStreamPart<ToolSet>> {
  // Without the buffer that keeps every piece for later readers.
  return streamText({
    model,
    instructions: { role: 'system', content: instructions, providerOptions: KEPT },
    messages: messages.map((each, i) =>
      i === messages.length - 1 ? { ...each, providerOptions: KEPT } : each,
    ),
    tools,
    abortSignal: AbortSignal.any([signal, beginning]),
    timeout: { chunkMs: timeouts.next },
    telemetry: { isEnabled: false },
    // Nothing of a conversation stays with the provider for its own use.
    providerOptions: { openai: { store: false } },
    onError: () => {}, // thrown by the one who reads the stream
    onStepEnd: ({ response }) =>
      onSaid(response.messages.filter(({ role }) => role === 'assistant').map(withObjectInputs)),
  }).stream
}

const toolCall = (
  { toolCallId: id, toolName: name, input }: { toolCallId: string; toolName: string; input: unknown },
  text: string | undefined,
): ToolCall => ({ id, name, input, ...(text?.trim() && { text }) })

/** @throws what ended the answer, where this part says that it did not end well */
function checkPart(
  part: TextStreamPart<ToolSet>,
  signal: AbortSignal,
  beginning: AbortSignal,
  goesOn: boolean,
): void {
  if (part.type === 'finish-step') checkEnd(part, goesOn)
  else if (part.type === 'abort' || (part.type === 'error' && beginning.aborted))
    throw signal.aborted ? signal.reason : new ChatFault('The language model’s provider stopped answering')
  else if (part.type === 'error') throw part.error
}

/** Characters of a part that stay in memory until the turn is over. */
function writtenIn(part: { type: string }): number {
  const { text, delta } = part as { text?: unknown; delta?: unknown }
  if (typeof text === 'string') return text.length
  if (typeof delta === 'string') return delta.length
  return 0
}

/** Aborts after this many milliseconds; the SDK's timeout for this begins only when the head of the answer has come. */
function patience(ms: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms).unref()
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

type StepEnd = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>

/** How servers call a usual end in words of their own, e.g. eos_token, end_turn, COMPLETE; abort and error are none. */
const WHOLE = /^(?:stop|eos|end|complete|done|finish)/i

/** `goesOn`: the model has called tools, and will be asked again. */
function checkEnd({ finishReason: reason, rawFinishReason }: StepEnd, goesOn: boolean): void {
  if (reason === 'content-filter')
    throw new ChatFault('The language model’s provider refused to answer this (content filter)')
  // A stream that simply ends has been cut off on the way.
  if (reason === 'interrupted' || reason === 'error')
    throw new ChatFault('The language model’s answer was cut off')
  if (goesOn) return
  if (reason === 'other' && rawFinishReason && !WHOLE.test(rawFinishReason))
    throw new ChatFault(
      `The language model’s answer was cut off: its provider ended it with '${rawFinishReason.slice(0, 100)}'`,
    )
  if (reason !== 'length') return
  if (rawFinishReason === 'model_context_window_exceeded')
    throw new ChatFault(
      'The answer was cut off: the conversation is as long as the language model can read. Begin a new chat',
    )
  throw new ChatFault(
    'The answer was cut off: it is as long as the language model may write at once. Ask it to go on',
  )
}

/** Providers refuse a call whose input is no object. */
function withObjectInputs(message: { content: unknown }): AssistantModelMessage {
  const { content } = message as AssistantModelMessage
  if (typeof content === 'string') return { role: 'assistant', content }
  return {
    role: 'assistant',
    content: content.map((part) =>
      part.type === 'tool-call' && !isRecord(part.input) ? { ...part, input: {} } : part,
    ),
  }
}
