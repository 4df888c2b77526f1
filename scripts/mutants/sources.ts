import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instrument, type Mutant } from './instrument.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['src/filter', 'src/storage/search']

/** All mutants, and the code of each file that has them in it. */
export function mutatedSources(): { mutants: readonly Mutant[]; code: ReadonlyMap<string, string> } {
  const mutants: Mutant[] = []
  const code = new Map<string, string>()
  for (const file of FOLDERS.flatMap(sourcesIn)) {
    const made = instrument(file, readFileSync(join(ROOT, file), 'utf8'), mutants.length)
    mutants.push(...made.mutants)
    code.set(file, made.code)
  }
  return { mutants, code }
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${folder}/${name}`)
}
