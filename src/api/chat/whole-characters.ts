const ENDS_IN_HALF = /[\uD800-\uDBFF]$/

/** Text that comes in pieces, as it is stored: no piece of it ends or begins inside a character. */
export class WholeCharacters {
  /** The first half of a character whose second one may come. */
  private half = ''

  take(piece: string): string {
    const text = this.half + piece
    this.half = ENDS_IN_HALF.test(text) ? text.slice(-1) : ''
    return stored(this.half ? text.slice(0, -1) : text)
  }

  end(): string {
    return stored(this.half)
  }
}

// No text of the base holds U+0000 or half a character, and PostgreSQL stores neither.
const stored = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Half a character in JSON text, which has it escaped. */
const HALF_IN_JSON = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g

/** The same of all texts in a value that was parsed from JSON. */
export function withWholeCharacters<T>(value: T): T {
  const json = JSON.stringify(value)
  const whole = json.replaceAll(HALF_IN_JSON, '$1\uFFFD')
  return whole === json ? value : (JSON.parse(whole) as T)
}
