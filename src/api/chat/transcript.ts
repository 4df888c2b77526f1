import type { ModelMessage } from 'ai'

/** One answer of the model within a turn, with the tools that it called. */
export interface TranscriptStep {
  text: string
  calls: TranscriptCall[]
}

export interface TranscriptCall {
  id: string
  name: string
  /** An object. */
  arguments: unknown
  /** What the tool answered to the model. */
  result: string
}

/** Characters of each tool result that are sent with later turns. */
const MAX_RESULT = 4000
/** Of a whole answer. */
const MAX_TRANSCRIPT = 60_000

/** What is stored of an answer for later turns: tool results shortened, the oldest left out where there are too many. */
export function toStore(steps: readonly TranscriptStep[]): TranscriptStep[] {
  const stored: TranscriptStep[] = []
  let room = MAX_TRANSCRIPT
  for (const { text, calls } of steps.toReversed()) {
    const shortened = calls.map((call) => ({ ...call, result: shorten(call.result, MAX_RESULT) }))
    room -= JSON.stringify(shortened).length
    const kept = room < 0 ? [] : shortened
    // Half a character at its end would make a text that providers refuse, in every turn that follows.
    if (text || kept.length) stored.unshift({ text: text.toWellFormed(), calls: kept })
  }
  return stored
}

/** Characters of the arguments of an answer's calls, all together, that its message keeps. */
const MAX_ARGUMENTS = 200_000

/** The tools that an answer called, for people: of calls beyond what a message keeps only the name. */
export function callsToStore(steps: readonly TranscriptStep[]): { name: string; arguments: unknown }[] {
  let room = MAX_ARGUMENTS
  return steps.flatMap(({ calls }) =>
    calls.map(({ name, arguments: args }) => {
      room -= JSON.stringify(args).length
      return { name, arguments: room < 0 ? {} : args }
    }),
  )
}

/** `advice`: how the model gets at the rest. */
export const shorten = (text: string, limit: number, advice = ''): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit).toWellFormed()}… (cut: ${text.length} characters in all${advice})`

/** A step as the SDK wants it. */
function stepMessages({ text, calls }: TranscriptStep): ModelMessage[] {
  const said = [{ type: 'text' as const, text }]
  const called = calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  return [
    { role: 'assistant', content: [...said, ...called] },
    ...(calls.length ? [resultsMessage(calls)] : []),
  ]
}

export const resultsMessage = (calls: readonly TranscriptCall[]): ModelMessage => ({
  role: 'tool',
  content: calls.map(({ id, name, result }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: 'text', value: result },
  })),
})

export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: string
  /** JSON text. */
  transcript: string | null
}

/** Characters of former messages that are sent to the model again; the newest count first. */
const MAX_HISTORY = 200_000
/** Of one answer: with the longest message that a user may send it still fits. */
const MAX_FORMER_ANSWER = 100_000

/** What was said before, as the provider wants it; it begins with something that the user said. */
export function historyMessages(history: readonly HistoryMessage[]): ModelMessage[] {
  const told: HistoryMessage[] = []
  let room = MAX_HISTORY
  for (const message of history.toReversed()) {
    const sent = message.role === 'assistant' ? fittingAnswer(message) : message
    room -= lengthOf(sent)
    if (room < 0) break
    told.unshift(sent)
  }
  const first = told.findIndex(({ role }) => role === 'user')
  return first < 0 ? [] : told.slice(first).flatMap(toMessages)
}

/** A transcript holds the text too. */
const lengthOf = ({ content, transcript }: HistoryMessage): number => (transcript ?? content).length

/** Of an answer that is too long the end of its text, so that the model knows where to go on. */
function fittingAnswer(message: HistoryMessage): HistoryMessage {
  if (lengthOf(message) <= MAX_FORMER_ANSWER) return message
  const { role, content } = message
  if (content.length <= MAX_FORMER_ANSWER) return { role, content, transcript: null }
  const note = `(the beginning is left out: ${content.length} characters in all) …`
  const end = content.slice(note.length - MAX_FORMER_ANSWER).toWellFormed()
  return { role, content: note + end, transcript: null }
}

function toMessages({ role, content, transcript }: HistoryMessage): ModelMessage[] {
  if (role === 'user') return [{ role, content }]
  if (transcript) return (JSON.parse(transcript) as TranscriptStep[]).flatMap(stepMessages)
  return [{ role, content }]
}

/**
 * The messages of a request in a form that every provider takes, whichever of them made it: without texts of white
 * space, names and ids of calls in the allowed letters, each id once.
 */
export function sendable(messages: readonly ModelMessage[]): ModelMessage[] {
  const ids = new CallIds()
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') {
      const content = message.content.map((part) =>
        part.type === 'tool-result'
          ? { ...part, toolCallId: ids.ofResult(part.toolCallId), toolName: sendableName(part.toolName) }
          : part,
      )
      return [{ ...message, content }]
    }
    if (message.role !== 'assistant') return [message]
    if (typeof message.content === 'string') return message.content.trim() ? [message] : []
    const content = message.content
      .filter((part) => part.type !== 'text' || part.text.trim())
      .map((part) =>
        part.type === 'tool-call'
          ? { ...part, toolCallId: ids.ofCall(part.toolCallId), toolName: sendableName(part.toolName) }
          : part,
      )
    return content.length ? [{ ...message, content }] : []
  })
}

/** What OpenAI and Anthropic take as the id of a call and as the name of a tool; of the latter a model may invent any. */
const SENDABLE = /^[\w-]{1,64}$/
const sendableName = (name: string): string => name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || '_'

/** Ids of calls as they were given, where they can be sent and are the first of their kind; else numbered. */
class CallIds {
  private readonly used = new Set<string>()
  /** By the id that was given: those of the calls whose results are still to come, in order. */
  private readonly waiting = new Map<string, string[]>()

  ofCall(given: string): string {
    let id = given
    for (let n = this.used.size; !SENDABLE.test(id) || this.used.has(id); n++) id = `call_${n}`
    this.used.add(id)
    this.waiting.set(given, [...(this.waiting.get(given) ?? []), id])
    return id
  }

  ofResult(given: string): string {
    return this.waiting.get(given)?.shift() ?? given
  }
}
