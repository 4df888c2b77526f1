import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type Notification, notificationsQuery, unreadQuery } from '#web/data/notifications-query.ts'
import { type ListedProposal, proposalsQuery } from '#web/data/proposals-query.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { isWatched, useWatch } from '#web/data/use-watch.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import { notificationWords } from '#web/notification/notification-words.ts'
import { useReading } from '#web/notification/use-reading.ts'
import { useActions } from '#web/parts/action.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { DoneLine } from '#web/parts/done-line.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { Page, PageSection } from '#web/parts/page.tsx'
import css from '#web/notification/notification-list.module.css'

const NAME = 'Notifications'

/** Notifications of the account, newest first, and the views that one watches. */
export function NotificationList() {
  const { data, error, isPending, ...more } = useInfiniteQuery(notificationsQuery)
  const unread = useQuery(unreadQuery).data ?? 0
  const views = useQuery(viewsQuery).data
  const read = useReading()
  const all = data?.pages.flatMap((page) => page.data) ?? []
  const isOfProposals = all.some(({ kind }) => kind === 'proposal' || kind === 'proposal_decided')
  // The newest page of them: what is older is said without its name.
  const listed = useInfiniteQuery({ ...proposalsQuery(null), enabled: isOfProposals }).data
  const proposals = listed?.pages.flatMap((page) => page.data)
  const readHere = () => {
    const at = indexHere()
    return at < 0 ? false : void read(all.slice(at, at + 1))
  }
  useActions([
    { id: 'notifications.read', title: 'Mark as read', keys: 'm', group: NAME, hidden: true, run: readHere },
    {
      id: 'notifications.read-all',
      title: 'Mark all as read',
      keys: 'shift+m',
      group: NAME,
      run: () => void read('all'),
    },
  ])
  if (isPending) return null
  return (
    <Page
      title={NAME}
      lead="What others do in the views that you watch, what waits for your decision, and what has ended."
      actions={
        unread > 0 && (
          <Button icon="check" onClick={() => void read('all')}>
            Mark all as read
          </Button>
        )
      }
    >
      {error && <Note kind="danger">{error.message}</Note>}
      {data && !all.length && (
        <EmptyState icon="check" title="Nothing new">
          <p>
            Open a view and choose <strong>Watch</strong> in its menu: what others bring into it is reported
            here. <Link href="/views">Views</Link>
          </p>
        </EmptyState>
      )}
      <ul className={css.list} aria-label={NAME}>
        {all.map((each) => (
          <NotificationLine
            key={each.notification_id}
            notification={each}
            views={views}
            proposals={proposals}
            onRead={() => void read(each.read ? [] : [each])}
          />
        ))}
      </ul>
      <OlderButton {...more} />
      <WatchedViews views={views?.filter(isWatched) ?? []} />
    </Page>
  )
}

/** Of the line where one is. */
function indexHere(): number {
  const line = document.activeElement?.closest('li')
  return line?.parentElement?.matches(`[aria-label="${NAME}"]`)
    ? [...line.parentElement.children].indexOf(line)
    : -1
}

interface LineProps {
  notification: Notification
  views: readonly View[] | undefined
  proposals: readonly ListedProposal[] | undefined
  onRead: () => void
}

function NotificationLine({ notification, views, proposals, onRead }: LineProps) {
  const nameOf = useNameOfUser()
  const { user_id, created_at, read, kind } = notification
  const { icon, what, href } = notificationWords(notification, {
    view: (id) => views?.find(({ view_id }) => view_id === id)?.name,
    proposal: (id) => proposals?.find(({ proposal_id }) => proposal_id === id)?.summary,
  })
  return (
    <DoneLine
      icon={icon}
      what={what}
      href={href}
      who={user_id === null || kind === 'webhook_disabled' ? 'by itself' : nameOf(user_id)}
      at={created_at}
      also={read ? undefined : 'not read'}
      isNew={!read}
      onOpen={onRead}
    >
      {!read && <IconButton icon="check" label={`Mark as read: ${what}`} onClick={onRead} />}
    </DoneLine>
  )
}

/** Where each of them can be muted. */
function WatchedViews({ views }: { views: readonly View[] }) {
  const { mute } = useWatch()
  if (!views.length) return null
  return (
    <PageSection title="Views that you watch">
      <ul className={css.list} aria-label="Views that you watch">
        {views.map((view) => (
          <li key={view.view_id} className={css.view}>
            <Icon name="view" />
            <Link href={`/views/${view.view_id}`} className={css.name}>
              {view.name}
            </Link>
            <Button kind="quiet" icon="bell_off" onClick={() => void mute(view)}>
              Mute
            </Button>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}
