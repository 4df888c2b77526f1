import { type TObject, Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { Reply } from '#src/domain/reply.ts'

/** What get_item takes as a tool: a description may be longer than a model reads at once. */
export function partInput({ properties }: TObject): TObject {
  const description_from = Type.Integer({
    minimum: 0,
    description: 'A long description part by part, from this character on',
  })
  return Type.Object(
    { ...properties, description_from: Type.Optional(description_from) },
    { additionalProperties: false },
  )
}

/** The description_from of a tool that takes one, alongside its other arguments. */
export function withoutPart(args: unknown): { from: number | undefined; rest: unknown } {
  if (!isRecord(args) || !Object.hasOwn(args, 'description_from')) return { from: undefined, rest: args }
  const { description_from, ...rest } = args
  const from = description_from ?? undefined
  if (from !== undefined && !(Number.isSafeInteger(from) && (from as number) >= 0))
    throw invalid([{ path: 'description_from', message: 'must be an integer from 0 on' }])
  return { from: from as number | undefined, rest }
}

/** Characters that a part has at least, however long the rest of the item is. */
const LEAST = 1000

/** An item with as much of its description, from a character on, as makes `max_text` characters in all. */
export function withPart(reply: Reply, from: number, max_text: number): Reply {
  const item = JSON.parse(reply.json) as { description: string | null }
  const whole = item.description
  if (whole === null) return reply
  const others = JSON.stringify({ ...item, description: '' }).length
  const part = firstOf(whole.slice(from), Math.max(LEAST, max_text - others))
  if (part === whole) return reply
  const start = Math.min(from, whole.length)
  return Reply.of(
    { ...item, description: part.toWellFormed() },
    { ...reply.meta, part: { from: start, to: start + part.length, of: whole.length } },
  )
}

/** As much of a text as JSON writes with so many characters, without half a character at its end. */
function firstOf(text: string, room: number): string {
  let part = text.slice(0, room)
  for (let written = lengthOf(part); written > room; written = lengthOf(part))
    part = part.slice(0, Math.min(part.length - 1, Math.floor((part.length * room) / written)))
  return /[\ud800-\udbff]$/.test(part) && part.length < text.length ? part.slice(0, -1) : part
}

const lengthOf = (text: string) => JSON.stringify(text).length - 2
