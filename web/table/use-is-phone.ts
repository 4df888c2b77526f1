import { useMedia } from '#web/parts/use-media.ts'

/** So narrow that a table becomes cards. */
export const useIsPhone = (): boolean => useMedia('(max-width: 640px)')
