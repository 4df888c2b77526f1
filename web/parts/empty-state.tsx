import type { ReactNode } from 'react'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import css from '#web/parts/empty-state.module.css'

interface EmptyStateProps {
  title: string
  /** What would be here. */
  icon?: IconName
  /** It is all that the page shows. */
  whole?: boolean
  children?: ReactNode
}

/** What is shown where nothing is: why, and what to do next. */
export function EmptyState({ title, icon, whole = false, children }: EmptyStateProps) {
  const Heading = whole ? 'h1' : 'h2'
  return (
    <div className={css.empty}>
      {icon && (
        <span className={css.sign}>
          <Icon name={icon} size={24} />
        </span>
      )}
      <Heading className={css.title}>{title}</Heading>
      {children}
    </div>
  )
}
