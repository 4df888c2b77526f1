import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface EsbuildLimits {
  /** Milliseconds. */
  time: number
  /** Bytes of what comes out, and of what is said of faults. */
  output: number
}

export type EsbuildEnd =
  | { kind: 'compiled'; js: string }
  /** What it printed of the faults in the code. */
  | { kind: 'faults'; report: string }
  | { kind: 'died' | 'too-long' | 'too-much' }

/**
 * Translates one module in a process of its own that has nothing to read: no environment, no arguments of ours but
 * flags, an empty folder to be in. Reading from standard input without bundling, esbuild has no file system either.
 */
export function runEsbuild(
  flags: readonly string[],
  code: string,
  { time, output }: EsbuildLimits,
): Promise<EsbuildEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<EsbuildEnd>()
  const folder = mkdtempSync(join(tmpdir(), 'facet-component-'))
  chmodSync(folder, 0o100) // to be in, not to read or write
  const child = spawn(esbuildBinary(), flags, { cwd: folder, env: {}, stdio: 'pipe', windowsHide: true })
  let ended: EsbuildEnd | undefined
  const end = (kind: 'too-long' | 'too-much') => {
    ended ??= { kind }
    child.kill('SIGKILL')
  }
  const timer = setTimeout(end, time, 'too-long')
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let size = 0
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (piece: Buffer) => {
      if ((size += piece.length) > output) end('too-much')
      else said[name].push(piece)
    })
  child.stdin.on('error', () => {}) // it died before it had read the code; its end says so
  child.on('error', reject)
  child.on('close', (status) => {
    clearTimeout(timer)
    rmdirSync(folder)
    resolve(ended ?? endOf(status, textOf(said.stdout), textOf(said.stderr)))
  })
  child.stdin.end(code)
  return promise
}

function endOf(status: number | null, js: string, report: string): EsbuildEnd {
  if (status === 0) return { kind: 'compiled', js }
  return report.startsWith('✘') ? { kind: 'faults', report } : { kind: 'died' }
}

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString()

/** Called by itself, not through its package, whose process lives on with all that ours can see. */
function esbuildBinary(): string {
  const { platform, arch } = process
  const beside = createRequire(createRequire(import.meta.url).resolve('esbuild'))
  const file = platform === 'win32' ? 'esbuild.exe' : 'bin/esbuild'
  return beside.resolve(`@esbuild/${platform}-${arch}/${file}`)
}
