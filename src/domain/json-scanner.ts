import { type Problem, ServiceError } from '#src/domain/errors.ts'

/** Broken JSON; `details` say the line and column. */
export class JsonSyntaxError extends ServiceError {
  constructor(message: string, details?: { line: number; column: number }) {
    super('BadRequest', message, { ...(details && { details }) })
    this.name = 'JsonSyntaxError'
  }
}

export interface JsonScannerOptions {
  maxDepth: number
  what: string
  /** What is wrong with the value of a string, or null. */
  faultOf(text: string): string | null
  /** How a key is shown in a path. */
  nameOf?(key: string): string
}

/** More faults than these help nobody. */
const MAX_PROBLEMS = 100
/** A path that is longer shows its beginning. */
const MAX_PATH = 300

const SPACE = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20]

/** Walks a JSON text by the grammar and notes what could not be kept exactly, with the path of each. Builds nothing. */
export class JsonScanner {
  private readonly text: string
  private readonly options: JsonScannerOptions
  private readonly problems: Problem[] = []
  private at = 0
  private depth = 0

  constructor(text: string, options: JsonScannerOptions) {
    this.text = text
    this.options = options
  }

  /** @throws JsonSyntaxError at the first place that is not JSON. */
  scan(): Problem[] {
    this.value('')
    this.take(SPACE)
    if (this.at < this.text.length) this.fail('the end')
    return this.problems
  }

  private value(path: string): void {
    this.take(SPACE)
    const char = this.text[this.at]
    if (char === '{' || char === '[') this.container(char, path)
    else if (char === '"') this.string(path)
    else if (!this.take(WORD)) this.number(path)
  }

  private container(open: '{' | '[', path: string): void {
    if (this.depth === this.options.maxDepth) {
      this.note(path, `nesting is deeper than ${this.options.maxDepth} levels`)
      this.skip()
      return
    }
    this.depth++
    this.at++
    const close = open === '{' ? '}' : ']'
    const names = new Set<string>()
    this.take(SPACE)
    if (this.text[this.at] !== close)
      for (let index = 0; ; index++) {
        this.value(open === '{' ? this.key(path, names) : `${path}[${index}]`)
        this.take(SPACE)
        if (this.text[this.at] === close) break
        if (this.text[this.at] !== ',') this.fail(`',' or '${close}'`)
        this.at++
      }
    this.at++
    this.depth--
  }

  /** The path of the value that follows. */
  private key(path: string, names: Set<string>): string {
    this.take(SPACE)
    if (this.text[this.at] !== '"') this.fail('a key in double quotes')
    const name = this.literal()
    const shown = this.options.nameOf?.(name) ?? name.toWellFormed()
    const full = path ? `${path}.${shown}` : shown
    const fault = this.options.faultOf(name)
    if (fault) this.note(full, `a key ${fault}`)
    if (name === '__proto__') this.note(full, "the key '__proto__' is not allowed")
    if (names.has(name)) this.note(full, 'stands twice in the same object')
    names.add(name)
    this.take(SPACE)
    if (this.text[this.at] !== ':') this.fail("':'")
    this.at++
    return full
  }

  private string(path: string): void {
    const fault = this.options.faultOf(this.literal())
    if (fault) this.note(path, fault)
  }

  /** The text of the string that stands here. A loop, because a pattern would keep a stack as long as the string. */
  private literal(): string {
    const start = this.at++
    for (let code = this.code(); code !== QUOTE; code = this.code())
      if (code === BACKSLASH) {
        if (!this.take(ESCAPE)) this.fail('an escape such as \\n or \\u00e9')
      } else if (code >= FIRST_PRINTABLE) this.at++
      else this.fail('a string that goes on or ends (control characters as escapes)')
    this.at++
    return JSON.parse(this.text.slice(start, this.at))
  }

  /** NaN at the end, which is neither printable nor a quote. */
  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private number(path: string): void {
    NUMBER.lastIndex = this.at
    const [literal, fraction, exponent] = NUMBER.exec(this.text) ?? []
    if (!literal) this.fail('a value')
    this.at += literal.length
    const number = Number(literal)
    const short = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
    if (!Number.isFinite(number)) this.note(path, `${short} is too large for a number`)
    else if (!fraction && !exponent && !Number.isSafeInteger(number) && BigInt(literal) !== shortest(number))
      this.note(path, `${short} would be rounded to ${shortest(number)}; send it as a string`)
  }

  /** Past the container that stands here, without looking into it. */
  private skip(): void {
    let depth = 0
    do {
      const char = this.text[this.at]
      if (char === undefined) this.fail('the end of an object or array')
      if (char === '"') {
        this.literal()
        continue
      }
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      this.at++
    } while (depth > 0)
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found) this.at += found.length
    return found
  }

  private note(path: string, message: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return
    this.problems.push({ path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path, message })
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

/** The integer that the number is written as: its shortest decimal digits, which need not be its exact value. */
function shortest(number: number): bigint {
  const [mantissa = '', exponent = '0'] = number.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const decimals = digits.replace('-', '').length - 1
  return BigInt(digits) * 10n ** BigInt(Number(exponent) - decimals)
}
