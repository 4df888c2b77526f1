import type { ReactNode } from 'react'
import css from '#web/parts/empty-state.module.css'

interface EmptyStateProps {
  title: string
  /** It is all that the page shows. */
  whole?: boolean
  children?: ReactNode
}

/** What is shown where nothing is: why, and what to do next. */
export function EmptyState({ title, whole = false, children }: EmptyStateProps) {
  const Heading = whole ? 'h1' : 'h2'
  return (
    <div className={css.empty}>
      <Heading className={css.title}>{title}</Heading>
      {children}
    </div>
  )
}
