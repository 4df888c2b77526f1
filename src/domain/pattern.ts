import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

export const MAX_PATTERN_LENGTH = 1000
const MAX_COMPILED = 200

const require = createRequire(import.meta.url)
const compiled = new Map<string, RE2JS>()

/** Whether an RE2 pattern matches anywhere in the text, in time linear in it. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern).test(text)
}

/** Why the pattern is not one of RE2's, or undefined. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH && Array.from(pattern).length > MAX_PATTERN_LENGTH)
    return `a regular expression has at most ${MAX_PATTERN_LENGTH} characters`
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error)
  }
}

function compile(pattern: string): RE2JS {
  let found = compiled.get(pattern)
  if (found) compiled.delete(pattern)
  else {
    // Loaded on first use: most processes and threads never meet a pattern.
    const { RE2JS } = require('re2js') as typeof import('re2js')
    found = RE2JS.compile(pattern)
  }
  compiled.set(pattern, found) // the last used stands last
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  return found
}
