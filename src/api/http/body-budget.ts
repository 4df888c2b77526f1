import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { whenClosed } from '#src/api/drained.ts'
import { LARGE_BODY, MeteredBody, type Pace } from '#src/api/http/metered-body.ts'
import { type ServiceError, tooManyRequests, unavailable } from '#src/domain/errors.ts'

export interface BodyBudgetOptions {
  /** Bytes of all large bodies that one account may have announced. */
  each: number
  /** Bytes that have arrived of everybody's. */
  all: number
  /** Milliseconds for which a body waits for room. */
  wait: number
  /** How fast a large body has to come; without it, at any speed. */
  pace?: Pace
}

/** A body that is being read or worked on. */
export interface LargeBody {
  /** Bytes that have come and have room. */
  held: number
  isOpen: boolean
  /**
   * So many bytes more have come; a promise where they have to wait for room.
   * @throws ServiceUnavailable where none comes free in time
   */
  arrive(count: number): Promise<void> | undefined
  /** Once only. */
  release(): void
}

/** What a body waits for. */
interface Wish {
  body: LargeBody
  fits(): boolean
  reserve(): void
  refusal(): ServiceError
}

interface Waiting extends Wish {
  begin(): void
}

/**
 * Room for the bodies that are being read and worked on. An account is held to what it announces, all together to what
 * has arrived: nobody keeps room from others by announcing (decision 54).
 */
export class BodyBudget {
  private readonly options: BodyBudgetOptions
  private readonly announced = new Map<string, number>()
  private arrived = 0
  /** One body may go on where there is no room left: several that are half there would wait for each other. */
  private beyond: LargeBody | undefined
  private readonly waiting = new Set<Waiting>()

  constructor(options: BodyBudgetOptions) {
    this.options = options
  }

  /** A hook before a body is read; the room is given back when the answer has gone out. */
  readonly hook = async (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Readable,
  ): Promise<Readable | undefined> => {
    const { headers, caller, routeOptions } = request
    const user = caller?.user_id
    if (!user || routeOptions.config.isStreamed) return undefined
    const isChunked = headers['transfer-encoding'] !== undefined
    // A client that does not say how much is coming may send as much as is allowed.
    const bytes = isChunked ? routeOptions.bodyLimit : Number(headers['content-length'] ?? 0)
    if (!(bytes > LARGE_BODY)) return undefined
    const body = await this.open(user, Math.min(bytes, routeOptions.bodyLimit))
    const { pace } = this.options
    const metered = new MeteredBody(payload, {
      arrive: (count) => body.arrive(count),
      pace,
      isLarge: !isChunked,
    })
    whenClosed(reply.raw, () => {
      body.release()
      // Of one that was refused nobody has read the end; of one that is over this says nothing.
      metered.destroy(new Error('Its request is over'))
    })
    return metered
  }

  /** @throws TooManyRequests where the account's other bodies leave no room in time */
  async open(user: string, bytes: number): Promise<LargeBody> {
    const body: LargeBody = {
      held: 0,
      isOpen: true,
      arrive: (count) => this.arrive(body, count),
      release: () => {
        if (body.isOpen) this.close(body, user, bytes)
      },
    }
    const own = () => this.announced.get(user) ?? 0
    await this.when({
      body,
      fits: () => !own() || own() + bytes <= this.options.each,
      reserve: () => void this.announced.set(user, own() + bytes),
      refusal: ownAreMany,
    })
    return body
  }

  private arrive(body: LargeBody, count: number): Promise<void> | undefined {
    const isOver = () => this.arrived + count > this.options.all
    return this.when({
      body,
      fits: () => !isOver() || (this.beyond ?? body) === body,
      reserve: () => {
        if (isOver()) this.beyond = body
        this.arrived += count
        body.held += count
      },
      refusal: othersAreMany,
    })
  }

  /** At once, or as soon as it fits. */
  private when(wish: Wish): Promise<void> | undefined {
    if (wish.fits()) {
      wish.reserve()
      return undefined
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...wish,
        begin: () => {
          clearTimeout(timer)
          this.waiting.delete(waiting)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.waiting.delete(waiting)
        reject(wish.refusal())
      }, this.options.wait)
      this.waiting.add(waiting)
    })
  }

  private close(body: LargeBody, user: string, bytes: number): void {
    body.isOpen = false
    this.arrived -= body.held
    if (this.beyond === body) this.beyond = undefined
    const left = this.announced.get(user)! - bytes
    if (left) this.announced.set(user, left)
    else this.announced.delete(user)
    for (const each of this.waiting)
      // Of one that is closed nobody asks what becomes of it.
      if (each.body === body) each.begin()
      else if (each.fits()) {
        each.reserve()
        each.begin()
      }
  }
}

const ownAreMany = () =>
  tooManyRequests('You are sending large bodies faster than they can be worked on: one after the other', 5)
const othersAreMany = () =>
  unavailable('Too many large bodies are being worked on', { suggestion: 'Try again in a moment' })
