import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux's file system in memory. */
const MEMORY = '/dev/shm'
/** Bytes that have to be free: chosen with much to spare, not measured in a complete run. */
const ROOM = 8 * 1024 ** 3

/**
 * Where there is room in memory, all temporary files of a run lie there and go with it: a commit waits for no disk.
 * TEST_LASTING names the folder of what serves the next run as well.
 */
export function writeToMemory(): void {
  if (process.env['TEST_LASTING'] || !hasRoom()) return
  process.env['TEST_LASTING'] = tmpdir()
  const folder = mkdtempSync(`${MEMORY}/facet-tests-`)
  chmodSync(folder, 0o711) // PostgreSQL may run as another user
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false
  // In many containers nothing can be started from there, and there are 64 MiB.
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === MEMORY)
  if (!mount || /\b(?:noexec|ro)\b/.test(mount.split(' ')[3]!)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) >= ROOM
}
