import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { Grouping } from '#web/rules/groups.ts'
import button from '#web/parts/button.module.css'

interface GroupMenuProps {
  groupings: readonly Grouping[]
  group: string | null
  onGroup: (group: string | null) => void
}

/** By what the rows are grouped. */
export function GroupMenu({ groupings, group, onGroup }: GroupMenuProps) {
  const now = groupings.find(({ path }) => path === group)
  return (
    <Menu
      // What is on is said in words, what could be by its sign.
      {...(now
        ? { buttonClassName: `${button.button} ${button.plain}` }
        : { label: 'Group', buttonClassName: button.icon })}
      button={
        <>
          <Icon name="group" />
          {now && ` By ${now.label}`}
        </>
      }
      entries={[
        ...groupings.map(({ path, label }) => ({
          label,
          ...(path === group && { icon: 'check' as const }),
          run: () => onGroup(path),
        })),
        ...(group === null
          ? []
          : [{ label: 'No groups', icon: 'close' as const, parted: true, run: () => onGroup(null) }]),
      ]}
    />
  )
}
