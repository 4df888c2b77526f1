import type { Plugin } from 'vitest/config'
import { packedModule, THREAD } from '../../scripts/pack.js'

/**
 * Threads that a service of the tests starts come out of the pack, as under `npm start`: to load the sources of a
 * thread takes longer than most imports.
 */
export const packedThreads = (): Plugin => ({
  name: 'packed-threads',
  enforce: 'pre',
  configureVitest({ defineCacheKeyGenerator }) {
    // Vitest keeps what it has transformed from run to run, and would go on with the pack of an earlier one.
    defineCacheKeyGenerator(({ id, sourceCode }) => (startsThreads(id, sourceCode) ? false : undefined))
  },
  async transform(code, id) {
    if (!startsThreads(id, code)) return undefined
    const pack = JSON.stringify(await packedModule('worker'))
    return { code: code.replaceAll(THREAD, `new URL('./$1.js', ${pack})`), map: null }
  },
})

const startsThreads = (id: string, code: string): boolean =>
  /[/\\]src[/\\].*\.ts$/.test(id) && code.includes('new Worker(')
