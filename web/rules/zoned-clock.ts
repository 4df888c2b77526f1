import { remembered } from '#web/rules/remembered.ts'

/** What the clocks of a time zone show. */
export interface ZonedClock {
  /** `2027-03-12` */
  day: string
  /** Milliseconds since midnight, as the clock has them. */
  clock: number
}

const numeric = 'numeric'

const formatIn = remembered(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    }),
)

const SECOND = 1000
const DAY = 86_400_000
const mod = (a: number, b: number) => ((a % b) + b) % b

/** As if the clock of the zone were one of UTC. */
function shownAt(time: number, timeZone: string): number {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') ? 1 - part('year') : part('year')
  const shown = new Date(0)
  shown.setUTCFullYear(year, part('month') - 1, part('day'))
  shown.setUTCHours(part('hour'), part('minute'), part('second'))
  return shown.getTime() + mod(time, SECOND)
}

/** How far the clock is ahead of UTC. */
export const offsetAt = (time: number, timeZone: string): number => shownAt(time, timeZone) - time

export function clockIn(time: number, timeZone: string): ZonedClock {
  const shown = shownAt(time, timeZone)
  return { day: new Date(shown).toISOString().slice(0, 10), clock: mod(shown, DAY) }
}

/**
 * The moments at which the clock shows this: none where it is put forward over it, two where it is put back. Only those
 * that can be stored: of the years 0001 to 9999 in UTC.
 */
export function momentsAt(day: string, clock: number, timeZone: string): string[] {
  const wanted = Date.parse(`${day}T00:00:00Z`) + clock
  const around = [wanted - DAY, wanted, wanted + DAY].filter((time) => Math.abs(time) < 8.64e15)
  const offsets = new Set(around.map((time) => offsetAt(time, timeZone)))
  return [...offsets]
    .map((offset) => wanted - offset)
    .filter((time) => shownAt(time, timeZone) === wanted)
    .toSorted((a, b) => a - b)
    .map(momentOf)
    .filter((moment) => moment !== null)
}

/** As it is stored; null where that cannot be. */
export function momentOf(time: number): string | null {
  const text = new Date(time).toISOString()
  return /^(?!0000)\d{4}-/.test(text) ? text : null
}

/** A stored moment as it is edited, whole: `2027-03-12 14:30`, with seconds where it has any. */
export function clockText(moment: string, timeZone: string): string {
  const time = Date.parse(moment)
  if (Number.isNaN(time)) return moment
  const shown = new Date(shownAt(time, timeZone)).toISOString()
  const text = shown.replace('T', ' ').replace(/Z$/, '')
  // A clock that was put back shows this twice.
  if (momentsAt(shown.slice(0, 10), mod(shownAt(time, timeZone), DAY), timeZone).length !== 1) return moment
  return text.replace(/\.000$/, '').replace(/:00$/, '')
}
