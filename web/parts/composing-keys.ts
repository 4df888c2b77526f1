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
