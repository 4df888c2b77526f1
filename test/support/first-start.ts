// `node test/support/first-start.ts` prints what the first start of a checkout needs, in which nothing is built yet.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, ServiceProcess } from '#test/support/process.ts'

/** What it starts from. */
const SOURCES = ['src', 'web', 'templates', 'scripts', 'packages', 'package.json', 'package-lock.json']
/** Milliseconds between two looks, each of which costs some. */
const LOOK = 40

export interface FirstStart {
  /** Of all its processes together at their most, shared memory counted once. */
  megabytes: number
  /** Until it is ready. */
  seconds: number
}

/** A checkout as `npm ci` leaves it, with the packages of this one. */
function freshCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'facet-checkout-'))
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

/** Linux alone says it. A process that has just ended has none. */
function megabytesOf(pid: string): number {
  try {
    const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return Number(own![1]) / 1024 + children.reduce((sum, child) => sum + megabytesOf(child), 0)
  } catch {
    return 0
  }
}

export async function measureFirstStart(): Promise<FirstStart> {
  const cwd = freshCheckout()
  try {
    const begun = performance.now()
    let megabytes = 0
    await using service = new ServiceProcess({ cwd })
    const looks = setInterval(() => {
      megabytes = Math.max(megabytes, megabytesOf(`${service.child.pid}`))
    }, LOOK)
    await service.url().finally(() => clearInterval(looks))
    return { megabytes, seconds: (performance.now() - begun) / 1000 }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { megabytes, seconds } = await measureFirstStart()
  process.stdout.write(`${megabytes.toFixed(0)} MB at most, ready after ${seconds.toFixed(1)} s\n`)
}
