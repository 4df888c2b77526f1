import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Ffi = typeof import('node:ffi')

/**
 * What is freed stays with the process where the C library is glibc: it gives back what is free at the end of an arena,
 * and after much work in many threads most of it lies between things that live. `malloc_trim` gives back every page
 * that is free; it takes a millisecond for some ten megabytes, and hardly any time where there are none.
 * @returns undefined where there is no such function: other systems and C libraries, a Node that cannot call it.
 */
export function findGiveBack(): (() => void) | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const ffi = unwarned(() => process.getBuiltinModule('node:ffi') as Ffi | undefined)
    const library = ffi?.dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
    return library && (() => void library.functions.malloc_trim(0n))
  } catch {
    return undefined
  }
}

/** Node warns of what is experimental in it as it is loaded; who runs the service can do nothing about that. */
function unwarned<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

let collect: NodeJS.GCFunction | undefined

/**
 * Collects the garbage of this thread's heap, whole: some 50 ms for 50 MB. V8 does it where memory is asked for, and a
 * thread that nobody asks for anything asks for none.
 * @param flavor As the last resort pages with little in them are emptied and given back, which a regular collection
 *   leaves to the next one; it takes two to three times as long.
 */
export function collectGarbage(flavor: 'regular' | 'last-resort' = 'regular'): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as NodeJS.GCFunction
  }
  collect({ type: 'major', execution: 'sync', flavor })
}

/**
 * Frees the memory of bytes that nobody reads any more, at once: they are empty then. It lies outside of the heap, and V8
 * looks through all of the heap for more of it to free whenever some megabytes have come: every second list of 10,000
 * items waited 20 ms for that.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (isOwn(buffer, byteLength)) (buffer as ArrayBuffer).transfer(0)
}

/** Whether bytes have their memory to themselves; what Node has cut out of a larger piece has not. */
export const isOwn = (buffer: ArrayBufferLike, byteLength: number): boolean =>
  buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= BRACKETS
/** Of a list, which are left out of some answers. */
const BRACKETS = 2

/** Percent of what lives in a heap that may be added to it before its garbage is collected. */
const GROWTH = 100

/**
 * Bounds how far the heaps of all threads grow between two collections. V8 lets those of a busy process grow to four
 * times what lives in them: in the main thread to 218 MB where 58 live.
 */
export function boundHeaps(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
}
