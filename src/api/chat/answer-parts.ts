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
/** Characters of text that surely stay below that: one may take six bytes as JSON (\u0000). */
const SAFE_TEXT = Math.floor(MAX_PART / 6) - 1000
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
  const most = max === MAX_PART ? SAFE_TEXT : 100
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text.slice(0, most).toWellFormed(), truncated: true }
    case 'tool_call': {
      const half = Math.floor(most / 2)
      const [args, result] = [part.arguments, part.result].map((each) => beginningOf(each, half))
      return { ...part, arguments: args, result, truncated: true }
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

/** The value where it is short, else the beginning of its JSON text. */
function beginningOf(value: unknown, characters: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= characters ? value : text.slice(0, characters).toWellFormed()
}
