import { useSyncExternalStore } from 'react'

const PHONE = '(max-width: 640px)'

/** So narrow that a table becomes cards. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(PHONE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(PHONE).matches,
  )
}
