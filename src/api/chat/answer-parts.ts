/** A piece of an answer as it is kept, in the order in which it came (additions §11). */
export type AnswerPart =
  | { type: 'text'; text: string; truncated?: true }
  | {
      type: 'tool_call'
      name: string
      /** A text, cut, where it is too long. */
      arguments: unknown
      status: 'completed'
      /** JSON; a text, cut, where it is too long. */
      result: unknown
      change_id?: string
      truncated?: true
    }
  | {
      type: 'react_render'
      id: string
      title: string | null
      js: string
      css: string
      truncated?: true
    }

/** Bytes of one part as JSON. */
const MAX_PART = 64 * 1024
/** Bytes of all parts of a message. */
const MAX_PARTS = 2 * 2 ** 20
/** Of each part once those are full. */
const MAX_LATE_PART = 1024

interface FinishedToolCall {
  name: string
  arguments: unknown
  /** JSON text. */
  result: string
  change_id: string | undefined
}

/** Collects what an answer is made of. A part that is too long is cut and says so. */
export class AnswerParts {
  private readonly parts: AnswerPart[] = []

  text(content: string): void {
    const last = this.parts.at(-1)
    if (last?.type === 'text') last.text += content
    else this.parts.push({ type: 'text', text: content })
  }

  toolCall({ name, arguments: args, result, change_id }: FinishedToolCall): void {
    this.parts.push({
      type: 'tool_call',
      name,
      arguments: args,
      status: 'completed',
      result: result.length > MAX_PART ? result : JSON.parse(result),
      ...(change_id && { change_id }),
    })
  }

  component(component: { id: string; title: string | null; js: string; css: string }): void {
    this.parts.push({ type: 'react_render', ...component })
  }

  /** Each at most 64 KiB of JSON, and shorter where there are very many. */
  toStore(): AnswerPart[] {
    let room = MAX_PARTS
    return this.parts.map((part) => {
      const kept = cut(part, room > 0 ? MAX_PART : MAX_LATE_PART)
      room -= bytesOf(kept)
      return kept
    })
  }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

function cut(part: AnswerPart, max: number): AnswerPart {
  if (bytesOf(part) <= max) return part
  switch (part.type) {
    case 'text': {
      const none: AnswerPart = { type: 'text', text: '', truncated: true }
      return { ...none, text: beginningWithin(part.text, max - bytesOf(none) + QUOTES) }
    }
    case 'tool_call': {
      // A model may write any name.
      const name = part.name.slice(0, 100).toWellFormed()
      const none = { ...part, name, arguments: '', result: '', truncated: true } as const
      const room = max - bytesOf(none) + 2 * QUOTES
      const args = shortened(part.arguments, Math.max(room / 2, room - bytesOf(part.result)))
      return { ...none, arguments: args, result: shortened(part.result, room - bytesOf(args)) }
    }
    case 'react_render':
      // Half a program is none.
      return {
        ...part,
        title: part.title?.slice(0, 100).toWellFormed() ?? null,
        js: '',
        css: '',
        truncated: true,
      }
  }
}

/** Bytes of an empty text as JSON. */
const QUOTES = 2

/** The value where it is short, else the beginning of its JSON text. */
function shortened(value: unknown, max: number): unknown {
  if (bytesOf(value) <= max) return value
  return beginningWithin(typeof value === 'string' ? value : JSON.stringify(value), max)
}

/** As much of the text as takes no more bytes as JSON. */
function beginningWithin(text: string, max: number): string {
  let [least, most] = [0, Math.max(0, Math.floor(max))]
  while (least < most) {
    const half = Math.ceil((least + most) / 2)
    if (bytesOf(text.slice(0, half).toWellFormed()) <= max) least = half
    else most = half - 1
  }
  return text.slice(0, least).toWellFormed()
}
