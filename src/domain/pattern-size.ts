/**
 * How many instructions a pattern compiles to, told from its text before anything is built: never fewer than it
 * really has, rarely many more. Counted repetitions multiply, so a thousand characters can stand for millions of
 * instructions. What is no pattern gets a number too: the compiler says what is wrong with it.
 */
export function estimatedPatternSize(pattern: string): number {
  return new SizeReader(pattern).size()
}

/** `{2}`, `{2,}`, `{2,5}`. Anything else in braces stands for itself. */
const COUNTED = /\{(\d+)(?:(,)(\d*))?\}/y
/** What is one character or class although it is written with several. */
const ESCAPED = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|[\da-fA-F]{2})|[0-7]{1,3}|.)/suy
/** Inside brackets: `[:alpha:]` or an escape, else one character. */
const IN_CLASS = /\[:\^?\w+:\]|\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|.)|./suy
const QUOTED = /\\Q(.*?)(?:\\E|$)/suy
/** `(?i)`, which groups nothing, and the beginning of `(?i:`, `(?P<name>`. */
const FLAGS = /\(\?[a-zA-Z-]*\)/y
const GROUP = /\(\?(?:P?<[^>]*>|[a-zA-Z-]*:)?/y

/** The program's own first and last instruction. */
const FRAME = 3

/** Of what an open parenthesis has around it. */
interface Level {
  /** All before the last element. */
  before: number
  /** The last element, which a repetition takes. */
  last: number
}

class SizeReader {
  private readonly pattern: string
  private at = 0
  private readonly levels: Level[] = [{ before: 0, last: 0 }]

  constructor(pattern: string) {
    this.pattern = pattern
  }

  size(): number {
    while (this.at < this.pattern.length) this.step()
    // What is still open is a fault, which the compiler reports.
    return this.levels.reduce((sum, { before, last }) => sum + before + last, FRAME)
  }

  private get level(): Level {
    return this.levels.at(-1)!
  }

  private step(): void {
    const char = this.pattern[this.at]!
    if (char === '(') this.open()
    else if (char === ')') this.close()
    else if (char === '|') this.take(1, 2) // its side may be empty, which is an instruction too
    else if (char === '*' || char === '+' || char === '?') this.repeat()
    else if (char === '{' && this.match(COUNTED)) this.count()
    else if (char === '[') this.skipClass()
    else if (char === '\\') this.escape()
    else this.take(this.pattern.codePointAt(this.at)! > 0xffff ? 2 : 1, 1)
  }

  private open(): void {
    const flags = this.match(FLAGS)
    if (flags) {
      this.at += flags.length // no element: what follows repeats the one before
      return
    }
    this.at += this.match(GROUP)?.length ?? 1
    this.levels.push({ before: 0, last: 0 })
  }

  private close(): void {
    this.at++
    if (this.levels.length === 1) return
    const { before, last } = this.levels.pop()!
    this.level.before += this.level.last
    this.level.last = before + Math.max(last, 1) + 2 // a group notes where it begins and ends
  }

  /** An element of this many instructions, written with this many characters. */
  private take(length: number, instructions: number): void {
    this.at += length
    this.level.before += this.level.last
    this.level.last = instructions
  }

  private repeat(): void {
    this.at++
    this.level.last += 2
  }

  private count(): void {
    const [text, least, open, most] = exec(COUNTED, this.pattern, this.at)!
    this.at += text.length
    const times = Math.max(Number(least), Number(most || 0))
    const endless = open !== undefined && !most
    this.level.last = Math.max(times * (this.level.last + 1) + (endless ? this.level.last + 2 : 0), 1)
  }

  private skipClass(): void {
    let end = this.at + 1
    if (this.pattern[end] === '^') end++
    if (this.pattern[end] === ']') end++ // stands for itself there
    while (end < this.pattern.length && this.pattern[end] !== ']')
      end += exec(IN_CLASS, this.pattern, end)?.[0].length ?? 1
    this.take(end + 1 - this.at, 1)
  }

  private escape(): void {
    const quoted = exec(QUOTED, this.pattern, this.at)
    // Each character is an element of its own: a repetition after the quotation takes the last.
    if (quoted) for (let i = 0; i < quoted[1]!.length; i++) this.take(0, 1)
    this.at += quoted?.[0].length ?? 0
    if (!quoted) this.take(this.match(ESCAPED)?.length ?? 1, 1)
  }

  private match(regex: RegExp): string | undefined {
    return exec(regex, this.pattern, this.at)?.[0]
  }
}

function exec(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
