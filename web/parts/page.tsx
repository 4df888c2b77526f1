import type { ReactNode } from 'react'
import css from '#web/parts/page.module.css'

interface PageProps {
  title: string
  /** Before the title. */
  sign?: ReactNode
  /** Alongside the title. */
  actions?: ReactNode
  /** One or two sentences under it. */
  lead?: ReactNode
  /** For text and forms rather than for lists. */
  narrow?: boolean
  children: ReactNode
}

/** A page with its heading. */
export function Page({ title, sign, actions, lead, narrow = false, children }: PageProps) {
  return (
    <div className={`${css.page} ${narrow ? css.narrow : ''}`}>
      <header className={css.header}>
        {sign}
        <h1>{title}</h1>
        {actions && <div className={css.actions}>{actions}</div>}
        {lead && <p className={css.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}

interface SectionProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A part of a page under a heading of its own. */
export function PageSection({ title, lead, actions, children }: SectionProps) {
  return (
    <section className={css.section}>
      <header className={css.header}>
        <h2>{title}</h2>
        {actions && <div className={css.actions}>{actions}</div>}
        {lead && <p className={css.lead}>{lead}</p>}
      </header>
      {children}
    </section>
  )
}
