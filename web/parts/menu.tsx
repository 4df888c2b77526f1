import { Menu as Base, MenuButton, MenuItem, MenuProvider, MenuSeparator } from '@ariakit/react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { overPage } from '#web/parts/over-page.ts'
import { Keys } from '#web/parts/keys.tsx'
import css from '#web/parts/menu.module.css'

export interface MenuEntry {
  label: string
  icon?: IconName
  /** As in an action: `mod+c`. */
  keys?: string
  danger?: boolean
  disabled?: boolean
  /** A line above it. */
  parted?: boolean
  run: () => void
}

export interface MenuProps {
  /** The button that opens it. */
  button: ReactNode
  /** Where the button shows no words. */
  label?: string
  buttonClassName?: string | undefined
  entries: readonly MenuEntry[]
}

export function Menu({ button, label, buttonClassName, entries }: MenuProps) {
  return (
    <MenuProvider placement="bottom-start">
      <MenuButton className={buttonClassName ?? css.button} aria-label={label} title={label}>
        {button}
      </MenuButton>
      <Base
        className={css.menu}
        gutter={4}
        portal
        portalElement={overPage}
        preserveTabOrder={false}
        fixed
        unmountOnHide
      >
        {entries.map(({ label, icon, keys, danger, disabled = false, parted, run }) => (
          <div key={label} role="presentation">
            {parted && <MenuSeparator className={css.line} />}
            <MenuItem
              className={`${css.entry} ${danger ? css.danger : ''}`}
              disabled={disabled}
              onClick={run}
            >
              <span className={css.icon}>{icon && <Icon name={icon} />}</span>
              <span className={css.label}>{label}</span>
              {keys && <Keys keys={keys} />}
            </MenuItem>
          </div>
        ))}
      </Base>
    </MenuProvider>
  )
}
