import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listActivity, listSecurityLog } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import css from '#web/parts/settings.module.css'

type SecurityEvent = OutputOf<typeof listActivity>[number]

const PAGE = 30

/** What the security log reports: one’s own, or for an owner everybody’s. */
export function ActivityList({ everybody = false }: { everybody?: boolean }) {
  const nameOf = useNameOfUser()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['activity', everybody],
    queryFn: ({ signal, pageParam }) =>
      call(
        everybody ? listSecurityLog : listActivity,
        { limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
  const events = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      {error && <Note kind="danger">{error.message}</Note>}
      <ul className={css.list} aria-label="Activity">
        {events.map((event) => (
          <li key={event.event_id} className={css.row}>
            <div className={css.what}>
              {words(event.event_type)}
              {everybody && event.user_id && `: ${nameOf(event.user_id)}`}
              <p className={css.about}>{aboutOf(event, nameOf)}</p>
              {'unproven' in event.details && <p className={css.warning}>{UNPROVEN}</p>}
            </div>
            <time className={css.about} dateTime={event.created_at} title={sayMoment(event.created_at)}>
              {sayShort(event.created_at)}
            </time>
          </li>
        ))}
      </ul>
      <OlderButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  )
}

const UNPROVEN =
  'By a session that had not proved who it is. If it was not you: end your other sessions, take this back, revoke keys and apps that are not yours, and change your password.'

/** `sign_in_failed` as it is said. */
const words = (type: string) => {
  const text = type.replaceAll('_', ' ').replace('totp', 'second factor')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function aboutOf(
  { address, actor_id, user_id, client, details }: SecurityEvent,
  nameOf: (user_id: string | null) => string,
): string {
  const by =
    client?.kind === 'cli'
      ? 'by an operator'
      : actor_id && actor_id !== user_id
        ? `by ${nameOf(actor_id)}`
        : ''
  const said = Object.entries(details)
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value.length < 80))
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value as string | number}`)
  return [by, client?.kind !== 'session' && client?.name, address && `from ${address}`, ...said]
    .filter(Boolean)
    .join(' · ')
}
