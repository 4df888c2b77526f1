import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Milliseconds after which nobody works any more with what another machine, container or version has made. */
const LONGEST = 24 * 3_600_000

/** Of which processes, which one of them, and when that began; versions before 0.2.0 left all that out. */
const NAME = /^facet-(?:import|zip)-(?:(?<space>[0-9a-f]{8})-(?<pid>\d+)-(?<began>\d+)-)?[A-Za-z0-9]{6}$/

/** Those that can ask for each other by number: containers that share a folder do not. */
const SPACE = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8)

/**
 * An empty folder for what an import unpacks, or reads more than once. Its name says whose it is: who makes it removes
 * it, and where that process is killed, the next one that starts.
 */
export function makeWorkingFolder(what: 'import' | 'zip'): string {
  const { pid } = process
  return mkdtempSync(join(tmpdir(), `facet-${what}-${SPACE}-${pid}-${beginningOf(pid) ?? 0}-`))
}

/** Removes what processes that are no more have left, and nothing that one may still work with. */
export async function sweepWorkingFolders(): Promise<void> {
  const parent = tmpdir()
  for (const name of await readdir(parent)) {
    const whose = NAME.exec(name)?.groups
    if (!whose) continue
    const path = join(parent, name)
    const found = await lstat(path).catch(() => null) // another one sweeps too
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue
    const isLeft =
      whose.space === SPACE
        ? !isRunning(Number(whose.pid), Number(whose.began))
        : found.mtimeMs < Date.now() - LONGEST
    if (isLeft) await rm(path, { recursive: true, force: true })
  }
}

function isRunning(pid: number, began: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
  // Another one may have its number by now: in a container each start has the same.
  return (beginningOf(pid) ?? began) === began
}

/** In ticks since the machine was started; undefined where the system does not say. */
function beginningOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19])
  } catch {
    return undefined
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
