import {
  Menu as Base,
  MenuButton,
  MenuItem,
  MenuItemCheckbox,
  MenuProvider,
  MenuSeparator,
} from '@ariakit/react'
import { useEffect, useRef } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import { overPage } from '#web/parts/over-page.ts'
import { Keys } from '#web/parts/keys.tsx'
import { useMedia } from '#web/parts/use-media.ts'
import type { MenuEntry, MenuProps } from '#web/parts/menu-props.ts'
import css from '#web/parts/menu.module.css'

/** A menu that opens at once: it takes the place of the button that was pressed. */
export function MenuWithList(props: MenuProps) {
  const { button, label, buttonClassName, placement, entries } = props
  const own = useRef<HTMLButtonElement>(null)
  const pressed = props.buttonRef ?? own
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    pressed.current!.focus()
    pressed.current!.click()
  }, [pressed])
  // Under the thumb, wherever its button is.
  const isPhone = useMedia('(max-width: 640px) and (min-height: 30.01rem)')
  const checked = entries.flatMap((entry) => (entry.checked ? [entry.label] : []))
  return (
    <MenuProvider placement={placement ?? 'bottom-start'} values={{ checked }} setValues={() => undefined}>
      <MenuButton ref={pressed} className={buttonClassName ?? css.button} aria-label={label} title={label}>
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
        {...(isPhone && { updatePosition: () => undefined, wrapperProps: { className: css.sheet } })}
        // What was chosen may have taken the focus itself.
        autoFocusOnHide={() => isFocusLeft(list.current)}
        ref={list}
      >
        {entries.map((entry) => (
          <div key={entry.label} role="presentation">
            {entry.parted && <MenuSeparator className={css.line} />}
            <Entry {...entry} />
          </div>
        ))}
      </Base>
    </MenuProvider>
  )
}

const isFocusLeft = (list: HTMLElement | null): boolean => {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || !!list?.contains(activeElement)
}

function Entry({ label, icon, sign, keys, danger, disabled = false, checked, run }: MenuEntry) {
  const shown = checked ? 'check' : icon
  const common = { className: `${css.entry} ${danger ? css.danger : ''}`, disabled, onClick: run }
  const content = (
    <>
      <span className={css.icon}>{sign ?? (shown && <Icon name={shown} />)}</span>
      <span className={css.label}>{label}</span>
      {keys && <Keys keys={keys} />}
    </>
  )
  if (checked === undefined) return <MenuItem {...common}>{content}</MenuItem>
  return (
    <MenuItemCheckbox name="checked" value={label} hideOnClick={false} {...common}>
      {content}
    </MenuItemCheckbox>
  )
}
