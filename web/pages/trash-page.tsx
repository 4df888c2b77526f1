import { TrashView } from '#web/trash/trash-view.tsx'

/** Deleted items and tags. */
export function TrashPage() {
  return <TrashView />
}
