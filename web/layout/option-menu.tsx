import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import css from '#web/layout/layout-bar.module.css'

export interface Option {
  key: string | undefined
  label: string
}

interface OptionMenuProps {
  /** What is chosen, before its name: `Columns by`. */
  words: string
  options: readonly Option[]
  chosen: string | undefined
  onChoose: (key: string | undefined) => void
}

/** One of several, said in words above a layout. */
export function OptionMenu({ words, options, chosen, onChoose }: OptionMenuProps) {
  const now = options.find(({ key }) => key === chosen)
  return (
    <Menu
      buttonClassName={css.option}
      button={
        <>
          {words && <span className={css.words}>{words}</span>} {now?.label}
          <Icon name="chevron_down" size={14} />
        </>
      }
      entries={options.map(({ key, label }) => ({
        label,
        ...(key === chosen && { icon: 'check' as const }),
        run: () => onChoose(key),
      }))}
    />
  )
}
