import { useEffect } from 'react'

/** Asks before the page is left while something on it is not saved. */
export function useLeaveGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || event.ctrlKey || event.metaKey || link.getAttribute('href')?.startsWith('#')) return
      // oxlint-disable-next-line no-alert -- the browser's own question, as on closing the tab
      if (confirm('Leave without saving? What you have changed here is lost.')) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('beforeunload', hold)
    document.addEventListener('click', click, { capture: true })
    return () => {
      removeEventListener('beforeunload', hold)
      document.removeEventListener('click', click, { capture: true })
    }
  }, [isDirty])
}
