import { useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'

const NOTHING = () => () => undefined

/** Draws again with each change of the rows. */
export function useRead(source: RowSource | null): number {
  return useSyncExternalStore(source?.subscribe ?? NOTHING, source?.snapshot ?? (() => 0))
}
