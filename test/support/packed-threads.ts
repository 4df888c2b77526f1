import type { Plugin } from 'vitest/config'
import { packedModule, THREAD } from '../../scripts/pack.js'

/**
 * Threads that a service of the tests starts come out of the pack, as under `npm start`: to load the sources of a
 * thread takes longer than most imports.
 */
export const packedThreads = (): Plugin => ({
  name: 'packed-threads',
  enforce: 'pre',
  async transform(code, id) {
    if (!/[/\\]src[/\\].*\.ts$/.test(id) || !code.includes('new Worker(')) return undefined
    const pack = JSON.stringify(await packedModule('worker'))
    return { code: code.replaceAll(THREAD, `new URL('./$1.js', ${pack})`), map: null }
  },
})
