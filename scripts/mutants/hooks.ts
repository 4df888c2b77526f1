import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { mutatedSources, ROOT } from './sources.ts'

// Loaded before a process of mutants: its sources have all mutants in them, and its tests are put down, not carried out.

const HARNESS = new URL('tests-here.ts', import.meta.url).href
const REPLACED: Record<string, string> = {
  vitest: HARNESS,
  '#test/support/kept-threads.ts': new URL('threads-here.ts', import.meta.url).href,
}

const sources = mutatedSources()
const hits = new Uint8Array(sources.mutants.length)
const mutants = {
  /** The one that the program is now; -1: as it was. */
  active: Number(process.env['MUTANT'] ?? -1),
  hits,
  is(id: number): boolean {
    hits[id] = 1
    return mutants.active === id
  },
}
Object.assign(globalThis, { mutants })
export type Mutants = typeof mutants

registerHooks({
  resolve(specifier, context, next) {
    const url = context.parentURL === HARNESS ? undefined : REPLACED[specifier]
    return url ? { url, shortCircuit: true } : next(specifier, context)
  },
  load(url, context, next) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : ''
    const source = path.endsWith('.test.ts')
      ? transformSync(readFileSync(path, 'utf8'), { loader: 'ts', sourcefile: path }).code
      : sources.code.get(path.slice(ROOT.length))
    return source ? { format: 'module', source, shortCircuit: true } : next(url, context)
  },
})
