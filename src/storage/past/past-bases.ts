import { ServiceError } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import type { Cut } from '#src/storage/past/events-since.ts'
import { PastBase } from '#src/storage/past/past-base.ts'

const CACHE_KEY = 'past bases'
/** The pages of a search, and what a page of the application asks, come one after the other. */
const MOST_KEPT = 2
/** Items. Larger ones are made again each time. */
const LARGEST_KEPT = 20_000
const UNUSED_MS = 60_000

/** Does what asks the base of a moment. Nobody else uses what is kept of it meanwhile. */
export function withPastBase<T>(db: Db, cut: Cut, work: (past: PastBase) => Promise<T>): Promise<T> {
  const kept = keptBy(db)
  const key = keyOf(cut)
  const known = kept.get(key)
  const moment = known ?? new CachedMoment(cut, () => kept.get(key) === moment && kept.delete(key))
  // To the end: those that were used longest ago go first.
  kept.delete(key)
  kept.set(key, moment)
  for (const other of [...kept.values()].slice(0, -MOST_KEPT)) other.forget()
  return moment.use(db, work)
}

/** More may come to have happened by a moment, as items go by their own times. */
const keyOf = ({ id, late }: Cut): string =>
  [...late.values()].reduce((newest, each) => (each > newest ? each : newest), id)

/** What a connection keeps that reads what is committed alone; else nothing is kept. */
function keptBy({ committed }: Db): Map<string, CachedMoment> {
  const known = committed?.get(CACHE_KEY) as Map<string, CachedMoment> | undefined
  if (known) return known
  const kept = new Map<string, CachedMoment>()
  committed?.set(CACHE_KEY, kept)
  return kept
}

class CachedMoment {
  private readonly cut: Cut
  private readonly leave: () => void
  private past: PastBase | undefined
  /** Its calls, one after the other. */
  private turn: Promise<unknown> = Promise.resolve()
  private users = 0
  private isForgotten = false
  private expiry: NodeJS.Timeout | undefined

  constructor(cut: Cut, leave: () => void) {
    this.cut = cut
    this.leave = leave
  }

  async use<T>(db: Db, work: (past: PastBase) => Promise<T>): Promise<T> {
    clearTimeout(this.expiry)
    this.users++
    const before = this.turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.turn = promise
    await before
    try {
      return await this.work(db, work)
    } finally {
      resolve()
      this.users--
      this.rest()
    }
  }

  /** Nobody finds it any more; it is closed when nobody uses it. */
  forget(): void {
    this.isForgotten = true
    this.leave()
    this.rest()
  }

  private async work<T>(db: Db, work: (past: PastBase) => Promise<T>): Promise<T> {
    try {
      const past = await this.upToDate(db)
      const answer = await work(past)
      if (past.touched.size > LARGEST_KEPT) this.forget()
      return answer
    } catch (error) {
      // What was cut off in the middle is not whole; what was refused has written nothing.
      if (!(error instanceof ServiceError && REFUSED.has(error.code))) this.end()
      throw error
    }
  }

  private async upToDate(db: Db): Promise<PastBase> {
    const { past } = this
    if (past) {
      this.past = undefined // until it is whole
      if (await past.catchUp(db)) return (this.past = past)
      past.close()
    }
    return (this.past = await PastBase.at(db, this.cut))
  }

  private rest(): void {
    if (this.users) return
    if (this.isForgotten) this.end()
    else this.expiry = setTimeout(() => this.forget(), UNUSED_MS).unref()
  }

  private end(): void {
    this.past?.close()
    this.past = undefined
  }
}

const REFUSED: ReadonlySet<string> = new Set(['BadRequest', 'NotFound'])
