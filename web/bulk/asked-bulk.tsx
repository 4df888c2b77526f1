import { useContext, useSyncExternalStore } from 'react'
import { BulkDialog } from '#web/bulk/bulk-dialog.tsx'
import { UnsettledHere, useIsSettled } from '#web/parts/unsettled.ts'
import type { BulkBarProps, BulkKind } from '#web/bulk/bulk-props.ts'

interface AskedBulkProps extends Omit<BulkBarProps, 'seen' | 'count' | 'all' | 'onDone'> {
  kind: BulkKind
  onClose: () => void
}

const UNSEEN: ReadonlyMap<string, string> = new Map()

/** The dialog over all that a table shows, without anything selected in it. */
export function AskedBulk({ source, ...rest }: AskedBulkProps) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const isSettled = useIsSettled(useContext(UnsettledHere))
  const count = source.counted
  if (count === undefined || !isSettled) return null
  return <BulkDialog {...rest} source={source} seen={UNSEEN} count={count} all onDone={() => undefined} />
}
