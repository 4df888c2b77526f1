import { onTestFinished } from 'vitest'

/** How many intervals are begun from now on until the test ends, and are not cleared. */
export function keptIntervals(): { readonly begun: number; readonly open: number } {
  const { setInterval: begin, clearInterval: end } = globalThis
  const open = new Set<unknown>()
  let begun = 0
  globalThis.setInterval = Object.assign((...of: Parameters<typeof begin>) => {
    const timer = begin(...of)
    begun++
    open.add(timer)
    return timer
  }, begin)
  globalThis.clearInterval = (timer) => {
    open.delete(timer)
    end(timer)
  }
  onTestFinished(() => void Object.assign(globalThis, { setInterval: begin, clearInterval: end }))
  return {
    get begun() {
      return begun
    },
    get open() {
      return open.size
    },
  }
}
