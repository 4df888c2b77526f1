import { useItemName } from '#web/data/item-names.ts'
import { useLatelySeen } from '#web/data/lately-seen.ts'
import { SideLine, SideSection } from '#web/shell/side-lines.tsx'

/** As many as leave room for the rest. */
const MOST = 5

/** Items that one has looked at, the last one first. */
export function SideLately({ user_id, pinned }: { user_id: string; pinned: readonly string[] }) {
  const ids = useLatelySeen(user_id).filter((each) => !pinned.includes(each))
  if (!ids.length) return null
  return (
    <SideSection title="Lately seen">
      {ids.slice(0, MOST).map((item_id) => (
        <Seen key={item_id} item_id={item_id} />
      ))}
    </SideSection>
  )
}

/** What is gone, or out of sight, has no line. */
function Seen({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  if (!name) return null
  return (
    <SideLine href={`/items/${item_id}`}>
      <span>{name}</span>
    </SideLine>
  )
}
