import { type TObject, Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { Reply, type TextPart } from '#src/domain/reply.ts'

/** What get_item takes as a tool: the texts of an item may be longer than a model reads at once. */
export function partInput({ properties }: TObject): TObject {
  const texts_from = Type.Integer({
    minimum: 0,
    description: 'Long texts part by part, from this character of them on',
  })
  return Type.Object(
    { ...properties, texts_from: Type.Optional(texts_from) },
    { additionalProperties: false },
  )
}

/** The texts_from of a tool that takes one, alongside its other arguments. */
export function withoutPart(args: unknown): { from: number | undefined; rest: unknown } {
  if (!isRecord(args) || !Object.hasOwn(args, 'texts_from')) return { from: undefined, rest: args }
  const { texts_from, ...rest } = args
  const from = texts_from ?? undefined
  if (from !== undefined && !(Number.isSafeInteger(from) && (from as number) >= 0))
    throw invalid([{ path: 'texts_from', message: 'must be an integer from 0 on' }])
  return { from: from as number | undefined, rest }
}

/** Characters that a part has at least, however long the rest of the item is. */
const LEAST = 1000
/** A value up to this length always comes whole. */
const SHORT = 3000

interface Item {
  description: string | null
  data: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}

/** A text of an item that may come in parts: `description`, or `Task.notes`. */
interface LongText {
  path: string
  whole: string
  put(part: string): void
}

/**
 * An item with as much of its texts, from a character on, as makes `max_text` characters in all. Its description and
 * long values count as one text, the shortest first: so a long one does not stand before the others.
 */
export function withPart(reply: Reply, from: number, max_text: number): Reply {
  const item = JSON.parse(reply.json) as Item
  const texts = longTexts(item).sort((a, b) => a.whole.length - b.whole.length)
  for (const { put } of texts) put('')
  let room = Math.max(LEAST, max_text - JSON.stringify(item).length)
  const cut: TextPart[] = []
  /** Of all texts: where this one begins, and what the part ends with. */
  let at = 0
  let to = from
  for (const { path, whole, put } of texts) {
    const start = Math.min(Math.max(from - at, 0), whole.length)
    const part = room ? firstOf(whole.slice(start), room) : ''
    const end = start + part.length
    put(part.toWellFormed())
    if (part !== whole) cut.push({ path, from: start, to: end, of: whole.length })
    if (part) to = at + end
    // The next part goes on in this text, not behind it.
    room = end < whole.length ? 0 : room - lengthOf(part)
    at += whole.length
  }
  if (!cut.length) return reply
  return Reply.of(item, { ...reply.meta, part: { texts: cut, ...(to < at && { next: to }) } })
}

function longTexts(item: Item): LongText[] {
  const texts: LongText[] = []
  if (item.description !== null)
    texts.push({
      path: 'description',
      whole: item.description,
      put: (part) => (item.description = part),
    })
  for (const { tag_name, field_values } of Object.values(item.data))
    for (const [field, value] of Object.entries(field_values))
      if (typeof value === 'string' && value.length > SHORT)
        texts.push({
          path: `${tag_name}.${field}`,
          whole: value,
          put: (part) => (field_values[field] = part),
        })
  return texts
}

/** As much of a text as JSON writes with so many characters, without half a character at its end. */
function firstOf(text: string, room: number): string {
  let part = text.slice(0, room)
  for (let written = lengthOf(part); written > room; written = lengthOf(part))
    part = part.slice(0, Math.min(part.length - 1, Math.floor((part.length * room) / written)))
  return /[\ud800-\udbff]$/.test(part) && part.length < text.length ? part.slice(0, -1) : part
}

const lengthOf = (text: string) => JSON.stringify(text).length - 2
