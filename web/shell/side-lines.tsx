import type { HTMLAttributes, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import css from '#web/shell/side-bar.module.css'

/** Lines under a heading of the side bar. */
export function SideSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface SideLineProps extends HTMLAttributes<HTMLLIElement> {
  href: string
  /** At the end of the line, outside the link. */
  end?: ReactNode
}

/** What is below these has a line of its own. */
const OTHERS_BELOW = new Set(['/', '/tags', '/views'])

/** Somewhere to go. */
export function SideLine({ href, end, children, ...rest }: SideLineProps) {
  const [path] = useLocation()
  const here = path === href || (!OTHERS_BELOW.has(href) && path.startsWith(`${href}/`))
  return (
    <li className={css.place} {...rest}>
      <Link href={href} className={css.line} aria-current={here ? 'page' : undefined}>
        {children}
      </Link>
      {end}
    </li>
  )
}
