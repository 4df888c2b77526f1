import type { ReactNode } from 'react'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import css from '#web/parts/note.module.css'

interface NoteProps {
  kind?: 'plain' | 'warn' | 'danger' | 'good'
  icon?: IconName
  children: ReactNode
}

const ICONS = { plain: 'help', warn: 'alert', danger: 'alert', good: 'check' } as const

/** Something to know where it matters; what went wrong is also said aloud. */
export function Note({ kind = 'plain', icon = ICONS[kind], children }: NoteProps) {
  return (
    <div className={`${css.note} ${css[kind]}`} role={kind === 'danger' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className={css.text}>{children}</div>
    </div>
  )
}
