import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CommandEnd, CommandStart } from '#test/support/kept-command.ts'

const COMMAND = fileURLToPath(new URL('../../scripts/facet.js', import.meta.url))
const KEPT = fileURLToPath(new URL('./kept-command.ts', import.meta.url))

/** `npm run facet -- …` without npm, on a database, in a process of its own: one can kill it, or run it as another user. */
export function startFacet(
  database: string,
  words: readonly string[],
  settings: Record<string, string> = {},
  user: { uid?: number; gid?: number } = {},
) {
  const env = { ...process.env, DATABASE_URL: database, ...settings }
  const child: ChildProcess = spawn(process.execPath, [COMMAND, ...words], { env, stdio: 'pipe', ...user })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin!.end()
  const done = Promise.all([text(child.stdout!), text(child.stderr!), ended]).then(([out, err, code]) => ({
    out,
    err,
    code,
  }))
  return { child, done }
}

/** Processes that wait for their next command. */
const idle: ChildProcess[] = []

/**
 * The same, in a process that goes on from command to command: nearly all of what a command costs is to load its
 * modules. What ends that process fails the test.
 */
export async function runFacet(
  database: string,
  words: readonly string[],
  settings: Record<string, string> = {},
): Promise<CommandEnd> {
  const child = idle.pop() ?? (await keptProcess())
  child.ref()
  child.channel!.ref()
  const start: CommandStart = { words, env: { ...process.env, DATABASE_URL: database, ...settings } }
  const died = new AbortController()
  const onExit = (code: number | null) => died.abort(new Error(`the process ended with ${code}`))
  child.once('exit', onExit)
  const answer = once(child, 'message', { signal: died.signal })
  child.send(start)
  const [end] = (await answer) as [CommandEnd]
  child.off('exit', onExit)
  child.unref()
  child.channel!.unref()
  idle.push(child)
  return end
}

export const facet = (database: string, ...words: string[]) => runFacet(database, words)

async function keptProcess(): Promise<ChildProcess> {
  const child = fork(KEPT, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
  await once(child, 'message')
  return child
}
