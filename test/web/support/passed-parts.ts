import { appendFileSync, closeSync, openSync, readSync } from 'node:fs'

/** Keys of parts of pages that have passed in any process of a run, which tell each other in a file, one a line. */
export class PassedParts {
  private readonly file: string
  private readonly keys = new Set<string>()
  private end = 0

  constructor(file: string) {
    this.file = file
  }

  has(key: string): boolean {
    return this.keys.has(key)
  }

  add(keys: readonly string[]): void {
    const added = [...new Set(keys)].filter((key) => !this.keys.has(key))
    if (added.length) appendFileSync(this.file, added.map((key) => `${key}\n`).join(''))
    for (const key of added) this.keys.add(key)
  }

  /** Takes in what has been added since, by others too; of a line that is being written nothing. */
  read(): void {
    const file = openSync(this.file, 'a+')
    try {
      const part = Buffer.alloc(PART)
      for (;;) {
        const text = part.toString('latin1', 0, readSync(file, part, 0, PART, this.end))
        const whole = text.lastIndexOf('\n') + 1
        if (whole === 0) return
        for (const key of text.slice(0, whole - 1).split('\n')) this.keys.add(key)
        this.end += whole
      }
    } finally {
      closeSync(file)
    }
  }
}

/** Bytes read at once: far longer than a line. */
const PART = 64 * 1024
