import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { estimatedPatternSize } from '#src/domain/pattern-size.ts'

export const MAX_PATTERN_LENGTH = 1000
/** Instructions: what a text costs grows with them (docs/spec/decisions, §6). */
export const MAX_PATTERN_SIZE = 10_000
/** The estimate may exceed the truth where alternatives begin alike: what is above this is refused without a look. */
const MAX_ESTIMATE = 2 * MAX_PATTERN_SIZE
const MAX_COMPILED = 200
/** Bytes that the compiled patterns of one thread may take: all that one filter may have fit, or each row would compile them. */
const MAX_COMPILED_BYTES = 40 * 2 ** 20
/** Bytes that one instruction takes without its class of characters, measured: instructions share classes. */
const BYTES_PER_INSTRUCTION = 300

const require = createRequire(import.meta.url)

interface Compiled {
  readonly pattern: RE2JS
  /** What it takes of memory, but for the states that matching keeps. */
  readonly bytes: number
}

const compiled = new Map<string, Compiled>()

/** Called again and again while a text is gone through; throws where the work is to end. */
export type ThrowIfEnded = () => void

/**
 * Characters between two calls of it. A character costs up to a tenth of a millisecond, where the pattern counts to
 * thousands: a text of a megabyte two minutes.
 */
const LOOK_EVERY = 64

/**
 * Whether an RE2 pattern matches anywhere in the text, in time linear in it.
 * @throws what `throwIfEnded` throws, in the middle of a text too
 */
export function matchesPattern(pattern: string, text: string, throwIfEnded?: ThrowIfEnded): boolean {
  const regex = compile(pattern)
  if (!throwIfEnded || text.length <= LOOK_EVERY) return regex.test(text)
  const re2 = regex.re2()
  const input = new (inputClass(re2))(text, throwIfEnded)
  return re2.executeEngine(input, 0, UNANCHORED, 0) !== null
}

/** As `test` asks re2js for it: the match may begin anywhere. */
const UNANCHORED = 0

/** What re2js reads a text through. */
interface MachineInput {
  /** The character at that place, and its width. */
  step(pos: number): number
}
type InputClass = new (text: string, throwIfEnded: ThrowIfEnded) => MachineInput
let ownInput: InputClass | undefined

/** Of re2js's own, which it does not export, with a call now and then. */
function inputClass(re2: ReturnType<RE2JS['re2']>): InputClass {
  if (ownInput) return ownInput
  const Base = classOfInput(re2)
  ownInput = class extends Base {
    private steps = 0
    private readonly throwIfEnded: ThrowIfEnded

    constructor(text: string, throwIfEnded: ThrowIfEnded) {
      super(text)
      this.throwIfEnded = throwIfEnded
    }

    override step(pos: number): number {
      if (++this.steps % LOOK_EVERY === 0) this.throwIfEnded()
      return super.step(pos)
    }
  }
  return ownInput
}

/** `match` makes an input of a text and hands it to the engine. */
function classOfInput(re2: ReturnType<RE2JS['re2']>): new (text: string) => MachineInput {
  let made: object | undefined
  const engine = { executeEngine: (input: object) => ((made = input), null) }
  re2.match.call(engine as unknown as typeof re2, '')
  return made!.constructor as new (text: string) => MachineInput
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
    const made = RE2JS.compile(pattern)
    found = { pattern: made, bytes: bytesOf(made) }
    makeRoom(found)
  }
  compiled.set(pattern, found) // the last used comes last
  return found.pattern
}

/** What was not used for longest goes first. */
function makeRoom(coming: Compiled): void {
  let bytes = coming.bytes
  for (const each of compiled.values()) bytes += each.bytes + bytesOfStates(each)
  for (const [pattern, each] of compiled) {
    if (compiled.size < MAX_COMPILED && bytes <= MAX_COMPILED_BYTES) return
    compiled.delete(pattern)
    bytes -= each.bytes + bytesOfStates(each)
  }
}

/** What re2js does not say of itself. */
interface Insides {
  prog: { inst: readonly { runes: ArrayLike<number> }[] }
  lazyDFA: { maxMem: number; stateBudget: number; memBudget: number } | null
}

const insidesOf = (pattern: RE2JS): Insides => pattern.re2Input

function bytesOf(pattern: RE2JS): number {
  const classes = new Set(insidesOf(pattern).prog.inst.map(({ runes }) => runes))
  let bytes = sizeOf(pattern) * BYTES_PER_INSTRUCTION
  for (const { length } of classes) bytes += length * Int32Array.BYTES_PER_ELEMENT
  return bytes
}

/** Up to some megabytes each. */
function bytesOfStates({ pattern }: Compiled): number {
  const { lazyDFA } = insidesOf(pattern)
  return lazyDFA ? lazyDFA.maxMem - Math.min(lazyDFA.stateBudget, lazyDFA.memBudget) : 0
}
