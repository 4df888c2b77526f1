import { setTimeout as wait } from 'node:timers/promises'
import { conflict } from '#src/domain/errors.ts'
import { shuttingDown } from '#src/engine/ended.ts'

/** Milliseconds that an answer gets to end: who stops one, or whose answer is about to be done, asks at once. */
const MOMENT = 2000

interface Answering {
  /** Aborted when nobody hears it any more. */
  left: AbortSignal
  over: Promise<void>
}

/**
 * The answers under way in this process, by chat: one at a time. A message that comes meanwhile would go to the model
 * along with the one that is being answered, and both answers would do what both of them ask for.
 */
export class ChatsAnswering {
  private readonly byChat = new Map<string, Answering>()
  private readonly closing = new AbortController()

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
    let end = () => {}
    const over = new Promise<void>((resolve) => (end = resolve))
    this.byChat.set(chat, { left, over })
    return () => {
      this.byChat.delete(chat)
      end()
    }
  }
}

const underWay = () =>
  conflict('The assistant is still answering in this chat: your message was not taken', {
    suggestion:
      'Wait for the end of that answer, or stop it where you asked; or leave chat_id out for another chat',
  })
