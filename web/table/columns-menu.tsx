import { Menu, MenuButton, MenuItem, MenuItemCheckbox, MenuProvider, MenuSeparator } from '@ariakit/react'
import { Icon } from '#web/parts/icon.tsx'
import { overPage } from '#web/parts/over-page.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import button from '#web/parts/button.module.css'
import menu from '#web/parts/menu.module.css'

/** Which columns are shown. */
export function ColumnsMenu({ columns }: { columns: ArrangedColumns }) {
  const shown = columns.shown.map(({ key }) => key)
  const hidden = columns.all.length - columns.shown.length
  return (
    <MenuProvider
      placement="bottom-end"
      values={{ shown }}
      setValues={({ shown: next }) => {
        const [changed] = columns.all.filter(({ key }) => next.includes(key) !== shown.includes(key))
        if (changed) columns.hide(changed.key, shown.includes(changed.key))
      }}
    >
      <MenuButton className={`${button.button} ${button.plain}`}>
        <Icon name="columns" /> Columns{hidden ? ` (${hidden} hidden)` : ''}
      </MenuButton>
      <Menu
        className={menu.menu}
        gutter={4}
        portal
        portalElement={overPage}
        preserveTabOrder={false}
        fixed
        unmountOnHide
      >
        {columns.all.slice(1).map(({ key, label }) => (
          <MenuItemCheckbox key={key} name="shown" value={key} className={menu.entry} hideOnClick={false}>
            <span className={menu.icon}>{shown.includes(key) && <Icon name="check" />}</span>
            <span className={menu.label}>{label}</span>
          </MenuItemCheckbox>
        ))}
        <MenuSeparator className={menu.line} />
        <MenuItem className={menu.entry} onClick={columns.reset}>
          <span className={menu.icon}>
            <Icon name="undo" />
          </span>
          <span className={menu.label}>As they were at first</span>
        </MenuItem>
      </Menu>
    </MenuProvider>
  )
}
