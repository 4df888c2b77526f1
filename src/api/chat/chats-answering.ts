import { setTimeout as wait } from 'node:timers/promises'
import { conflict } from '#src/domain/errors.ts'
import { shuttingDown } from '#src/engine/ended.ts'
import type { Relay } from '#src/engine/engine.ts'

/** Milliseconds that an answer gets to end: who stops one, or whose answer is about to be done, asks at once. */
const MOMENT = 2000
/** Milliseconds between two looks at whether another process still answers. */
const LOOK = 200

interface Answering {
  /** Aborted when nobody hears it any more. */
  left: AbortSignal
  over: Promise<void>
}

/**
 * The answers under way, by chat: one at a time, in all processes together. A message that comes meanwhile would go to
 * the model along with the one that is being answered, and both answers would do what both of them ask for.
 */
export class ChatsAnswering {
  private readonly byChat = new Map<string, Answering>()
  private readonly closing = new AbortController()
  private readonly relay: Relay | null

  constructor(relay: Relay | null) {
    this.relay = relay
  }

  /** The service stops: messages that wait for their turn are refused. */
  close(): void {
    this.closing.abort(shuttingDown())
  }

  /**
   * One that nobody hears any more is waited for.
   * @returns what says that this one is over
   * @throws Conflict while another is under way; the reason of `left` where it is aborted meanwhile
   */
  async begin(chat: string, left: AbortSignal): Promise<() => void> {
    const signal = AbortSignal.any([left, this.closing.signal])
    for (let other = this.byChat.get(chat); other; other = this.byChat.get(chat)) {
      await Promise.race([other.over, wait(MOMENT, undefined, { ref: false, signal }).catch(() => {})])
      signal.throwIfAborted()
      if (this.byChat.get(chat) === other && !other.left.aborted) throw underWay()
    }
    const over = Promise.withResolvers<void>()
    this.byChat.set(chat, { left, over: over.promise })
    const end = () => {
      this.byChat.delete(chat)
      over.resolve()
    }
    try {
      const letGo = await this.hold(chat, signal)
      return () => {
        letGo?.()
        end()
      }
    } catch (error) {
      end()
      throw error
    }
  }

  /** Whether anybody hears the answer of another process is not known here. */
  private async hold(chat: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const until = performance.now() + MOMENT
    while (this.relay) {
      const letGo = await this.relay.hold(`chat ${chat}`)
      if (letGo) return letGo
      if (performance.now() > until) throw underWay()
      await wait(LOOK, undefined, { ref: false, signal }).catch(() => {})
      signal.throwIfAborted()
    }
  }
}

const underWay = () =>
  conflict('The assistant is still answering in this chat: your message was not taken', {
    suggestion:
      'Wait for the end of that answer, or stop it where you asked; or leave chat_id out for another chat',
  })
