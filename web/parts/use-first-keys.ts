import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * While something is open that belongs to an element with the focus, its keys are heard before anybody else's: Escape
 * would close the dialog around it as well. `hear` says whether the key was meant for it.
 */
export function useFirstKeys(
  isOpen: boolean,
  element: RefObject<HTMLElement | null>,
  hear: (event: KeyboardEvent) => boolean,
): void {
  const isHeard = useEffectEvent(hear)
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || document.activeElement !== element.current || !isHeard(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [isOpen, element])
}
