/** How far an account's reads are remembered, each way. */
const MOST_CREDIT = 8
const MOST_DEBT = 4
/** From here on they have been slow, or quick, again and again. */
const MUCH = 3
/** An account counts as slow for this long after its last slow read. */
const SLOW_FOR_MS = 2000
/** And is forgotten after this long. */
const FORGOTTEN_AFTER_MS = 60_000

interface Habit {
  /** Slow reads less quick ones, within bounds. */
  debt: number
  at: number
}

/**
 * Whether the reads of an account are mostly slow: one that lasted because everything lasted makes nobody slow whose
 * others were quick.
 */
export class ReadHabits {
  private readonly habits = new Map<string, Habit>()

  wasQuick(account: string, now = performance.now()): void {
    const { debt } = this.of(account)
    this.habits.set(account, { debt: Math.max(debt - 1, -MOST_CREDIT), at: now })
  }

  wasSlow(account: string, now = performance.now()): void {
    for (const [each, { at }] of this.habits) if (now - at > FORGOTTEN_AFTER_MS) this.habits.delete(each)
    this.habits.set(account, { debt: Math.min(this.of(account).debt + 1, MOST_DEBT), at: now })
  }

  /** One of its slow reads still goes on. */
  goesOn(account: string, now = performance.now()): void {
    const habit = this.habits.get(account)
    if (habit) habit.at = now
  }

  isSlow(account: string, now = performance.now()): boolean {
    const { debt, at } = this.of(account)
    return debt > 0 && now - at < SLOW_FOR_MS
  }

  isOftenSlow(account: string, now = performance.now()): boolean {
    return this.of(account).debt >= MUCH && this.isSlow(account, now)
  }

  isMostlyQuick(account: string): boolean {
    return this.of(account).debt <= -MUCH
  }

  private of(account: string): Habit {
    return this.habits.get(account) ?? { debt: 0, at: -Infinity }
  }
}
