import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './instrument.ts'
import { ROOT } from './sources.ts'

/** Mutants that no test can notice, or is to notice, each with the reason. */
export const ARGUED = 'test/mutants.md'

/** What the page argues: "### file", and below "- `before` → `after`, in `line`: why". */
const ENTRY = /^- `(?<before>.+?)` → `(?<after>.+?)`, in `(?<line>.+?)`: \S/

/** @throws where the page argues of mutants that are no more, all of which it names */
export function arguedOf(mutants: readonly Mutant[]): ReadonlySet<number> {
  const argued = new Set<number>()
  const gone: string[] = []
  let file = ''
  for (const line of readFileSync(join(ROOT, ARGUED), 'utf8').split('\n')) {
    if (line.startsWith('### ')) file = line.slice(4).replaceAll('`', '')
    if (!line.startsWith('- `')) continue
    const entry = ENTRY.exec(line)?.groups
    const found = entry && mutants.filter((each) => each.file === file && isThat(each, entry))
    if (!found?.length) gone.push(`${file} ${line}`)
    else for (const { id } of found) argued.add(id)
  }
  if (gone.length) throw new Error(`${ARGUED} argues of what is no mutant: ${gone.join('\n')}`)
  return argued
}

const isThat = (mutant: Mutant, entry: Record<string, string>): boolean =>
  brief(mutant.before) === entry['before'] &&
  brief(mutant.after) === entry['after'] &&
  brief(mutant.text) === entry['line']

export const brief = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('`', '')
