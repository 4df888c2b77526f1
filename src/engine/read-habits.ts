import { SERVICE } from '#src/domain/caller.ts'

/** How far an account's reads are remembered, each way. */
const MOST_CREDIT = 8
const MOST_DEBT = 4
/** From here on they have been slow, or quick, again and again. */
const MUCH = 3
/** An account counts as slow for this long after its last slow read. */
const SLOW_FOR_MS = 2000
/** And is forgotten after this long. */
const FORGOTTEN_AFTER_MS = 60_000
/** An account that asked for something counts as one of the others for this long. */
const LATELY_MS = 2000

interface Habit {
  /** Slow reads less quick ones, within bounds. */
  debt: number
  /** When one of them was answered last, or goes on. */
  at: number
  /** When the last slow one went on. */
  slowAt: number
}

/**
 * Whether the reads of an account are mostly slow, and whether other accounts could have to wait for them. One that
 * lasted because everything lasted makes nobody slow whose others were quick.
 */
export class ReadHabits {
  private readonly habits = new Map<string, Habit>()
  /** The account that asked last, and the one before. */
  private asked: readonly [account: string, at: number] = ['', -Infinity]
  private askedBefore: readonly [account: string, at: number] = ['', -Infinity]

  /** What the service reads for itself can wait: nobody is in its way. */
  asks(account: string, now = performance.now()): void {
    if (account === SERVICE.address) return
    if (account !== this.asked[0]) this.askedBefore = this.asked
    this.asked = [account, now]
  }

  /** Somebody else has lately asked for something. */
  hasOthers(account: string, now = performance.now()): boolean {
    const [, at] = this.asked[0] === account ? this.askedBefore : this.asked
    return now - at < LATELY_MS
  }

  wasQuick(account: string, now = performance.now()): void {
    const { debt, slowAt } = this.of(account)
    this.habits.set(account, { debt: Math.max(debt - 1, -MOST_CREDIT), at: now, slowAt })
  }

  wasSlow(account: string, now = performance.now()): void {
    for (const [each, { at }] of this.habits) if (now - at > FORGOTTEN_AFTER_MS) this.habits.delete(each)
    const debt = Math.min(this.of(account).debt + 1, MOST_DEBT)
    this.habits.set(account, { debt, at: now, slowAt: now })
  }

  /** One of its slow reads still goes on. */
  goesOn(account: string, now = performance.now()): void {
    const habit = this.habits.get(account)
    if (habit) habit.at = habit.slowAt = now
  }

  isSlow(account: string, now = performance.now()): boolean {
    const { debt, slowAt } = this.of(account)
    return debt > 0 && now - slowAt < SLOW_FOR_MS
  }

  isOftenSlow(account: string, now = performance.now()): boolean {
    return this.of(account).debt >= MUCH && this.isSlow(account, now)
  }

  isMostlyQuick(account: string): boolean {
    return this.of(account).debt <= -MUCH
  }

  private of(account: string): Habit {
    return this.habits.get(account) ?? { debt: 0, at: -Infinity, slowAt: -Infinity }
  }
}
