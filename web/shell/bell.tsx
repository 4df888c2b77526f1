import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { unreadQuery } from '#web/data/notifications-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/shell/bell.module.css'

const PLACE = '/notifications'
/** More are not counted out. */
const MOST = 99

interface BellProps {
  /** Next to others, under its name. */
  labelled?: boolean
  className?: string | undefined
}

/** Leads to the notifications, and says how many are unread. */
export function Bell({ labelled = false, className = css.bell }: BellProps) {
  const unread = useQuery(unreadQuery).data ?? 0
  const [path] = useLocation()
  const name = labelled ? 'News' : 'Notifications'
  return (
    <Link
      href={PLACE}
      className={className}
      aria-current={path === PLACE ? 'page' : undefined}
      aria-label={unread ? `${name}, ${unread} unread` : name}
      title={labelled ? undefined : name}
    >
      <span className={css.sign}>
        <Icon name="bell" size={labelled ? 20 : 16} />
        {unread > 0 && <span className={css.count}>{unread > MOST ? `${MOST}+` : unread}</span>}
      </span>
      {labelled && name}
    </Link>
  )
}
