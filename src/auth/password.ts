import { availableParallelism } from 'node:os'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { addressGroup } from '#src/auth/client-address.ts'
import type { Caller } from '#src/domain/caller.ts'

/** Characters. The upper bound keeps an attempt cheap to refuse. */
export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 1024

/** What a hash takes by argon2id. */
interface Cost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** OWASP's recommendation. */
const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Half of a small machine's processors at the most: the event loop and the SQL threads need their share. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1
const MAX_WAIT = 10_000
const KNOWN = 'known '
/** Of no password: what an attempt is checked against where there is no account, so that it takes the same time. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$w5W+fTu721ItJTWqr7wGEA$0UUO1hXFglBb2Qt6ess7yt2BaKewZD2nN0zgnDI8VvI'

/** Loaded on first use: a server that only reads never needs it. */
const argon2 = () => import('@node-rs/argon2')

export interface PasswordWork {
  hash: (password: string) => Promise<string>
  /** False also where `hash` is null, and not sooner. */
  verify: (password: string, hash: string | null) => Promise<boolean>
}

/** Password hashing: bounded, and queued fairly by the address that it is done for, or the browser that is known (decision 62). */
export class Passwords {
  private readonly work: PasswordWork
  private readonly queue = new FairQueue({
    at_once: AT_ONCE,
    max_wait: MAX_WAIT,
    prefers: (key) => key.startsWith(KNOWN),
  })

  /** No setting changes the cost: a configuration cannot weaken it. */
  constructor(cost = COST) {
    this.work = workAt(cost)
  }

  /** `job` begins when it is the caller's turn. Strangers cannot crowd out users who have signed in before. */
  inTurn<T>(
    { address, device, session }: Pick<Caller, 'address' | 'device' | 'session'>,
    job: (work: PasswordWork) => Promise<T>,
  ): Promise<T> {
    const known = session?.token_hash ?? device?.id
    return this.queue.run(known ? `${KNOWN}${known}` : addressGroup(address), () => job(this.work))
  }
}

const workAt = (cost: Cost): PasswordWork => ({
  async hash(password) {
    return (await argon2()).hash(password, cost)
  },
  async verify(password, hash) {
    const fits = password.length <= 2 * MAX_PASSWORD
    const right = await (await argon2()).verify(hash ?? DUMMY, fits ? password : '')
    return right && fits && hash !== null
  },
})
