import { createHash } from 'node:crypto'

export const FORMAT = 'facet-export'
/** Counted up when an older program could not read what is written. */
export const VERSION = 5
/** Every event of the log has its hash from this version on. */
export const HASHED = 3
/** Keys have their limits from this version on. */
export const LIMITED = 5
/** After this many lines comes one that vouches for them, so that damage can be placed. */
export const CHECK_EVERY = 10_000

export interface Header {
  format: typeof FORMAT
  version: number
  /** Whether accounts and all that belongs to them are in it. */
  accounts: boolean
}

/** The last line. */
export interface End {
  counts: Record<string, number>
  sha256: string
}

/** Counts lines and sums them up, as they are written or read. */
export class Ledger {
  lines = 0
  private readonly hash = createHash('sha256')

  /** A line with its line feed. */
  add(line: Buffer): void {
    this.hash.update(line)
    this.lines++
  }

  /** SHA-256 of all lines so far, hex. */
  sha256(): string {
    return this.hash.copy().digest('hex')
  }
}
