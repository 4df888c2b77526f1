import { sayAllDigits } from '#web/rules/shown-value.ts'

/** What of a change says who made it. */
export interface Doer {
  user_id: string | null
  user_name?: string | null
  source: string
  client: { kind: string; id: string | null; name: string | null } | null
}

/** Whether it was a program that acted for the account: an agent, a key, the assistant. */
export const isAgent = ({ source, client }: Doer): boolean =>
  source !== 'rest' || client?.kind === 'app' || client?.kind === 'key'

/** `you`, `Ada`, `Claude Code for Ada`, `the assistant for you`, `an operator`. */
export function doerWords(doer: Doer, me: string | undefined): string {
  const { user_id, user_name, source, client } = doer
  const person = user_id !== null && user_id === me ? 'you' : user_name || 'somebody'
  if (client?.kind === 'cli') return 'an operator, by command line'
  if (source === 'chat') return `the assistant for ${person}`
  if (client?.kind === 'app') return `${client.name ?? 'an app'} for ${person}`
  if (client?.kind === 'key') return `${client.name ?? 'a key'} for ${person}`
  return source === 'mcp' ? `an agent for ${person}` : person
}

const EVENT_WORDS: Readonly<Record<string, string>> = {
  item_created: 'Made',
  item_updated: 'Changed',
  item_deleted: 'Deleted',
  item_restored: 'Restored',
  item_purged: 'Removed for good',
  tag_applied: 'Given a tag',
  tag_removed: 'Tag taken off',
  tag_values_updated: 'Changed',
  tag_created: 'Tag made',
  tag_updated: 'Tag changed',
  tag_deleted: 'Tag deleted',
  tag_restored: 'Tag restored',
}

/** What an event of the log says, in a word or two. */
export const eventWords = (event_type: string): string =>
  EVENT_WORDS[event_type] ?? event_type.replaceAll('_', ' ')

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/i
const LONG = 240

/** A value as a list of texts and ids, whatever its type was: what a history reports. */
export function valueWords(value: unknown): { text: string; item_id?: string }[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.flatMap(valueWords)
  if (typeof value === 'boolean') return [{ text: value ? 'yes' : 'no' }]
  if (typeof value === 'string')
    return ID.test(value) ? [{ text: value, item_id: value }] : [{ text: short(value) }]
  if (typeof value === 'number') return [{ text: sayAllDigits(value) }]
  const { variant } = value as { variant?: unknown }
  return [{ text: short(typeof variant === 'string' ? variant : JSON.stringify(value)) }]
}

const short = (text: string) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)

/** Markup is not what somebody wrote. */
export const withoutMarkup = (text: string): string => linesOf(text).replaceAll(/\s+/g, ' ').trim()

const END_OF_LINE = /<\/(?:p|h[1-6]|li|tr|blockquote|pre|div|ul|ol|table)>|<(?:br|hr)\b[^>]{0,1000}>/gi
/** What stands around letters of a line parts no words: a comma stays where it was. */
const WITHIN_A_WORD = /<\/?(?:a|abbr|b|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u)\b[^>]{0,1000}>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** A description as text, with a line for each of its blocks. */
export const linesOf = (html: string): string =>
  html
    .replaceAll(END_OF_LINE, '\n')
    .replaceAll(WITHIN_A_WORD, '')
    .replaceAll(/<\/?[a-z!][^>]{0,1000}>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim()

export interface TextPart {
  text: string
  kind: 'same' | 'gone' | 'new'
}

/** More words than these are not compared one by one. */
const MOST_WORDS = 1500

/** Two texts by word: what stayed, what went, what came. */
export function wordChanges(before: string, after: string): TextPart[] {
  const [a, b] = [words(before), words(after)]
  if (a.length > MOST_WORDS || b.length > MOST_WORDS)
    return [
      { text: before, kind: 'gone' },
      { text: after, kind: 'new' },
    ]
  const longest = lengths(a, b)
  const parts: TextPart[] = []
  let [i, j] = [0, 0]
  const add = (text: string, kind: TextPart['kind']) => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ text, kind })
  }
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(a[i]!, 'same')
      i++
      j++
    } else if (j >= b.length || (i < a.length && longest[i + 1]![j]! >= longest[i]![j + 1]!))
      add(a[i++]!, 'gone')
    else add(b[j++]!, 'new')
  }
  return parts
}

const words = (text: string) => text.match(/\s*\S+/g) ?? []

/** Of the longest common sequence from each pair of places on. */
function lengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
  return table
}
