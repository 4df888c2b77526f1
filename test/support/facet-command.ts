import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../scripts/facet.js', import.meta.url))

/** `npm run facet -- …` without npm, on a database. */
export function startFacet(
  database: string,
  words: readonly string[],
  settings: Record<string, string> = {},
) {
  const env = { ...process.env, DATABASE_URL: database, ...settings }
  const child: ChildProcess = spawn(process.execPath, [COMMAND, ...words], { env, stdio: 'pipe' })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin!.end()
  const done = Promise.all([text(child.stdout!), text(child.stderr!), ended]).then(([out, err, code]) => ({
    out,
    err,
    code,
  }))
  return { child, done }
}

export const facet = (database: string, ...words: string[]) => startFacet(database, words).done
