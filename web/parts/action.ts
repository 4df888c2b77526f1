import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import { Slot, useSlot } from '#web/store.ts'

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

/** An action with the dialog that offers it; null: the page. */
interface Offered extends Action {
  dialog: object | null
}

/** The dialogs that lie over the page and have the keys, the one above all others last. */
const dialogs = new Slot<readonly object[]>('dialogs', 'page', () => [])

/** The dialog around a component; null: it is of the page. */
export const DialogHere = createContext<object | null>(null)

/** For a dialog that the page beneath waits for: while it is there, of the keys act those alone that it offers itself. */
export function useDialogKeys(): object {
  const [dialog] = useState(() => ({}))
  useEffect(() => {
    dialogs.update((all) => [...all, dialog])
    return () => dialogs.update((all) => all.filter((each) => each !== dialog))
  }, [dialog])
  return dialog
}

/** What each component offers, the last one first: it comes before what it covers. */
const offered = new Slot<readonly (readonly Offered[])[]>('actions', 'page', () => [])
const current = new Slot<readonly Offered[]>('current_actions', 'page', () => [])

function offer(change: (all: readonly (readonly Offered[])[]) => readonly (readonly Offered[])[]): void {
  offered.update(change)
  const all = offered.get().flat()
  current.set(all.toSorted((a, b) => Number(!!a.fallback) - Number(!!b.fallback)))
}

/** All that can be done now; of two with the same keys the first one counts. */
export const currentActions = (): readonly Action[] => current.get()

/** Those whose keys act now: the page beneath a dialog waits. */
export function actionsByKeys(): readonly Action[] {
  const dialog = dialogs.get().at(-1) ?? null
  return current.get().filter((each) => each.dialog === dialog)
}

export const useCurrentActions = (): readonly Action[] => useSlot(current, (all) => all)

/** Does what a key does now, by another way. */
export const runKey = (keys: string): unknown =>
  currentActions()
    .find((action) => action.keys === keys)
    ?.run()

/** Offers actions while the component is there. */
export function useActions(actions: readonly Action[]): void {
  const dialog = useContext(DialogHere)
  const runNow = useEffectEvent((id: string) => actions.find((action) => action.id === id)?.run())
  const shape = actions.map(({ id, title, keys }) => `${id} ${title} ${keys}`).join('\n')
  useEffect(() => {
    // Listed by their shape, run as they are at that moment.
    const listed = actions.map((action) => ({ ...action, dialog, run: () => runNow(action.id) }))
    offer((all) => [listed, ...all])
    return () => offer((all) => all.filter((each) => each !== listed))
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
