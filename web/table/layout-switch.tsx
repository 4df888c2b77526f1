import { Icon, type IconName } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { LAYOUT_KINDS, type LayoutKind } from '#web/rules/layout.ts'
import button from '#web/parts/button.module.css'
import css from '#web/table/layout-switch.module.css'

const FACES: Readonly<Record<LayoutKind, { icon: IconName; label: string }>> = {
  table: { icon: 'items', label: 'Table' },
  board: { icon: 'board', label: 'Board' },
  calendar: { icon: 'calendar', label: 'Calendar' },
  gallery: { icon: 'gallery', label: 'Gallery' },
}

interface LayoutSwitchProps {
  kind: LayoutKind
  onKind: (kind: LayoutKind) => void
}

/** How the items are laid out: signs side by side, and where it is narrow one menu. */
export function LayoutSwitch({ kind, onKind }: LayoutSwitchProps) {
  const now = FACES[kind]
  return (
    <>
      <div role="group" aria-label="Layout" className={css.switch}>
        {LAYOUT_KINDS.map((each) => (
          <button
            key={each}
            type="button"
            className={css.kind}
            aria-label={FACES[each].label}
            title={FACES[each].label}
            aria-pressed={each === kind}
            onClick={() => onKind(each)}
          >
            <Icon name={FACES[each].icon} />
          </button>
        ))}
      </div>
      <div className={css.menu}>
        <Menu
          label={`Layout: ${now.label}`}
          buttonClassName={`${button.button} ${button.plain}`}
          button={<Icon name={now.icon} />}
          entries={LAYOUT_KINDS.map((each) => ({
            label: FACES[each].label,
            icon: each === kind ? ('check' as const) : FACES[each].icon,
            run: () => onKind(each),
          }))}
        />
      </div>
    </>
  )
}
