import { Children, type HTMLAttributes, type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import css from '#web/shell/side-bar.module.css'

/** More lines than these leave no room for what is below; the first of them are shown then, and where one is. */
const MOST = 12
const FIRST = 8

/** Lines under a heading of the side bar. */
export function SideSection({ title, children }: { title: string; children: ReactNode }) {
  const [areAll, setAll] = useState(false)
  const count = Children.toArray(children).length
  const isLong = count > MOST
  return (
    <section className={css.section} data-few={(isLong && !areAll) || undefined}>
      <h2>{title}</h2>
      <ul>{children}</ul>
      {isLong && (
        <button type="button" className={css.rest} aria-expanded={areAll} onClick={() => setAll(!areAll)}>
          {areAll ? `The first ${FIRST} ${title.toLowerCase()}` : `All ${count} ${title.toLowerCase()}`}
        </button>
      )}
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
