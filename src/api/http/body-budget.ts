import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests, unavailable } from '#src/domain/errors.ts'

/** Bytes of a body that is not worth counting. */
const SMALL = 64 * 1024

export interface BodyBudgetOptions {
  /** Bytes of all large bodies that one account may have under way, and of everybody's. */
  each: number
  all: number
  /** Milliseconds for which a body waits for room. */
  wait: number
}

interface Waiting {
  user: string
  bytes: number
  begin(): void
}

/** Room for the bodies that are being read and worked on: a request whose body has none waits before it is read. */
export class BodyBudget {
  private readonly options: BodyBudgetOptions
  private readonly used = new Map<string, number>()
  private total = 0
  private readonly waiting = new Set<Waiting>()

  constructor(options: BodyBudgetOptions) {
    this.options = options
  }

  /** A hook before a body is read; the room is given back when the answer has gone out. */
  readonly hook = async (
    { headers, caller, routeOptions }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const user = caller?.user_id
    if (!user) return
    const declared = Number(headers['content-length'] ?? 0)
    // A client that does not say how much is coming may send as much as is allowed.
    const bytes = headers['transfer-encoding'] ? routeOptions.bodyLimit : declared
    if (!(bytes > SMALL)) return
    const release = await this.take(user, Math.min(bytes, routeOptions.bodyLimit))
    if (reply.raw.destroyed) release()
    else reply.raw.once('close', release)
  }

  /** @throws TooManyRequests or ServiceUnavailable where no room comes free in time */
  async take(user: string, bytes: number): Promise<() => void> {
    if (this.fits(user, bytes)) this.reserve(user, bytes)
    else await this.turn(user, bytes)
    let released = false
    return () => {
      if (released) return
      released = true
      this.giveBack(user, bytes)
    }
  }

  private fits(user: string, bytes: number): boolean {
    const { each, all } = this.options
    const own = this.used.get(user) ?? 0
    return (!own || own + bytes <= each) && (!this.total || this.total + bytes <= all)
  }

  private reserve(user: string, bytes: number): void {
    this.used.set(user, (this.used.get(user) ?? 0) + bytes)
    this.total += bytes
  }

  /** Resolves when its room has been reserved. */
  private turn(user: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        user,
        bytes,
        begin: () => {
          clearTimeout(timer)
          this.reserve(user, bytes)
          this.waiting.delete(waiting)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.waiting.delete(waiting)
        reject(this.used.has(user) ? ownAreMany() : othersAreMany())
      }, this.options.wait)
      this.waiting.add(waiting)
    })
  }

  private giveBack(user: string, bytes: number): void {
    this.total -= bytes
    const left = this.used.get(user)! - bytes
    if (left) this.used.set(user, left)
    else this.used.delete(user)
    for (const each of this.waiting) if (this.fits(each.user, each.bytes)) each.begin()
  }
}

const ownAreMany = () =>
  tooManyRequests('You are sending large bodies faster than they can be worked on: one after the other', 5)
const othersAreMany = () =>
  unavailable('Too many large bodies are being worked on', { suggestion: 'Try again in a moment' })
