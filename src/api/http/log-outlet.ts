/** Such as standard error. */
interface Out {
  write(text: string, taken: (error?: Error | null) => void): unknown
}

/**
 * Where the log goes. What is not taken, because the disk is full or the reader has ended, is dropped: the service goes
 * on without it, and counts the lines for the log that is written again.
 */
export class LogOutlet {
  private readonly out: Out
  private lost = 0

  constructor(out: Out) {
    this.out = out
  }

  write(lines: string): void {
    const { lost } = this
    this.lost = 0
    this.out.write(lost ? `${lostInWords(lost)}${lines}` : lines, (error) => {
      if (error) this.lost += lost + lines.split('\n').length - 1
    })
  }
}

/** On a line of its own: the last that found room may be there by half. */
const lostInWords = (lost: number): string =>
  `\n${JSON.stringify({ level: 40, time: Date.now(), msg: `${lost} lines of this log could not be written` })}\n`
