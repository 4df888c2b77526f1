import { MAX_DEPTH, MAX_ROW } from '#src/imports/bounds.ts'
import { isBlank } from '#src/imports/json-text/element-splitter.ts'

/** A list of objects that a file has inside an object, as answers of services do: `{"count": 2, "data": [{…}, {…}]}`. */
export interface EnclosedList {
  /** The keys that lead to it, parted by points. */
  path: string
  /** Characters of the text before it, and to its end. */
  from: number
  to: number
}

export interface Envelope {
  lists: EnclosedList[]
  /** What the object has besides. */
  others: string[]
}

/** The file is read once for each. */
const MOST_LISTS = 20
const MOST_OTHERS = 20
const LONGEST_KEY = 200

/**
 * The lists of objects of a text that is one object and nothing else; undefined: there are none, or it is an item of
 * ours. Those of the object itself; without any the only one in objects of it, if it has no name.
 */
export async function envelopeOf(text: AsyncIterable<string>): Promise<Envelope | undefined> {
  const scan = new EnvelopeScan()
  for await (const piece of text) if (!scan.take(piece)) return undefined
  const { lists, keys } = scan
  if (!keys || keys.includes('item_id')) return undefined
  const outer = lists.filter(({ depth }) => depth === 1)
  const isNamed = keys.some((key) => /^(?:name|title)$/i.test(key))
  const found = outer.length ? outer : !isNamed && lists.length === 1 ? lists : []
  const paths = new Set(found.map(({ path }) => path))
  if (!found.length || found.length > MOST_LISTS || paths.size < found.length) return undefined
  const others = keys.filter((key) => !found.some(({ path }) => path === key || path.startsWith(`${key}.`)))
  return {
    lists: found.map(({ path, from, to }) => ({ path, from, to })),
    others: others.slice(0, MOST_OTHERS),
  }
}

/** Goes through a text character by character, and remembers where lists of objects are that only objects are around. */
class EnvelopeScan {
  readonly lists: (EnclosedList & { depth: number })[] = []
  private isWhole = false
  /** The text without what is in its lists. */
  private outer = ''
  private at = 0
  private depth = 0
  /** Keys of the objects that are open. */
  private readonly path: string[] = []
  /** The list that is open, with what it began with. */
  private list: { from: number; depth: number; first: string } | undefined
  private isString = false
  private isEscaped = false
  private string = ''

  /** Of the object; undefined: it is none, or not whole. */
  get keys(): string[] | undefined {
    if (!this.isWhole) return undefined
    try {
      return Object.keys(JSON.parse(this.outer) as object)
    } catch {
      return undefined
    }
  }

  /** Whether it may be one object still. */
  take(piece: string): boolean {
    for (const char of piece) {
      const isOutside = !this.list
      if (this.isString) this.takeInString(char)
      else if (!isBlank(char) && !this.takeSign(char)) return false
      if (isOutside || !this.list) this.outer += char
      this.at += char.length
    }
    return this.outer.length <= MAX_ROW
  }

  private takeInString(char: string): void {
    if (!this.list && this.string.length < LONGEST_KEY) this.string += char
    if (this.isEscaped) this.isEscaped = false
    else if (char === '\\') this.isEscaped = true
    else if (char === '"') this.isString = false
  }

  private takeSign(char: string): boolean {
    if (this.isWhole || (!this.depth && char !== '{')) return false
    if (this.list && !this.list.first) this.list.first = char
    if (char === '"') {
      this.isString = true
      this.string = ''
    } else if (char === ':') this.takeKey()
    else if (char === '{' || char === '[') return this.open(char)
    else if (char === '}' || char === ']') this.close()
    return true
  }

  private takeKey(): void {
    if (this.list) return
    this.path[this.depth - 1] = this.string.slice(0, -1)
  }

  private open(char: string): boolean {
    if (++this.depth > MAX_DEPTH) return false
    if (char === '[') this.list ??= { from: this.at, depth: this.depth, first: '' }
    return true
  }

  private close(): void {
    const { list } = this
    if (list?.depth === this.depth) {
      this.list = undefined
      const depth = this.depth - 1
      const path = this.path.slice(0, depth).join('.')
      if (list.first === '{' && this.lists.length <= MOST_LISTS)
        this.lists.push({ path, from: list.from, to: this.at + 1, depth })
    }
    this.isWhole = --this.depth === 0
  }
}

/** What of a text is a list in it. */
export async function* pieceOf(
  text: AsyncIterable<string>,
  { from, to }: EnclosedList,
): AsyncGenerator<string> {
  let at = 0
  for await (const piece of text) {
    const end = at + piece.length
    if (end > from) yield piece.slice(Math.max(0, from - at), to - at)
    if (end >= to) return
    at = end
  }
}
