import { togglePin, usePins } from '#web/data/pins.ts'
import { useActions } from '#web/parts/action.ts'
import { IconButton } from '#web/parts/button.tsx'
import { useIsPhone } from '#web/table/use-is-phone.ts'

/** Keeps a view, a tag or an item at the top of the side bar and on the first page. */
export function PinButton({ id }: { id: string }) {
  const isPinned = usePins().includes(id)
  const title = isPinned ? 'Unpin' : 'Pin'
  const run = () => togglePin(id)
  const isPhone = useIsPhone()
  useActions([{ id: 'table.pin', title: `${title} this page`, group: 'Go', run }])
  // There it is in Find, as all that has no room.
  if (isPhone) return null
  return <IconButton icon="pin" label={title} aria-pressed={isPinned} onClick={run} />
}
