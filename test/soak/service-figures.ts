import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the processor's clock in a second, in /proc. */
const TICKS = 100

/** What its metrics say of the service: where an answer waited, and which thread computed. */
export function serviceFigures(before: string, after: string, pid: number): [what: string, value: string][] {
  const between = (name: string, what: string) => histograms(before, after, name, what)
  return [
    ...between('facet_event_loop_delay_seconds', 'event loop late'),
    ...between('facet_engine_wait_seconds', 'waited'),
    ...between('facet_engine_run_seconds', 'ran'),
    ...between('facet_engine_commit_seconds', 'commit'),
    ['processor by thread', threads(pid)],
  ]
}

/** Milliseconds that the event loop was late between two readings: an upper bound of the 99th percentile. */
export function lateness(before: string, after: string): number {
  const name = 'facet_event_loop_delay_seconds'
  const [counts] = since(before, after, name).values()
  return counts ? at(counts, 0.99) : Infinity
}

/** Upper bounds of the median and of the 99th percentile between two readings, for each set of labels. */
function histograms(before: string, after: string, name: string, what: string): [string, string][] {
  return [...since(before, after, name)].map(([kind, counts]) => [
    `${what} ${kind}`.trim(),
    `p50 ≤ ${at(counts, 0.5)} ms, p99 ≤ ${at(counts, 0.99)} ms of ${counts.at(-1)![1]}`,
  ])
}

type Counts = readonly (readonly [le: number, count: number])[]

/** What was counted between two readings, by kind. */
function since(before: string, after: string, name: string): Map<string, Counts> {
  const counted = countsOf(before, name)
  return new Map(
    [...countsOf(after, name)].map(([kind, counts]) => [
      kind,
      [...counts].map(([le, count]) => [le, count - (counted.get(kind)?.get(le) ?? 0)] as const),
    ]),
  )
}

/** Milliseconds under which that part of them is. */
const at = (counts: Counts, part: number): number =>
  counts.find(([, count]) => count >= counts.at(-1)![1] * part)![0] * 1000

/** By kind, how many were at most so long. */
function countsOf(text: string, name: string): Map<string, Map<number, number>> {
  const found = new Map<string, Map<number, number>>()
  for (const [, labels = '', count] of text.matchAll(new RegExp(`^${name}_bucket\\{(.*)\\} (\\d+)$`, 'gm'))) {
    const [, le = ''] = /le="([^"]+)"/.exec(labels) ?? []
    const [, kind = ''] = /kind="([^"]+)"/.exec(labels) ?? []
    const counts = found.get(kind) ?? new Map()
    found.set(kind, counts.set(le === '+Inf' ? Infinity : Number(le), Number(count)))
  }
  return found
}

/** Seconds of the processor by the name of the thread, most first. Empty where the system does not say. */
function threads(pid: number): string {
  const seconds = new Map<string, number>()
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      seconds.set(name, (seconds.get(name) ?? 0) + (Number(fields[11]) + Number(fields[12])) / TICKS)
    }
  } catch {
    return ''
  }
  return [...seconds]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, spent]) => spent >= 0.1)
    .map(([name, spent]) => `${name} ${spent.toFixed(1)} s`)
    .join(', ')
}
