import type { ReactNode } from 'react'
import css from '#web/home/section.module.css'

/** A part of the first page, and where there is more of it. */
export function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.section}>
      <header className={css.header}>
        <h2>{title}</h2>
        {more}
      </header>
      {children}
    </section>
  )
}
