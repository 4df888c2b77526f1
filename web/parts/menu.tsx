import { type ComponentType, type ReactNode, useState } from 'react'
import type { IconName } from '#web/parts/icon.tsx'
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
  /** One of several that are on or off; the menu stays open. */
  checked?: boolean
  run: () => void
}

export interface MenuProps {
  /** The button that opens it. */
  button: ReactNode
  /** Where the button shows no words. */
  label?: string
  buttonClassName?: string | undefined
  placement?: 'bottom-start' | 'bottom-end'
  entries: readonly MenuEntry[]
}

const load = () => import('#web/parts/menu-with-list.tsx')

/** A button and its menu, which is loaded when somebody first reaches for it. */
export function Menu(props: MenuProps) {
  const [loaded, setLoaded] = useState<{ List: ComponentType<MenuProps> } | { error: unknown }>()
  const { button, label, buttonClassName } = props
  if (loaded && 'error' in loaded) throw loaded.error
  if (loaded) return <loaded.List {...props} />
  const open = () =>
    load().then(
      ({ MenuWithList }) => setLoaded({ List: MenuWithList }),
      (error: unknown) => setLoaded({ error }),
    )
  const prepare = () => void load().catch(() => undefined)
  return (
    <button
      type="button"
      className={buttonClassName ?? css.button}
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => void open()}
      onKeyDown={({ key }) => {
        if (key === 'ArrowDown' || key === 'ArrowUp') void open()
      }}
    >
      {button}
    </button>
  )
}
