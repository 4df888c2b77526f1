import type { KeepPlan } from '#src/config/config.ts'
import type { NamedCopy } from '#src/backup/copy-name.ts'
import { wallTime } from '#src/domain/zoned-time.ts'
import { isAhead } from '#src/storage/schema/backup-state.ts'

const DAY = 86_400_000
/** 1 January 1970 was a Thursday: three days after the beginning of its ISO week. */
const MONDAY_BEFORE_EPOCH = 3

/**
 * The copies that stay: the newest, and of each of the last days, ISO weeks and months that have one the newest of it.
 * A day begins where it does in the zone. Copies that are ahead of `now` are chosen among themselves: whichever of the
 * clocks was wrong, neither kind is removed for the sake of the other.
 */
export function keptCopies(
  copies: readonly NamedCopy[],
  plan: KeepPlan,
  time_zone: string,
  now: number,
): Set<string> {
  const kinds = [true, false].map((ahead) => copies.filter(({ at }) => isAhead(at, now) === ahead))
  return new Set(kinds.flatMap((kind) => [...keptOf(kind, plan, time_zone)]))
}

function keptOf(copies: NamedCopy[], { days, weeks, months }: KeepPlan, time_zone: string): Set<string> {
  const newestFirst = copies.toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
  const kept = new Set(newestFirst.slice(0, 1).map(({ name }) => name))
  const plans: readonly (readonly [count: number, of: (wall: number) => number])[] = [
    [days, (wall) => Math.floor(wall / DAY)],
    [weeks, (wall) => Math.floor((Math.floor(wall / DAY) + MONDAY_BEFORE_EPOCH) / 7)],
    [months, monthOf],
  ]
  for (const [count, periodOf] of plans) {
    const seen = new Set<number>()
    for (const { name, at } of newestFirst) {
      const period = periodOf(wallTime(at, time_zone))
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      kept.add(name)
    }
  }
  return kept
}

function monthOf(wall: number): number {
  const date = new Date(wall)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
