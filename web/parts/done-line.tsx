import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { Name } from '#web/parts/name.tsx'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import css from '#web/parts/done-line.module.css'

interface DoneLineProps {
  icon: IconName
  /** What the icon says. */
  sign?: string | undefined
  /** In a sentence, which leads there. */
  what: string
  href: string
  who: ReactNode
  at: string
  /** Behind the time. */
  also?: string | undefined
  /** It does not count any more. */
  isUndone?: boolean
  /** Nobody has read it yet. */
  isNew?: boolean
  /** Before it leads there. */
  onOpen?: () => void
  /** Under the line. */
  more?: ReactNode
  children?: ReactNode
}

/** In a list: what somebody did or would do, who, when. */
export function DoneLine(props: DoneLineProps) {
  const { icon, sign, what, href, who, at, also, isUndone, isNew, onOpen, more, children } = props
  return (
    <li className={css.line} data-undone={isUndone || undefined} data-new={isNew || undefined}>
      <span className={css.sign} title={sign}>
        <Icon name={icon} />
      </span>
      <div className={css.what}>
        <Link href={href} className={css.summary} onClick={onOpen}>
          <Name of={what} />
        </Link>
        <p className={css.who}>
          {who} ·{' '}
          <time dateTime={at} title={sayMoment(at)}>
            {sayShort(at)}
          </time>
          {also !== undefined && ` · ${also}`}
        </p>
        {more}
      </div>
      {children}
    </li>
  )
}
