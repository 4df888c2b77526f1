import { setTimeout } from 'node:timers/promises'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { DeliveryTurn } from '#src/work/delivery-turn.ts'
import { Poller } from '#src/work/poller.ts'
import type { WorkLog } from '#src/work/work-log.ts'
import { sendDelivery } from '#src/operations/webhooks/send-delivery.ts'
import { disableWebhook } from '#src/operations/webhooks/webhook-steps.ts'
import {
  type Attempt,
  findDeliveryToSend,
  recordAttempt,
  type Recorded,
} from '#src/operations/webhooks/delivery-steps.ts'
import {
  type BrokenFilter,
  findNewDeliveries,
  findWebhookWork,
  queueDeliveries,
} from '#src/operations/webhooks/queue-steps.ts'
import type { WebhookWork } from '#src/storage/webhooks/due-deliveries.ts'

/** Attempts under way at once: in all, to one webhook, and to one whose last attempt failed. */
const IN_ALL = 32
const TO_ONE = 4
const TO_FAILING = 1
/** To all of those together: however many addresses never answer, the others have room. */
const TO_ALL_FAILING = 24
/** To all others together: however busy they are, one that failed once has its turn. */
const TO_ALL_OTHERS = 28
/** Milliseconds: what nobody reported (a retry whose time comes, an operator's command) is found within them. */
const LOOK = 1000
/** The same where there is no webhook, or another process delivers. */
const SELDOM = 5000
/** Milliseconds between two looks at least, however busy the log is. */
const PAUSE = 10
/** Milliseconds that attempts have to end when the service stops. */
const GRACE = 5000
/** Milliseconds for which the others wait until the events of one webhook are chosen: its filter may take its time. */
const PATIENCE = 300
/** Milliseconds for which a webhook is left alone after a failure of the service's own, as of a full disk. */
const REST = 30_000

/** Ends early where the signal says so. */
const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => null)

/** An attempt that is under way. */
interface UnderWay {
  webhook_id: Ulid
  done: Promise<void>
}

/**
 * Sends events to webhooks, in one process of all. What is to be sent is in the database before it is sent, and how
 * it ended when it has; in memory is only what is under way (decision 44). Made by the start, which also stops it.
 */
export class Deliverer {
  private readonly runtime: Runtime
  private readonly log: WorkLog
  private readonly turn: DeliveryTurn
  private readonly attempts = new Map<Ulid, UnderWay>()
  /** Webhooks whose last attempt failed. */
  private readonly failing = new Set<Ulid>()
  /** Of each webhook, which of all attempts was its last. */
  private readonly lastTurns = new Map<Ulid, number>()
  private begun = 0
  /** Webhooks whose events are being chosen. */
  private readonly choosing = new Map<Ulid, Promise<void>>()
  /** Webhooks that are left alone, until when by the clock of the process. */
  private readonly resting = new Map<Ulid, number>()
  /** The service begins to stop; then no attempt has any more time. */
  private readonly leaving = new AbortController()
  /** Attempts that have ended since what is due was last read: that is not true of them any more. */
  private readonly ended = new Set<Ulid>()
  private readonly stopped = new AbortController()
  private readonly listening: (() => void)[]
  private readonly loop = new Poller({
    poll: () => this.poll(),
    onError: (error) => this.warn(error, 'webhooks could not be looked at'),
    pause: () => (this.busy ? LOOK : SELDOM),
  })
  private readonly send: typeof sendDelivery
  private busy = true

  /** `send` is another where the network is simulated. */
  constructor(runtime: Runtime, log: WorkLog, send = sendDelivery) {
    this.runtime = runtime
    this.log = log
    this.send = send
    this.turn = new DeliveryTurn(runtime, 'webhooks')
    const { changes, webhooks } = runtime.services
    this.listening = [
      changes.onChange(() => this.busy && this.loop.wake()),
      webhooks.onChange(() => this.loop.wake()),
    ]
    this.loop.wake()
  }

  async stop(): Promise<void> {
    for (const leave of this.listening) leave()
    this.leaving.abort()
    await this.loop.stop()
    const cut = globalThis.setTimeout(() => this.stopped.abort(), GRACE)
    await Promise.all([...this.choosing.values(), ...[...this.attempts.values()].map(({ done }) => done)])
    clearTimeout(cut)
    await this.turn.drop().catch((err: unknown) => this.warn(err, 'the turn of webhooks was not given back'))
  }

  private get stopping(): boolean {
    return this.leaving.signal.aborted
  }

  private async poll(): Promise<void> {
    try {
      this.busy = await this.deliver()
    } finally {
      await setTimeout(PAUSE)
    }
  }

  /** False: there is nothing here for this process. */
  private async deliver(): Promise<boolean> {
    this.ended.clear()
    const work = await this.call(findWebhookWork, { limit: 2 * TO_ONE })
    if (!work.length) {
      await this.turn.drop()
      return false
    }
    if (!(await this.turn.take())) return false
    for (const { webhook_id, behind } of work) if (behind && !this.stopping) await this.choose(webhook_id)
    this.start(work)
    return true
  }

  /** Of one that takes long the others hear no more: it goes on beside them, and is not begun again meanwhile. */
  private async choose(webhook_id: Ulid): Promise<void> {
    if (this.choosing.has(webhook_id)) return
    const done = this.queue(webhook_id).finally(() => this.choosing.delete(webhook_id))
    this.choosing.set(webhook_id, done)
    const waited = new AbortController()
    const over = AbortSignal.any([waited.signal, this.leaving.signal])
    await Promise.race([done.finally(() => waited.abort()), pause(PATIENCE, over)])
  }

