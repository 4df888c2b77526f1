/** On a terminal it is one line that changes, elsewhere a line now and then. */
const EVERY_MS = { terminal: 200, elsewhere: 5000 }

/** Says on standard error how far a command has come; standard output is for what it makes. */
export class Progress {
  readonly isTerminal = process.stderr.isTTY
  private told: number
  private isShown = false

  /** Says nothing of what is done soon, unless `atOnce`. */
  constructor({ atOnce = false } = {}) {
    this.told = atOnce ? -Infinity : Date.now()
  }

  show(text: () => string): void {
    const every = this.isTerminal ? EVERY_MS.terminal : EVERY_MS.elsewhere
    if (Date.now() - this.told < every) return
    this.told = Date.now()
    this.isShown = true
    process.stderr.write(this.isTerminal ? `\r\u001b[K${text()}` : `${text()}\n`)
  }

  /** Leaves nothing of the line that changes. */
  end(): void {
    if (this.isTerminal && this.isShown) process.stderr.write('\r\u001b[K')
  }
}
