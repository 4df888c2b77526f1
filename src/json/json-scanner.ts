import { cutText } from '#src/domain/cut-text.ts'
import { MAX_PROBLEMS, type Problem, ServiceError } from '#src/domain/errors.ts'
import { shortestWhole, wouldBeRounded } from '#src/domain/number-text.ts'

/** Broken JSON; `details` say the line and column. */
export class JsonSyntaxError extends ServiceError {
  constructor(message: string, details?: { line: number; column: number }) {
    super('BadRequest', message, { ...(details && { details }) })
    this.name = 'JsonSyntaxError'
  }
}

export interface JsonScannerOptions {
  maxDepth: number
  maxValues: number
  /** Of one object. */
  maxKeys: number
  what: string
  /** What is wrong with the value of a string, or null. */
  faultOf(text: string): string | null
  /** How a key is shown in a path. */
  nameOf?(key: string): string
}

/** A path that is longer shows its beginning. */
const MAX_PATH = 300

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20]
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const [COMMA, COLON, MINUS, ZERO, NINE] = [0x2c, 0x3a, 0x2d, 0x30, 0x39]
/** A number of no more characters, all of them digits, is kept as it is. */
const SAFE_DIGITS = 15

/**
 * Walks a JSON text by the grammar and notes what could not be kept exactly, with the path of each. Builds nothing, and
 * reads character by character: a body of many megabytes must not stop the service.
 */
export class JsonScanner {
  private readonly text: string
  private readonly options: JsonScannerOptions
  private readonly problems: Problem[] = []
  /** Where the walk is: keys and indices. */
  private readonly path: (string | number)[] = []
  private at = 0
  private values = 0

  constructor(text: string, options: JsonScannerOptions) {
    this.text = text
    this.options = options
  }

  /** @throws JsonSyntaxError at the first place that is not JSON. */
  scan(): Problem[] {
    try {
      this.value()
      this.space()
      if (this.at < this.text.length) this.fail('the end')
    } catch (error) {
      if (!(error instanceof Enough)) throw error
    }
    return this.problems
  }

  private value(): void {
    if (++this.values > this.options.maxValues) this.tooMany()
    this.space()
    const code = this.code()
    if (code === QUOTE) this.string()
    else if (code === OPEN_BRACE) this.container(CLOSE_BRACE)
    else if (code === OPEN_BRACKET) this.container(CLOSE_BRACKET)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) this.number()
    else if (!this.take(WORD)) this.fail('a value')
  }

  private tooMany(): never {
    this.path.length = 0
    const { what, maxValues } = this.options
    this.note(`${what} must hold at most ${maxValues} values; send it in parts`)
    throw new Enough()
  }

  private tooManyKeys(): never {
    this.path.pop()
    this.note(`an object must have at most ${this.options.maxKeys} keys`)
    throw new Enough()
  }

  private container(close: number): void {
    if (this.path.length === this.options.maxDepth) {
      this.note(`nesting is deeper than ${this.options.maxDepth} levels`)
      return this.passOver()
    }
    this.at++
    const level = this.path.push(0) - 1
    const names = close === CLOSE_BRACE ? new Set<string>() : undefined
    this.space()
    if (this.code() !== close)
      for (let index = 0; ; index++) {
        this.path[level] = names ? this.key(level, names) : index
        this.value()
        this.space()
        if (this.code() === close) break
        if (this.code() !== COMMA) this.fail(`',' or '${String.fromCharCode(close)}'`)
        this.at++
      }
    this.at++
    this.path.pop()
  }

  private key(level: number, names: Set<string>): string {
    this.space()
    if (this.code() !== QUOTE) this.fail('a key in double quotes')
    const name = this.literal()
    this.path[level] = name
    const fault = this.options.faultOf(name)
    if (fault) this.note(`a key ${fault}`)
    if (name === '__proto__') this.note("the key '__proto__' is not allowed")
    if (names.size === names.add(name).size) this.note('appears twice in the same object')
    if (names.size > this.options.maxKeys) this.tooManyKeys()
    this.space()
    if (this.code() !== COLON) this.fail("':'")
    this.at++
    return name
  }

  private string(): void {
    const fault = this.options.faultOf(this.literal())
    if (fault) this.note(fault)
  }

  /** The text of the string that is here. A loop, because a pattern would keep a stack as long as the string. */
  private literal(): string {
    const start = this.at++
    let escaped = false
    for (let code = this.code(); code !== QUOTE; code = this.code())
      if (code === BACKSLASH) {
        escaped = true
        if (!this.take(ESCAPE)) this.fail('an escape such as \\n or \\u00e9')
      } else if (code >= FIRST_PRINTABLE) this.at++
      else this.fail('a string that goes on or ends (control characters as escapes)')
    this.at++
    return escaped
      ? (JSON.parse(this.text.slice(start, this.at)) as string)
      : this.text.slice(start + 1, this.at - 1)
  }

  private number(): void {
    NUMBER.lastIndex = this.at
    const [literal, fraction, exponent] = NUMBER.exec(this.text) ?? []
    if (!literal) this.fail('a digit')
    this.at += literal.length
    if (!exponent && literal.length <= SAFE_DIGITS) return
    const number = Number(literal)
    const short = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
    if (!Number.isFinite(number)) this.note(`${short} is too large for a number`)
    else if (!fraction && !exponent && wouldBeRounded(literal))
      this.note(`${short} would be rounded to ${shortestWhole(number)}; send it as a string`)
  }

  /** Past the container that is here, without looking into it. */
  private passOver(): void {
    let depth = 0
    do {
      const code = this.code()
      if (code === QUOTE) {
        this.literal()
        continue
      }
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
      else if (Number.isNaN(code)) this.fail('the end of an object or array')
      this.at++
    } while (depth > 0)
  }

  private space(): void {
    for (let code = this.code(); ; code = this.code())
      if (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) this.at++
      else return
  }

  /** NaN at the end, which is neither printable nor a quote. */
  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    this.at = pattern.lastIndex
    return true
  }

  private note(message: string): void {
    this.problems.push({ path: this.pathText(), message })
    if (this.problems.length >= MAX_PROBLEMS) throw new Enough()
  }

  private pathText(): string {
    const { nameOf = (name: string) => name.toWellFormed() } = this.options
    const path = this.path.reduce<string>((before, part) => {
      if (typeof part === 'number') return `${before}[${part}]`
      return before ? `${before}.${nameOf(part)}` : nameOf(part)
    }, '')
    return cutText(path, MAX_PATH)
  }

  private fail(expected: string): never {
    const before = this.text.slice(0, this.at)
    const line = before.split('\n').length
    const column = this.at - before.lastIndexOf('\n')
    const char = this.text[this.at]
    const got = char === undefined ? 'the text ends' : `got ${JSON.stringify(char)}`
    throw new JsonSyntaxError(
      `${this.options.what} is not valid JSON: line ${line}, column ${column}: expected ${expected}, ${got}`,
      { line, column },
    )
  }
}

/** Ends the walk when there are faults enough. */
class Enough extends Error {}
