import { isMac } from '#web/parts/action.ts'

const TEXT = 'input, textarea'

/** What Safari gives to the key that ends a composition, which is over by then. */
const OF_IME = 229

/**
 * While an input method composes a word, keys are its own: Enter takes the word and Escape drops it. No editor, form,
 * list or dialog hears them. Editors of rich text look after theirs.
 */
export function keepComposing(): () => void {
  const hear = (event: KeyboardEvent) => {
    const target = event.composedPath()[0]
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else says it in Safari
    const isComposing = event.isComposing || event.keyCode === OF_IME
    if (isComposing && target instanceof Element && target.matches(TEXT)) event.stopPropagation()
  }
  addEventListener('keydown', hear, { capture: true })
  return () => removeEventListener('keydown', hear, { capture: true })
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>

/** What a key types, also with Option on a Mac and with AltGr elsewhere; undefined: no text. */
export function typedBy(event: Pressed): string | undefined {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key.length !== 1 || metaKey) return undefined
  // On Windows AltGr is Ctrl and Alt as well.
  if (event.getModifierState('AltGraph')) return key
  return ctrlKey || (altKey && !isMac()) ? undefined : key
}
