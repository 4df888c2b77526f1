import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query is true of the window now. */
export function useMedia(media: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const query = matchMedia(media)
        query.addEventListener('change', listener)
        return () => query.removeEventListener('change', listener)
      },
      [media],
    ),
    () => matchMedia(media).matches,
  )
}
