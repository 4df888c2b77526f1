import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { MenuEntry } from '#web/parts/menu-props.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import button from '#web/parts/button.module.css'

/** Which columns are shown. */
export function ColumnsMenu({ columns }: { columns: ArrangedColumns }) {
  const shown = new Set(columns.shown.map(({ key }) => key))
  const hidden = columns.all.length - columns.shown.length
  return (
    <Menu
      placement="bottom-end"
      buttonClassName={`${button.button} ${button.plain}`}
      button={
        <>
          <Icon name="columns" /> Columns{hidden ? ` (${hidden} hidden)` : ''}
        </>
      }
      entries={[
        ...columns.all.slice(1).map(({ key, label }): MenuEntry => ({
          label,
          checked: shown.has(key),
          run: () => columns.hide(key, shown.has(key)),
        })),
        { label: 'As they were at first', icon: 'undo', parted: true, run: columns.reset },
      ]}
    />
  )
}
