import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readSync, statfsSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * A database file of SQLite with a descriptor to read it by, which is not closed before the last connection of this
 * process is: the locks of a process on a file end when it closes any descriptor of it.
 */
export interface OpenFile {
  readonly file: string
  readonly descriptor: number
}

/** File systems that can share the blocks of a copy (statfs(2)): Btrfs, XFS, ZFS, bcachefs. */
const SHARES_BLOCKS = [0x9123683e, 0x58465342, 0x2fc12fc1, 0xca451a4e]
/** Bytes that are copied at once. */
const PIECE = 2 ** 20

/**
 * Copies a database and its log into a folder, for one who holds a snapshot of it. What the log had when that began
 * stays in it, and only that is written into the file meanwhile. A program is started only where it copies nothing: a
 * process of hundreds of megabytes starts one slowly, and all of its threads wait for pages of memory afterwards.
 * @param goesOn called between two pieces; what it throws ends the copy
 */
export function copyDatabase(base: OpenFile, folder: string, goesOn: () => void): void {
  const { file } = base
  if (SHARES_BLOCKS.includes(statfsSync(folder).type))
    return void execFileSync('cp', ['--reflink=auto', file, `${file}-wal`, folder], { stdio: 'ignore' })
  const copy = join(folder, basename(file))
  writing(copy, (target) => copyAll(base.descriptor, target, goesOn))
  const log = openSync(`${file}-wal`, 'r')
  try {
    while (!writing(`${copy}-wal`, (target) => copyLog(log, target, goesOn)));
  } finally {
    closeSync(log)
  }
}

function writing<T>(file: string, write: (target: number) => T): T {
  const target = openSync(file, 'w', 0o600)
  try {
    return write(target)
  } finally {
    closeSync(target)
  }
}

function copyAll(source: number, target: number, goesOn: () => void): void {
  const piece = Buffer.allocUnsafe(PIECE)
  for (let at = 0, read; (read = readSync(source, piece, 0, PIECE, at)); at += read) {
    writeAll(target, piece.subarray(0, read))
    goesOn()
  }
}

function writeAll(target: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(target, bytes, at)
}

// The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
const LOG_HEADER = 32
const FRAME_HEADER = 24

/**
 * The frames of the log that belong to its header: those of a log before it follow where that was longer.
 * @returns false where the log has been started afresh meanwhile, and the copy may have frames of both
 */
function copyLog(log: number, target: number, goesOn: () => void): boolean {
  const header = headerOf(log)
  if (header.length < LOG_HEADER) return true // nothing has been written to it
  writeAll(target, header)
  const frame = FRAME_HEADER + header.readUInt32BE(8)
  const salts = header.subarray(16, 24)
  const piece = Buffer.allocUnsafe(Math.ceil(PIECE / frame) * frame)
  for (let at = LOG_HEADER, whole = true; whole; at += piece.length) {
    const read = readSync(log, piece, 0, piece.length, at)
    let own = 0
    while (own + frame <= read && piece.compare(salts, 0, 8, own + 8, own + 16) === 0) own += frame
    writeAll(target, piece.subarray(0, own))
    whole = own === piece.length
    goesOn()
  }
  return headerOf(log).equals(header)
}

function headerOf(log: number): Buffer {
  const header = Buffer.alloc(LOG_HEADER)
  return header.subarray(0, readSync(log, header, 0, LOG_HEADER, 0))
}
