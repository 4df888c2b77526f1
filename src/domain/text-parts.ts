import { BoundedCache } from '#src/domain/bounded-cache.ts'

/** Automata of lists that were asked for last, by the lists' texts. */
const KEPT = { entries: 20, size: 500_000, unused: 60_000 }

const automata = new BoundedCache<TextParts>(KEPT)
let last: { readonly list: string; readonly parts: TextParts } | undefined

/** What looks for the parts in a list, which is given as JSON: mostly for the same list many times. */
export function partsOf(list: string): TextParts {
  if (list === last?.list) return last.parts
  const parts = automata.get(list) ?? new TextParts(JSON.parse(list) as string[])
  automata.set(list, parts, list.length)
  last = { list, parts }
  return parts
}

const UNITS = 2 ** 16
const ROOT = 0

/**
 * Looks for all of many parts at one pass through a text, whatever they are: the automaton of Aho and Corasick
 * ("Efficient string matching", 1975) over UTF-16 code units. A state is what of a text's end begins some part.
 */
export class TextParts {
  /** The state after one unit alone: most of a text begins no part. */
  private readonly afterRoot = new Int32Array(UNITS)
  /** The states that it has. */
  private readonly begun: number[] = []
  /** By state and unit, as one number, the state after it where a part goes on so. */
  private readonly next = new Map<number, number>()
  /** By state, that of the longest end of it that begins a part as well. */
  private readonly shorter: number[] = [ROOT]
  /** By state, whether a part has ended. */
  private readonly isEnd: boolean[] = [false]

  constructor(parts: readonly string[]) {
    for (const part of parts) this.isEnd[this.enter(part)] = true
    this.link()
  }

  isIn(text: string): boolean {
    const { afterRoot, isEnd } = this
    if (isEnd[ROOT]) return true
    let state = ROOT
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      state = state === ROOT ? afterRoot[unit]! : this.after(state, unit)
      if (isEnd[state]) return true
    }
    return false
  }

  /** The state at the end of a part. */
  private enter(part: string): number {
    let state = ROOT
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at)
      let after = this.child(state, unit)
      if (!after) {
        after = this.shorter.push(ROOT) - 1
        this.isEnd.push(false)
        if (state === ROOT) {
          this.afterRoot[unit] = after
          this.begun.push(after)
        } else this.next.set(state * UNITS + unit, after)
      }
      state = after
    }
    return state
  }

  /** 0 where no part goes on so. */
  private child(state: number, unit: number): number {
    return (state === ROOT ? this.afterRoot[unit] : this.next.get(state * UNITS + unit)) ?? ROOT
  }

  private after(state: number, unit: number): number {
    for (let from = state; from !== ROOT; from = this.shorter[from]!) {
      const after = this.child(from, unit)
      if (after) return after
    }
    return this.afterRoot[unit]!
  }

  /** Shorter states first: each is linked by those that are linked already. */
  private link(): void {
    const edges = [...this.next].map(([edge, to]) => ({
      from: Math.floor(edge / UNITS),
      unit: edge % UNITS,
      to,
    }))
    const children = Map.groupBy(edges, ({ from }) => from)
    const waiting = [...this.begun]
    for (const state of waiting)
      for (const { unit, to } of children.get(state) ?? []) {
        const shorter = this.after(this.shorter[state]!, unit)
        this.shorter[to] = shorter
        this.isEnd[to] ||= this.isEnd[shorter]!
        waiting.push(to)
      }
  }
}
