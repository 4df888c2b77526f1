import type { Notification } from '#web/data/notifications-query.ts'
import type { IconName } from '#web/parts/icon.tsx'

interface NotificationWords {
  icon: IconName
  what: string
  href: string
}

const GONE = 'Something that is gone'
const OF_VIEWS = { enter: 'came into', change: 'changed in', leave: 'left' } as const
const SIGNS = { enter: 'arrow_right', change: 'edit', leave: 'arrow_left' } as const

interface Names {
  /** Undefined where the view is gone. */
  view: (view_id: string) => string | undefined
  /** What a proposal would do; undefined where it is not read. */
  proposal: (proposal_id: string) => string | undefined
}

/** What a notification says, and where it leads. */
export function notificationWords(
  { kind, about, item_id, name, count }: Notification,
  names: Names,
): NotificationWords {
  const summary = names.proposal(about)
  const which = summary === undefined ? '' : `: ${summary}`
  if (kind === 'proposal')
    return { icon: 'help', what: `A change is proposed${which}`, href: `/proposals/${about}` }
  if (kind === 'proposal_decided')
    return { icon: 'check', what: `Your proposal was decided on${which}`, href: `/proposals/${about}` }
  if (kind === 'import_done')
    return { icon: 'upload', what: 'Your import has ended', href: `/import/${about}` }
  if (kind === 'webhook_disabled')
    return { icon: 'webhook', what: 'A webhook was disabled', href: '/settings/webhooks' }
  const view = names.view(about)
  const who = count === undefined ? (name ?? GONE) : `${count} items`
  return {
    icon: SIGNS[kind],
    what: `${who} ${OF_VIEWS[kind]} ${view ?? 'a view that is gone'}`,
    href: item_id === null || name === null ? `/views/${about}` : `/items/${item_id}`,
  }
}
