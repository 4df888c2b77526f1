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

/** What a notification says, and where it leads. `viewName`: undefined where the view is gone. */
export function notificationWords(
  { kind, about, item_id, name, count }: Notification,
  viewName: (view_id: string) => string | undefined,
): NotificationWords {
  if (kind === 'proposal') return { icon: 'help', what: 'A change is proposed', href: `/proposals/${about}` }
  if (kind === 'proposal_decided')
    return { icon: 'check', what: 'Your proposal was decided on', href: `/proposals/${about}` }
  if (kind === 'import_done')
    return { icon: 'upload', what: 'Your import has ended', href: `/import/${about}` }
  if (kind === 'webhook_disabled')
    return { icon: 'webhook', what: 'A webhook was disabled', href: '/settings/webhooks' }
  const view = viewName(about)
  const who = count === undefined ? (name ?? GONE) : `${count} items`
  return {
    icon: SIGNS[kind],
    what: `${who} ${OF_VIEWS[kind]} ${view ?? 'a view that is gone'}`,
    href: item_id === null || name === null ? `/views/${about}` : `/items/${item_id}`,
  }
}
