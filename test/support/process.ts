import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface ProcessOptions {
  /** Default: the start file itself, without npm around it. */
  command?: [file: string, ...args: string[]]
  env?: Record<string, string>
  cwd?: string
  /** In a process group of its own, as a terminal has it. */
  detached?: boolean
}

/** The service as a process of its own, with a database file of its own. */
export class ServiceProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'facet-process-'))
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** Settles when the process has ended and its output is whole. */
  readonly ended: Promise<number | null>

  constructor({
    command = [process.execPath, '--max-semi-space-size=4', 'scripts/start.js'],
    env = {},
    cwd = ROOT,
    detached = false,
  }: ProcessOptions = {}) {
    const [file, ...args] = command
    const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_)/.test(name))
    this.child = spawn(file, args, {
      cwd,
      detached,
      env: {
        ...Object.fromEntries(inherited),
        PORT: '0',
        DATABASE_URL: `file:${join(this.folder, 'facet.db')}`,
        ...env,
      },
    })
    this.child.stdout!.on('data', (data) => (this.stdout += data))
    this.child.stderr!.on('data', (data) => (this.stderr += data))
    this.ended = new Promise((resolve) => this.child.once('close', resolve))
  }

  /** The address that it prints when it answers. */
  async url(): Promise<string> {
    for (;;) {
      const [, url] = /ready at (\S+)/.exec(this.stdout) ?? []
      if (url) return url
      if (this.child.exitCode !== null) throw new Error(`ended before it answered:\n${this.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}
