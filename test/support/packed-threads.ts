import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { packedModule, THREAD } from '../../scripts/pack.js'

/**
 * Threads that a service of the tests starts come out of the pack, as under `npm start`: to load the sources of a
 * thread takes longer than most imports. The folder is looked up as each starts, for Vitest keeps what it has
 * transformed from run to run.
 */
export const packedThreads = (): Plugin => ({
  name: 'packed-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!/[/\\]src[/\\].*\.ts$/.test(id) || !code.includes('new Worker(')) return undefined
    return { code: code.replaceAll(THREAD, "`${process.env['TEST_PACK']}/$1.js`"), map: null }
  },
})

/** Before the tests of a project: the pack of the sources as they are. */
export async function packForThreads(): Promise<void> {
  process.env['TEST_PACK'] = dirname(fileURLToPath(await packedModule('worker')))
}
