import { readdirSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { Histogram, Reading } from '#src/metrics/instruments.ts'
import type { Metrics } from '#src/metrics/metrics.ts'

/** Milliseconds between two looks at how late the event loop is. */
const LOOK_MS = 100
/** Seconds. */
const DELAYS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const one = (value: number) => [{ value }]

interface Gauge {
  name: string
  help: string
  /** null: not known here. */
  read: () => number | null
}

/** By the names that all exporters give them. */
const GAUGES: readonly Gauge[] = [
  {
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    read: () => started,
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM.',
    read: () => process.memoryUsage.rss(),
  },
  { name: 'process_open_fds', help: 'Open files and sockets (where /proc tells).', read: openFiles },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: 'Of the heap of the main thread, what is in use.',
    read: () => getHeapStatistics().used_heap_size,
  },
  {
    name: 'nodejs_heap_size_total_bytes',
    help: 'The heap of the main thread.',
    read: () => getHeapStatistics().total_heap_size,
  },
  {
    name: 'nodejs_external_memory_bytes',
    help: 'Memory of buffers and the like outside the heap.',
    read: () => process.memoryUsage().external,
  },
]

const started = Date.now() / 1000 - process.uptime()

/** The figures of the process, and the delay of its event loop. */
export function processMetrics(metrics: Metrics, version: string): { stop(): void } {
  metrics.add(
    'facet_info',
    'Always 1; the version of the service is in the label.',
    new Reading('gauge', () => [{ labels: { version, node: process.version }, value: 1 }]),
  )
  metrics.add(
    'process_cpu_seconds_total',
    'Time of the processor that all threads of the process have used.',
    new Reading('counter', () => {
      const { user, system } = process.cpuUsage()
      return one((user + system) / 1e6)
    }),
  )
  for (const { name, help, read } of GAUGES)
    metrics.add(
      name,
      help,
      new Reading('gauge', () => {
        const value = read()
        return value === null ? null : one(value)
      }),
    )
  return watchEventLoop(metrics)
}

function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length - 1 // without the folder itself
  } catch {
    return null
  }
}

/** How late a timer comes: what a request waits before the main thread turns to it. */
function watchEventLoop(metrics: Metrics): { stop(): void } {
  const delay = metrics.add(
    'facet_event_loop_delay_seconds',
    'How late the event loop of the main thread turned to a timer; looked at ten times a second.',
    new Histogram(DELAYS),
  )
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    delay.observe(Math.max(0, now - last - LOOK_MS) / 1000)
    last = now
  }, LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
