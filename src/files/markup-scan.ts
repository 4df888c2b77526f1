/**
 * Whether a text is HTML or SVG: what a browser might take for a page behind white space, a byte order mark, comments,
 * declarations and a document type, however much there is of them.
 * https://mimesniff.spec.whatwg.org/#rules-for-identifying-an-unknown-mime-type names the elements.
 */
const HTML =
  /^(?:html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link|img|object|embed|base|form|svg:svg|frameset|noscript|template|video|audio|input|button|textarea|details|math)(?:[\s/>]|$)/i
const SVG = /^(?:\w+:)?svg(?:[\s/>]|$)/i
/** Characters of an element's name and of what tells openings apart. */
const ENOUGH = 64

/** Where the scan is: between things, in a comment, in a `<?…?>`, in a `<!…>`, or done. */
type State = 'between' | 'comment' | 'instruction' | 'declaration' | 'done'
const ENDS = { comment: '-->', instruction: '?>' } as const

export class MarkupScan {
  private state: State = 'between'
  private rest = ''
  /** In a document type: how many `[` are open. */
  private inner = 0
  private isWhole = false
  private readonly decoder: { write(chunk: Uint8Array): string }
  /** `text/html`, `image/svg+xml`; null: neither, or not known yet. */
  found: string | null = null

  constructor(encoding: 'latin1' | 'utf-16le' | 'utf-16be') {
    const decoder = encoding === 'latin1' ? null : new TextDecoder(encoding)
    this.decoder = {
      write: (chunk) =>
        decoder ? decoder.decode(chunk, { stream: true }) : Buffer.from(chunk).toString('latin1'),
    }
  }

  get isDone(): boolean {
    return this.state === 'done'
  }

  take(chunk: Uint8Array): void {
    if (this.isDone) return
    this.rest += this.decoder.write(chunk)
    while (this.step());
  }

  /** What has come is all. */
  end(): string | null {
    this.isWhole = true
    while (this.step());
    this.state = 'done'
    return this.found
  }

  /** False where more has to come. */
  private step(): boolean {
    switch (this.state) {
      case 'done':
        return false
      case 'between':
        return this.between()
      case 'declaration':
        return this.declaration()
      case 'comment':
      case 'instruction': {
        const end = ENDS[this.state]
        const at = this.rest.indexOf(end)
        this.rest = at < 0 ? this.rest.slice(1 - end.length) : this.rest.slice(at + end.length)
        if (at >= 0) this.state = 'between'
        return at >= 0
      }
    }
  }

  private between(): boolean {
    this.rest = this.rest.replace(/^[\s\u0000\ufeff]+|^\u00ef\u00bb\u00bf/, '')
    if (/^\u00ef\u00bb\u00bf|^\s/.test(this.rest)) return true
    if (this.rest.startsWith('<!--')) return this.enter('comment', 4)
    if (this.rest.startsWith('<?')) return this.enter('instruction', 2)
    if (this.rest.length < ENOUGH && !this.isWhole) return false
    if (/^<!doctype\s+(?!html\b)/i.test(this.rest) || this.rest.startsWith('<!['))
      return this.enter('declaration', 2)
    this.decide(this.rest)
    this.state = 'done'
    return false
  }

  private enter(state: State, length: number): boolean {
    this.state = state
    this.rest = this.rest.slice(length)
    return true
  }

  /** To the `>` that ends it, over what is in its brackets. */
  private declaration(): boolean {
    for (let i = 0; i < this.rest.length; i++) {
      const character = this.rest[i]
      if (character === '[') this.inner++
      else if (character === ']') this.inner--
      else if (character === '>' && this.inner <= 0) {
        this.inner = 0
        this.state = 'between'
        this.rest = this.rest.slice(i + 1)
        return true
      }
    }
    this.rest = ''
    return false
  }

  private decide(text: string): void {
    if (/^<!doctype\s+(?:\w+:)?svg\b/i.test(text)) this.found = 'image/svg+xml'
    else if (/^<!doctype\b/i.test(text)) this.found = 'text/html'
    else if (text.startsWith('<') && SVG.test(text.slice(1))) this.found = 'image/svg+xml'
    else if (text.startsWith('<') && HTML.test(text.slice(1))) this.found = 'text/html'
  }
}
