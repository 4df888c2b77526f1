import { useEffect, useRef } from 'react'

/** Something to do that has a name: the palette lists it, its keys do it, the map of keys shows it. */
export interface Action {
  /** Unique: `tags.open`. */
  id: string
  title: string
  /**
   * `mod+k` (Ctrl, on a Mac ⌘), `shift+enter`, `?`, or one after the other `g h`. A key without `mod` or `alt` acts only
   * where nothing is typed, and not in a table.
   */
  keys?: string
  /** The heading under which the map of keys and the palette show it. */
  group?: string
  /** Kept out of the palette: a key alone. */
  hidden?: boolean
  /** Others with the same keys come before it. */
  fallback?: boolean
  /** Its keys are heard by the component itself: the map of keys shows it, nothing else runs it. */
  heard?: boolean
  /** False where there was nothing to do: the key is left to the browser. */
  run: () => unknown
}

const registered = new Map<symbol, readonly Action[]>()
const listeners = new Set<() => void>()
let current: readonly Action[] = []

function changed(): void {
  // What came last comes before what it covers.
  const all = [...registered.values()].toReversed().flat()
  current = all.toSorted((a, b) => Number(!!a.fallback) - Number(!!b.fallback))
  for (const listener of listeners) listener()
}

/** All that can be done now; of two with the same keys the first one counts. */
export const currentActions = (): readonly Action[] => current

export function onActions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Does what a key does now, by another way. */
export const runKey = (keys: string): unknown =>
  currentActions()
    .find((action) => action.keys === keys)
    ?.run()

/** Offers actions while the component is there. */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const shape = actions.map(({ id, title, keys }) => `${id} ${title} ${keys}`).join('\n')
  useEffect(() => {
    const owner = Symbol('actions')
    // Listed by their shape, run as they are at that moment.
    const listed = latest.current.map((action) => ({
      ...action,
      run: () => latest.current.find(({ id }) => id === action.id)?.run(),
    }))
    registered.set(owner, listed)
    changed()
    return () => {
      registered.delete(owner)
      changed()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the shape stands for the list, which is new each time
  }, [shape])
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

const NAMES: Readonly<Record<string, string>> = {
  alt: 'Alt',
  shift: 'Shift',
  enter: 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  delete: 'Del',
  tab: 'Tab',
  ' ': 'Space',
}

/** A space between two keys; the space bar stands alone, or after a `+`. */
const BETWEEN_CHORDS = /(?<=[^+ ]) (?=[^ ])/

/** What is on the keys. */
export function keyNames(keys: string): string[] {
  const mod = isMac() ? '⌘' : 'Ctrl'
  return keys
    .split(BETWEEN_CHORDS)
    .flatMap((chord) => chord.split('+'))
    .map((key) => (key === 'mod' ? mod : (NAMES[key] ?? key.toUpperCase())))
}