  /** Keeps what a webhook is to be sent of the events that it has not been asked of, a page at a time. */
  private async queue(webhook_id: Ulid): Promise<void> {
    if (this.rests(webhook_id)) return
    try {
      const found = await runStep(this.runtime, findNewDeliveries, { webhook_id }, this.leaving.signal)
      if (!found) return
      if ('broken' in found) return await this.giveUp(webhook_id, found)
      const isKept = await this.call(queueDeliveries, { webhook_id, ...found })
      if (isKept && (found.more || found.events.length)) this.loop.wake()
    } catch (error) {
      if (!this.stopping) this.rest(webhook_id, error, 'the events of a webhook could not be chosen')
    }
  }

  private rests(webhook_id: Ulid): boolean {
    if ((this.resting.get(webhook_id) ?? 0) > performance.now()) return true
    this.resting.delete(webhook_id)
    return false
  }

  private rest(webhook_id: Ulid, error: unknown, message: string, details: object = {}): void {
    this.resting.set(webhook_id, performance.now() + REST)
    this.warn(error, message, { webhook_id, ...details })
  }

  /** Begins attempts as far as there is room: a webhook has its second after all others have had one. */
  private start(work: readonly WebhookWork[]): void {
    const known = new Set(work.map(({ webhook_id }) => webhook_id))
    for (const each of this.lastTurns.keys()) if (!known.has(each)) this.lastTurns.delete(each)
    const waiting = this.inTurn(work).map(({ webhook_id, due }) => ({
      webhook_id,
      due: due.filter((id) => !this.attempts.has(id) && !this.ended.has(id)),
    }))
    for (let round = 0; round < TO_ONE; round++)
      for (const { webhook_id, due } of waiting)
        if (due[round] !== undefined && this.hasRoom(webhook_id)) this.begin(webhook_id, due[round]!)
  }

  /** First those that answer, of these and of the others the one whose last turn was the longest ago. */
  private inTurn(work: readonly WebhookWork[]): WebhookWork[] {
    const isFailing = ({ webhook_id }: WebhookWork) => Number(this.failing.has(webhook_id))
    const last = ({ webhook_id }: WebhookWork) => this.lastTurns.get(webhook_id) ?? 0
    return work
      .filter(({ webhook_id }) => !this.rests(webhook_id))
      .toSorted((a, b) => isFailing(a) - isFailing(b) || last(a) - last(b))
  }

  private hasRoom(webhook_id: Ulid): boolean {
    if (this.attempts.size >= IN_ALL || this.stopping || !this.turn.isOurs) return false
    const under_way = [...this.attempts.values()].map((each) => each.webhook_id)
    const own = under_way.filter((each) => each === webhook_id).length
    const failing = under_way.filter((each) => this.failing.has(each)).length
    if (this.failing.has(webhook_id)) return own < TO_FAILING && failing < TO_ALL_FAILING
    return own < TO_ONE && under_way.length - failing < TO_ALL_OTHERS
  }

  private begin(webhook_id: Ulid, delivery_id: Ulid): void {
    this.lastTurns.set(webhook_id, ++this.begun)
    const done = this.attempt(webhook_id, delivery_id)
      .catch((error: unknown) =>
        this.rest(webhook_id, error, 'a delivery could not be prepared', { delivery_id }),
      )
      .finally(() => {
        this.attempts.delete(delivery_id)
        this.ended.add(delivery_id)
        this.loop.wake()
      })
    this.attempts.set(delivery_id, { webhook_id, done })
  }

  private async attempt(webhook_id: Ulid, delivery_id: Ulid): Promise<void> {
    const { runtime } = this
    const found = await this.call(findDeliveryToSend, {
      delivery_id,
    })
    if (!found) return
    const outcome = await this.send(runtime.services, found, {
      at: runtime.clock(),
      signal: this.stopped.signal,
    })
    // Cut off by ourselves: anyone who comes after us sends it again.
    if (!outcome.ok && this.stopped.signal.aborted) return
    runtime.services.metrics.webhookAttempt(outcome.ok)
    if (outcome.ok) this.failing.delete(webhook_id)
    else this.failing.add(webhook_id)
    const { attempts } = found
    const recorded = await this.record(webhook_id, { delivery_id, attempts, ...outcome })
    if (recorded?.disabled) this.log.warn({ webhook_id, reason: recorded.disabled }, 'a webhook was disabled')
  }

  /**
   * What was sent is not sent again because its outcome cannot be stored: it keeps its place here and is stored later.
   * Null where the service stops, or another process delivers, before that: then it is sent once more.
   */
  private async record(webhook_id: Ulid, attempt: Attempt): Promise<Recorded | null> {
    for (;;) {
      try {
        return await this.call(recordAttempt, attempt)
      } catch (error) {
        this.rest(webhook_id, error, 'a delivery was not recorded', { delivery_id: attempt.delivery_id })
      }
      await pause(REST, this.leaving.signal)
      if (this.stopping || !this.turn.isOurs) return null
    }
  }

  private async giveUp(webhook_id: Ulid, { broken, filter }: BrokenFilter): Promise<void> {
    const reason = `its filter does not hold any more: ${broken}`
    if (await this.call(disableWebhook, { webhook_id, filter, reason }))
      this.log.warn({ webhook_id, reason }, 'a webhook was disabled')
  }

  private call<I extends object, O>(step: Step<I, O>, input: NoInfer<I>): Promise<O> {
    return runStep(this.runtime, step, input)
  }

  private warn(err: unknown, message: string, details: object = {}): void {
    this.log.warn({ err, ...details }, message)
  }
}
