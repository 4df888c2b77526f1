// Builds the web application as the first start of a checkout does, and says what that took: one line of JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { buildWeb } from '#src/api/web/build-web.ts'

export interface MeasuredBuild {
  files: number
  seconds: number
  /** Seconds of processor time, of all processes. */
  computed: number
  /** At their most: of this process, which stands for the service, then of esbuild. */
  megabytes: number[]
}

/** Ticks of the processor's time in a second, as Linux counts them. */
const TICKS = 100

const begun = performance.now()
const { files } = await buildWeb()
const seconds = (performance.now() - begun) / 1000

/** esbuild is a process of its own, which is still there. */
const children = readdirSync('/proc/self/task').flatMap((task) =>
  readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
)
const all = ['self', ...children]
/** Fields 14 and 15 behind the name, which may hold anything. */
const computedBy = (pid: string) => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / TICKS
}
const megabytesOf = (pid: string) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
const measured: MeasuredBuild = {
  files: files.length,
  seconds,
  computed: all.reduce((sum, pid) => sum + computedBy(pid), 0),
  megabytes: all.map(megabytesOf),
}
process.stdout.write(JSON.stringify(measured))
process.exit(0)
