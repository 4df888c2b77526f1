import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { estimatedPatternSize } from '#src/domain/pattern-size.ts'

export const MAX_PATTERN_LENGTH = 1000
/** Instructions: what a text costs grows with them (docs/spec/decisions, §6). */
export const MAX_PATTERN_SIZE = 10_000
/** The estimate may exceed the truth where alternatives begin alike: what is above this is refused without a look. */
const MAX_ESTIMATE = 2 * MAX_PATTERN_SIZE
const MAX_COMPILED = 200
/** Bytes that the compiled patterns of one thread may take. */
const MAX_COMPILED_BYTES = 32 * 2 ** 20
/** Bytes that one instruction takes, measured with large classes. */
const BYTES_PER_INSTRUCTION = 1400

const require = createRequire(import.meta.url)
const compiled = new Map<string, RE2JS>()

/** Whether an RE2 pattern matches anywhere in the text, in time linear in it. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern).test(text)
}

/** Why the pattern is not one of RE2's, or too large, or undefined. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH && Array.from(pattern).length > MAX_PATTERN_LENGTH)
    return `a regular expression has at most ${MAX_PATTERN_LENGTH} characters`
  if (estimatedPatternSize(pattern) > MAX_ESTIMATE) return TOO_LARGE
  try {
    return sizeOf(compile(pattern)) > MAX_PATTERN_SIZE ? TOO_LARGE : undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error)
  }
}

const TOO_LARGE = `compiled it has more than ${MAX_PATTERN_SIZE.toLocaleString('en')} instructions, because counted repetitions multiply: use smaller counts, or * and +`

const sizeOf = (pattern: RE2JS): number => pattern.programSize()

function compile(pattern: string): RE2JS {
  let found = compiled.get(pattern)
  if (found) compiled.delete(pattern)
  else {
    // Loaded on first use: most processes and threads never meet a pattern.
    const { RE2JS } = require('re2js') as typeof import('re2js')
    found = RE2JS.compile(pattern)
    makeRoom(found)
  }
  compiled.set(pattern, found) // the last used comes last
  return found
}

/** What was not used for longest goes first. */
function makeRoom(coming: RE2JS): void {
  let bytes = bytesOf(coming)
  for (const each of compiled.values()) bytes += bytesOf(each)
  for (const [pattern, each] of compiled) {
    if (compiled.size < MAX_COMPILED && bytes <= MAX_COMPILED_BYTES) return
    compiled.delete(pattern)
    bytes -= bytesOf(each)
  }
}

/** The states that matching keeps come on top, up to some megabytes each. */
interface WithStates {
  lazyDFA: { maxMem: number; stateBudget: number; memBudget: number } | null
}

function bytesOf(pattern: RE2JS): number {
  const { lazyDFA } = pattern.re2Input as unknown as WithStates
  const states = lazyDFA ? lazyDFA.maxMem - Math.min(lazyDFA.stateBudget, lazyDFA.memBudget) : 0
  return sizeOf(pattern) * BYTES_PER_INSTRUCTION + states
}
