import { MAX_DEPTH, MAX_ROW } from '#src/imports/bounds.ts'

/** Takes a list of JSON values, or JSON Lines, apart: the text of each element, however the pieces are cut. */
export class ElementSplitter {
  /** Number of the element that is being read, from 1. */
  element = 1
  private mode: 'unknown' | 'list' | 'lines' = 'unknown'
  private text = ''
  private depth = 0
  private isString = false
  private isEscaped = false
  private isClosed = false
  /** What of a list stands before the next sign. */
  private before: 'bracket' | 'value' | 'comma' = 'bracket'

  get isList(): boolean {
    return this.mode === 'list'
  }

  /**
   * The last element, where only the end of the file ends it, as that of a number; `''` where there is none.
   * @throws Error where the file ends too early
   */
  close(): string {
    if (this.depth || this.isString || (this.isList && !this.isClosed))
      throw new Error('the file ends before it does')
    return this.text
  }

  /** @throws Error whose message says what is wrong with the element */
  *take(piece: string): Generator<string> {
    let start = this.text ? 0 : -1
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i]!
      if (this.isString) {
        if (this.isEscaped) this.isEscaped = false
        else if (char === '\\') this.isEscaped = true
        else if (char === '"') this.isString = false
        continue
      }
      // What is neither an object nor a list ends where something else begins.
      if (start >= 0 && this.depth === 0 && (isBlank(char) || char === ',' || char === ']')) {
        yield this.end(piece.slice(start, i))
        start = -1
      }
      if (start < 0) {
        if (isBlank(char) || this.takesBetween(char)) continue
        if (this.isClosed) throw new Error('there is more behind the end of the list')
        start = i
      }
      if (char === '"') this.isString = true
      else if (char === '{' || char === '[') {
        if (++this.depth > MAX_DEPTH) throw new Error(`it is more than ${MAX_DEPTH} levels deep`)
      } else if (char === '}' || char === ']') {
        if (--this.depth < 0) throw new Error('a bracket is closed that was not opened')
        if (this.depth > 0) continue
        yield this.end(piece.slice(start, i + 1))
        start = -1
      }
    }
    if (start >= 0) this.text += piece.slice(start)
    if (this.text.length > MAX_ROW) throw new Error('it is longer than 8 MiB')
  }

  private end(rest: string): string {
    const text = this.text + rest
    this.text = ''
    this.before = 'value'
    if (text.length > MAX_ROW) throw new Error('it is longer than 8 MiB')
    return text
  }

  /** What is between elements. */
  private takesBetween(char: string): boolean {
    if (this.mode === 'unknown') {
      this.mode = char === '[' ? 'list' : 'lines'
      return char === '['
    }
    if (this.mode !== 'list' || this.isClosed) return false
    if (char === ']') {
      if (this.before === 'comma') throw new Error('nothing stands behind the last comma')
      return (this.isClosed = true)
    }
    if (char !== ',') {
      if (this.before === 'value') throw new Error('a comma is missing before it')
      return false
    }
    if (this.before !== 'value') throw new Error('nothing stands before a comma')
    this.before = 'comma'
    return true
  }
}

export const isBlank = (char: string): boolean =>
  char === ' ' || char === '\n' || char === '\r' || char === '\t'
