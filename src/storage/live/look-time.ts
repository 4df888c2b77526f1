import type { ThrowIfEnded } from '#src/domain/pattern.ts'
import type { Db } from '#src/sql/query.ts'
import { endingWhere, throwIfEnded } from '#src/storage/search/matching-time.ts'

/** Milliseconds for which a filter may look for patterns in texts, and search the base, while all others wait for it … */
const MOST = { patterns: 500, search: 2000 }
/** … and once those before it have taken longer than this. */
const MOST_OF_ALL = 1000
const MOST_AFTERWARDS = { patterns: 50, search: 200 }

export class TookTooLong extends Error {}

/** The time of one look at many filters, one after the other: one that takes long does not keep the others waiting. */
export class LookTime {
  private readonly db: Db
  private most = MOST
  /** Of the filter that is looked at. */
  private spent = 0
  private ofAll = 0

  constructor(db: Db) {
    this.db = db
  }

  /** Another filter is looked at. */
  next(): void {
    this.ofAll += this.spent
    this.spent = 0
    this.most = this.ofAll > MOST_OF_ALL ? MOST_AFTERWARDS : MOST
  }

  /** Looks for a pattern in a text, in memory. @throws TookTooLong in the middle of it too */
  inText(look: (throwIfOver: ThrowIfEnded) => boolean): boolean {
    const began = performance.now()
    try {
      return look(() => {
        throwIfEnded(this.db)
        if (this.spent + performance.now() - began > this.most.patterns) throw new TookTooLong()
      })
    } finally {
      this.spent += performance.now() - began
    }
  }

  /** Searches the base. @throws TookTooLong */
  async search<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    const end = began + this.most.search
    try {
      return await endingWhere(this.db, work, { isOver: (now) => now > end, fault: () => new TookTooLong() })
    } finally {
      this.spent += performance.now() - began
    }
  }
}
