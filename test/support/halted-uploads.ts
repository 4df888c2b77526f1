import { promises, type PathLike } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Loaded into the service before it starts: an upload whose bytes begin with `halt:<step>` stops there for ever, so that
// one kill meets uploads at every step of the way into a folder. What has no such word goes on.

const HALT = /^halt:([\w-]+)/
const forever = new Promise<never>(() => {})
/** What the bytes of a half file say, by its path, and by the folder that it moves to. */
const steps = new Map<string, string>()

const halt = async (path: string, step: string) => {
  if (steps.get(path) !== step) return
  process.stdout.write(`halted at ${step}\n`)
  await forever
}

function watchHandle(handle: FileHandle, path: string): void {
  const { datasync, sync } = handle
  const write = handle.write.bind(handle) as (bytes: Uint8Array, at: number) => Promise<object>
  Object.assign(handle, {
    async write(bytes: Uint8Array, at: number) {
      const [, step] = HALT.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1')) ?? []
      if (step) steps.set(path, step)
      if (steps.get(path) === 'half-written') await write(bytes.subarray(0, bytes.length / 2), at)
      await halt(path, 'half-written')
      return write(bytes, at)
    },
    async datasync() {
      await halt(path, 'before-sync')
      await datasync.call(handle)
      await halt(path, 'after-sync')
    },
    async sync() {
      await halt(path, 'renamed')
      await sync.call(handle)
      await halt(path, 'before-row')
    },
  })
}

if (isMainThread) {
  const { open, rename } = promises
  Object.assign(promises, {
    async open(path: PathLike, ...rest: []) {
      const handle = await open(path, ...rest)
      watchHandle(handle, String(path))
      return handle
    },
    async rename(from: string, to: string) {
      await rename(from, to)
      const step = steps.get(from)
      if (step) steps.set(dirname(to), step)
    },
  })
  syncBuiltinESMExports()
  const { end } = ServerResponse.prototype
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: never) {
    if (!this.req.url?.includes('name=halt-answer')) return end.apply(this, args)
    process.stdout.write('halted at answer\n')
    return this
  } as typeof end
}
