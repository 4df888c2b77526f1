import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { type ServiceError, tooManyRequests, unavailable } from '#src/domain/errors.ts'

/** Characters of an answer that is not worth counting. */
const SMALL = 64 * 1024
/** Milliseconds; a client that takes nothing for this long is cut off. */
const STALL = 30_000

export interface AnswerBudgetOptions {
  /** Characters of all large answers that wait for one account to read them, and for everybody. */
  each: number
  all: number
  stall?: number
}

/** Answers that their readers have not taken yet: they are in memory, so they are counted. */
export class AnswerBudget {
  private readonly options: AnswerBudgetOptions
  private readonly waiting = new Map<string, number>()
  private total = 0

  constructor(options: AnswerBudgetOptions) {
    this.options = options
  }

  /** A hook before an answer is sent. */
  readonly hook = (
    { caller }: FastifyRequest,
    { raw }: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void => {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    const user = caller?.user_id
    if (size <= SMALL || !user) return done(null, payload)
    const refusal = this.refusalOf(user, size)
    if (refusal) return done(refusal)
    this.count(user, size)
    whenClosed(raw, () => this.count(user, -size))
    raw.setTimeout(this.options.stall ?? STALL, () => raw.destroy())
    done(null, payload)
  }

  private refusalOf(user: string, size: number): ServiceError | undefined {
    const { each, all } = this.options
    const own = this.waiting.get(user) ?? 0
    if (own && own + size > each)
      return tooManyRequests('You ask for more than you read: read the answers that are under way first', 5)
    if (this.total && this.total + size > all)
      return unavailable('Too many large answers wait to be read', { suggestion: 'Try again in a moment' })
    return undefined
  }

  private count(user: string, size: number): void {
    this.total += size
    const own = (this.waiting.get(user) ?? 0) + size
    if (own) this.waiting.set(user, own)
    else this.waiting.delete(user)
  }
}
