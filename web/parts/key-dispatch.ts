import { actionsByKeys } from '#web/parts/action.ts'

/** Milliseconds in which the second key of `g h` comes. */
const PATIENCE = 1200
/** The grid itself has the focus before anybody has gone into it: letters act until then. */
const TYPED_INTO =
  'input:not([type=checkbox], [type=radio]), textarea, button[role=combobox], [contenteditable]:not([contenteditable=false]), [role=grid] *, [role=menu]'

/** There the browser takes back what was typed. */
const TEXT =
  'input:not([type=checkbox], [type=radio]), textarea, [contenteditable]:not([contenteditable=false])'
const OF_TEXT = new Set(['mod+z', 'mod+shift+z', 'mod+y'])

/** Runs actions by their keys, those of a dialog alone as long as one is there; `singleKeys` says whether letters alone may act. */
export function dispatchKeys(singleKeys: () => boolean): () => void {
  let before: { key: string; at: number } | undefined
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.key === 'Dead') return
    const key = chordOf(event)
    const bare = !event.ctrlKey && !event.metaKey && !event.altKey && !/^F\d/.test(event.key)
    const target = event.composedPath()[0]
    if (bare && (!singleKeys() || isTypedInto(target))) return
    if (OF_TEXT.has(key) && target instanceof Element && target.closest(TEXT)) return
    const sequence = before && event.timeStamp - before.at < PATIENCE ? `${before.key} ${key}` : undefined
    before = undefined
    const actions = actionsByKeys()
    const byKeys = (wanted: string | undefined) =>
      wanted === undefined ? undefined : actions.find(({ keys, heard }) => keys === wanted && !heard)
    const found = byKeys(sequence) ?? byKeys(key)
    if (found) {
      if (found.run() !== false) event.preventDefault()
    } else if (bare && actions.some(({ keys }) => keys?.startsWith(`${key} `)))
      before = { key, at: event.timeStamp }
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** Also within a shadow root, whose events seem to come from its host. */
const isTypedInto = (target: EventTarget | undefined) =>
  target instanceof Element && target.closest(TYPED_INTO) !== null

/** `mod+shift+z`; a sign that needs Shift stands for itself: `?`. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const name = key.toLowerCase()
  const spelled = name.length > 1 || /[a-z]/.test(name) || ctrlKey || metaKey
  return [ctrlKey || metaKey ? 'mod' : '', altKey ? 'alt' : '', shiftKey && spelled ? 'shift' : '', name]
    .filter(Boolean)
    .join('+')
}
