import { useEffect, useEffectEvent, useRef } from 'react'
import { toFault } from '#web/api/fault.ts'
import { useViewWrites } from '#web/data/view-writes.ts'
import type { View } from '#web/data/views-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { toast } from '#web/parts/toast.tsx'
import { beforeSignOut } from '#web/parts/unsaved.ts'
import { useReorder } from '#web/parts/use-reorder.ts'
import { SideLine, SideSection } from '#web/shell/side-lines.tsx'
import css from '#web/shell/side-bar.module.css'

/** Milliseconds after the last move before the order is written. */
const PAUSE = 500

/** One's own views in one's own order, moved by their grip or by Alt ↑ and Alt ↓; under them those that others share. */
export function SideViews({ views, user_id }: { views: readonly View[]; user_id: string }) {
  const { reorder, keepOrder } = useViewWrites()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const newest = useRef<readonly View[]>(undefined)
  const keep = async () => {
    clearTimeout(timer.current)
    const order = newest.current
    newest.current = undefined
    if (order)
      await keepOrder(order).catch((error: unknown) =>
        toast({ text: `The order of the views was not saved: ${toFault(error).message}`, kind: 'danger' }),
      )
    return true
  }
  const keepNow = useEffectEvent(keep)
  useEffect(() => {
    const letGo = beforeSignOut(() => keepNow())
    return () => {
      letGo()
      clearTimeout(timer.current)
    }
  }, [])
  const own = views.filter((view) => view.user_id === user_id).map((view) => ({ ...view, key: view.view_id }))
  const { dragged, onPointerDown, onKeyDown } = useReorder(own, (list) => {
    const order = list.map(({ key }) => views.find(({ view_id }) => view_id === key)!)
    reorder(order)
    newest.current = order
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void keep(), PAUSE)
  })
  return (
    <SideSection title="Views">
      {own.map(({ view_id, name }) => (
        <SideLine
          key={view_id}
          href={`/views/${view_id}`}
          data-reorder={view_id}
          data-dragged={dragged === view_id || undefined}
          onKeyDown={onKeyDown(view_id)}
          end={
            own.length > 1 && (
              <span
                className={css.grip}
                title="Drag, or Alt ↑ and Alt ↓"
                onPointerDown={onPointerDown(view_id)}
              >
                <Icon name="grip" />
              </span>
            )
          }
        >
          <Icon name="view" />
          <span>{name}</span>
        </SideLine>
      ))}
      {views
        .filter((view) => view.user_id !== user_id)
        .map(({ view_id, name }) => (
          <SideLine key={view_id} href={`/views/${view_id}`}>
            <Icon name="users" />
            <span>{name}</span>
          </SideLine>
        ))}
    </SideSection>
  )
}
