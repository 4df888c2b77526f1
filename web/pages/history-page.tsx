import { HistoryView } from '#web/history/history-view.tsx'

/** All changes of the base. */
export function HistoryPage() {
  return <HistoryView />
}
