import { type ComponentType, useEffect, useEffectEvent } from 'react'
import { useDialogKeys } from '#web/parts/action.ts'
import { loadedOver } from '#web/parts/loaded.tsx'
import { keepTyped, takeLine, takeTyped, UNTIL_ANSWERED } from '#web/parts/typed-ahead.ts'

/** Milliseconds after which a dialog that is loaded does not come any more. */
const PATIENCE = 5000

interface Closed {
  onClose: () => void
}

/**
 * A dialog that is loaded when it is first opened. Until then it has the keys already: what is typed is for its text box,
 * none is a key of the page, and Escape closes it.
 */
export const loadedDialog = <Props extends Closed>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => loadedOver(load, WaitingDialog)

function WaitingDialog({ onClose }: Closed) {
  const close = useEffectEvent(onClose)
  useDialogKeys()
  useEffect(() => {
    let isClosed = false
    const over = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' && event.key !== 'Tab') return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Tab') return
      isClosed = true
      close()
    }
    // Before what keeps the others.
    addEventListener('keydown', onKey, { capture: true, signal: over.signal })
    keepTyped(UNTIL_ANSWERED)
    return () => {
      over.abort()
      if (isClosed) takeTyped()
      else handOver()
    }
  }, [])
  return null
}

/** To the box of the dialog in which the focus begins; where it begins elsewhere, it is for nobody. */
function handOver(): void {
  keepTyped()
  const over = new AbortController()
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.closest('[role=dialog]')) return
    over.abort()
    const { text } = takeLine()
    if (!text || !target.matches('textarea, input:not([type]), input[type=text]')) return
    const box = target as HTMLInputElement
    box.setRangeText(text, box.selectionStart ?? 0, box.selectionEnd ?? 0, 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  addEventListener('focusin', onFocus, {
    signal: AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE)]),
  })
}
