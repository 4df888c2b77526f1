import { type ComponentType, useState } from 'react'
import type { MenuProps } from '#web/parts/menu-props.ts'
import { sayNotLoaded } from '#web/parts/not-loaded.tsx'
import { keepTyped, takeTyped } from '#web/parts/typed-ahead.ts'
import css from '#web/parts/menu.module.css'

const load = () => import('#web/parts/menu-with-list.tsx')

/** A button and its menu, which is loaded when somebody first reaches for it. */
export function Menu(props: MenuProps) {
  const [loaded, setLoaded] = useState<{ List: ComponentType<MenuProps> }>()
  const { button, label, buttonClassName, buttonRef } = props
  if (loaded) return <loaded.List {...props} />
  const open = () => {
    // Nothing that is typed until it is there is a key of the page.
    keepTyped()
    return load()
      .then(
        ({ MenuWithList }) => setLoaded({ List: MenuWithList }),
        () => sayNotLoaded(),
      )
      .finally(takeTyped)
  }
  const prepare = () => void load().catch(() => undefined)
  return (
    <button
      ref={buttonRef}
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
