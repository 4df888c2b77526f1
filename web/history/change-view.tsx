import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type Change, type ChangeEvent, changeEventsQuery } from '#web/data/changes-query.ts'
import { useItemName } from '#web/data/item-names.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery } from '#web/data/me-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { UndoButton } from '#web/history/undo-button.tsx'
import { ValueChange } from '#web/history/value-change.tsx'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { Page } from '#web/parts/page.tsx'
import { doerWords, eventWords } from '#web/rules/change-words.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import { plainName } from '#web/rules/plain-name.ts'
import { tagChanges } from '#web/rules/tag-changes.ts'
import { Name } from '#web/parts/name.tsx'
import css from '#web/history/change-view.module.css'

/** One change, event by event. */
export function ChangeView({ change }: { change: Change }) {
  const me = useQuery(meQuery).data?.user_id
  const tags = useTags()
  const mayWrite = useMayWrite()
  const nameOf = (tag_id: string) => tags?.find((tag) => tag.tag_id === tag_id)?.name
  const events = useInfiniteQuery({
    ...changeEventsQuery(change.change_id, nameOf),
    enabled: tags !== undefined,
  })
  const all = events.data?.pages.flatMap((page) => page.events) ?? []
  return (
    <Page
      title={plainName(change.summary)}
      lead={
        <>
          By <Name of={doerWords(change, me)} />, {sayMoment(change.created_at)}.
        </>
      }
      actions={mayWrite && <UndoButton changes={[change]} words={change.summary} />}
    >
      {change.undone_by !== null && (
        <Note icon="undo">
          <p>
            It was <Link href={`/history/${change.undone_by}`}>taken back</Link> since.
          </p>
        </Note>
      )}
      {change.undoes.length > 0 && (
        <Note icon="undo">
          <p>
            It took back{' '}
            {change.undoes.length === 1 ? (
              <Link href={`/history/${change.undoes[0]}`}>one change</Link>
            ) : (
              `${change.undoes.length} changes`
            )}
            .
          </p>
        </Note>
      )}
      {events.error && <Note kind="danger">{events.error.message}</Note>}
      <ul className={css.list} aria-label="What it did">
        {all.map((event) => (
          <li key={event.event_id} className={css.event}>
            <p className={css.what}>
              {eventWords(event.event_type)}{' '}
              {event.item_id ? (
                <ItemLink item_id={event.item_id} last={event.name} />
              ) : (
                <TagName event={event} name={nameOf(event.tag_id ?? '')} />
              )}
            </p>
            {readable(event, nameOf).map((each) => (
              <ValueChange key={each.path} change={each} />
            ))}
          </li>
        ))}
      </ul>
      {events.hasNextPage && (
        <div>
          <Button disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  )
}

const readable = ({ item_id, changes }: ChangeEvent, nameOf: (tag_id: string) => string | undefined) =>
  item_id ? changes : changes.flatMap((each) => tagChanges(each, nameOf))

function ItemLink({ item_id, last }: { item_id: string; last: string | undefined }) {
  const name = useItemName(item_id)
  return (
    <Link href={`/items/${item_id}`} className={css.link}>
      <Name of={name === null ? (last ?? 'an item that is deleted now') : (name ?? '…')} />
    </Link>
  )
}

function TagName({ event, name }: { event: ChangeEvent; name: string | undefined }) {
  if (!name) return <strong>{event.name}</strong>
  return (
    <Link href={`/tags/${event.tag_id}/schema`} className={css.link}>
      <Name of={name} />
    </Link>
  )
}
