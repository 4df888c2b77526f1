import { toFault } from '#web/api/fault.ts'
import { useViewWrites } from '#web/data/view-writes.ts'
import type { View } from '#web/data/views-query.ts'
import { toast } from '#web/parts/toast.tsx'

export const isWatched = ({ watch }: Pick<View, 'watch'>): boolean =>
  watch.enter || watch.change || watch.leave

/** Chooses of what in a view there are notifications, and says so. */
export function useWatch() {
  const writes = useViewWrites()
  const watch = async (view: View, events: Partial<View['watch']>): Promise<boolean> => {
    try {
      await writes.watch(view, events)
      return true
    } catch (error) {
      toast({ text: toFault(error).message, kind: 'danger' })
      return false
    }
  }
  return {
    /** Once more may be chosen in the menu of the view. */
    begin: async (view: View) => {
      if (await watch(view, { enter: true }))
        toast({ text: `You are notified of what comes into ${view.name}; its menu has more` })
    },
    choose: watch,
    mute: async (view: View) => {
      if (await watch(view, {}))
        toast({
          text: `You get no more notifications of ${view.name}`,
          action: { label: 'Undo', run: () => void watch(view, view.watch) },
        })
    },
  }
}
