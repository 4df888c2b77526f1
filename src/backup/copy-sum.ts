import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, writeSync } from 'node:fs'
import type Database from 'better-sqlite3'

/** What stands for the sum until the rest of the file is there. */
export const NO_SUM = '0'.repeat(64)

/**
 * Where in its file the sum lies that `table` has: on the first page of that table, as its only row begins with it.
 * -1: it is not there.
 */
export function placeOfSum(copy: Database.Database, table: string, sum: string): number {
  const size = copy.pragma('page_size', { simple: true }) as number
  const root = copy.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table) as number
  const start = (root - 1) * size
  const page = Buffer.alloc(size)
  const descriptor = openSync(copy.name, 'r')
  try {
    readSync(descriptor, page, 0, size, start)
  } finally {
    closeSync(descriptor)
  }
  const at = page.indexOf(sum, 0, 'latin1')
  return at < 0 ? -1 : start + at
}

/** SHA-256 of a file, hex, but for the sum that lies in it. */
export async function sumOf(file: string, place: number): Promise<string> {
  const hash = createHash('sha256')
  const parts = [{ end: place - 1 }, { start: place + NO_SUM.length }]
  for (const part of parts)
    for await (const bytes of createReadStream(file, part)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

/** Nobody has the file open. */
export async function putSum(file: string, place: number): Promise<void> {
  const sum = await sumOf(file, place)
  const descriptor = openSync(file, 'r+')
  try {
    writeSync(descriptor, sum, place, 'latin1')
  } finally {
    closeSync(descriptor)
  }
}
