import { NotificationList } from '#web/notification/notification-list.tsx'

/** Notifications of the account: of views that one watches, of proposals, of what runs by itself. */
export function NotificationsPage() {
  return <NotificationList />
}
