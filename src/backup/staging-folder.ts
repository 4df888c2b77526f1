import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { DatabaseConfig } from '#src/config/config.ts'

/** A copy is on its way for less than this, in milliseconds. */
const LONGEST = 24 * 3_600_000

/**
 * Runs with a folder of its own for a copy that is on its way to S3 or from there. It lies next to the SQLite file, where
 * room is and secrets are kept; else where the system keeps such things.
 */
export async function inStagingFolder<T>(
  database: DatabaseConfig,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { parent, prefix } = stagingPlace(database)
  const folder = mkdtempSync(join(parent, prefix))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes away what killed processes have left. */
export function sweepStaging(database: DatabaseConfig): void {
  const { parent, prefix } = stagingPlace(database)
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const found = lstatSync(join(parent, name), { throwIfNoEntry: false })
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue
    if (found.mtimeMs < Date.now() - LONGEST) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function stagingPlace(database: DatabaseConfig): { parent: string; prefix: string } {
  if (database.engine === 'postgres') return { parent: tmpdir(), prefix: 'facet-moving-' }
  const file = resolve(database.file)
  const parent = existsSync(dirname(file)) ? dirname(file) : tmpdir()
  return { parent, prefix: `${basename(file)}.moving-` }
}
