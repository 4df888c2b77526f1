import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { getItemHistory } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { undoneOfItemQuery } from '#web/data/changes-query.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery } from '#web/data/me-query.ts'
import { Heatmap } from '#web/history/heatmap.tsx'
import { ValueChange } from '#web/history/value-change.tsx'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { doerWords, eventWords, isAgent } from '#web/rules/change-words.ts'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import css from '#web/history/item-history.module.css'

const UndoDialog = loadedDialog(() =>
  import('#web/history/undo-dialog.tsx').then(({ UndoDialog }) => UndoDialog),
)
const ItemThen = loadedDialog(() => import('#web/history/item-then.tsx').then(({ ItemThen }) => ItemThen))

type Entry = OutputOf<typeof getItemHistory>[number]

const PAGE = 20

const historyQuery = (item_id: string) =>
  infiniteQueryOptions({
    queryKey: ['item-history', item_id],
    queryFn: async ({ signal, pageParam }) =>
      call(getItemHistory, { item_id, limit: PAGE, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** What became of an item, newest first: each entry can be taken back, and the item looked at as it was then. */
export function ItemHistory({ item_id, updated_at }: { item_id: string; updated_at: string }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const toggle = () => {
    setOpen(!isOpen)
    if (isOpen) return
    // It lies under the item: there it is gone to.
    button.current?.focus({ preventScroll: true })
    setTimeout(() => button.current?.scrollIntoView({ block: 'center' }))
  }
  useActions([
    {
      id: 'item.history',
      title: isOpen ? 'Hide the history of this item' : 'Show the history of this item',
      keys: 'h',
      group: 'Item',
      run: toggle,
    },
  ])
  return (
    <section className={css.history} aria-label="History">
      <h2>
        <button ref={button} type="button" className={css.title} aria-expanded={isOpen} onClick={toggle}>
          History
          <Icon name={isOpen ? 'chevron_up' : 'chevron_down'} />
        </button>
      </h2>
      {isOpen ? (
        <>
          <Heatmap small question={{ item_ids: [item_id] }} />
          <Entries key={updated_at} item_id={item_id} />
        </>
      ) : (
        <Latest key={updated_at} item_id={item_id} />
      )}
    </section>
  )
}

/** Changes that are shown in a line each, before anybody asks for more. */
const LATEST = 3

function Latest({ item_id }: { item_id: string }) {
  const { data } = useInfiniteQuery(historyQuery(item_id))
  const me = useQuery(meQuery).data?.user_id
  const changes = changesOf(data?.pages[0]?.data ?? []).slice(0, LATEST)
  return (
    <ol className={css.latest}>
      {changes.map(([first, entries]) => (
        <li key={first.change_id}>
          <Icon name={isAgent(first) ? 'bot' : 'user'} />
          <Head first={first} words={briefly(entries)} me={me} />
        </li>
      ))}
    </ol>
  )
}

/** `Changed Task.effort, name`; what it was made with goes without saying. */
function briefly(entries: readonly Entry[]): string {
  const paths = new Set(entries.flatMap(({ changes }) => changes.map(({ path }) => path)))
  if (entries.some(({ event_type }) => event_type === 'item_created')) return 'Made'
  const isChange = entries.every(({ event_type }) => eventWords(event_type) === 'Changed')
  return isChange && paths.size ? `Changed ${[...paths].join(', ')}` : wordsOf(entries)
}

function Head({ first, words, me }: { first: Entry; words: string; me: string | undefined }) {
  return (
    <p className={css.head}>
      <Link href={`/history/${first.change_id}`} className={css.what}>
        {words}
      </Link>
      <span className={css.who}>
        {doerWords(first, me)} ·{' '}
        <time dateTime={first.created_at} title={sayMoment(first.created_at)}>
          {sayShort(first.created_at)}
        </time>
      </span>
    </p>
  )
}

function Entries({ item_id }: { item_id: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    historyQuery(item_id),
  )
  const me = useQuery(meQuery).data?.user_id
  const mayWrite = useMayWrite()
  const undone = useQuery(undoneOfItemQuery(item_id)).data
  const [taken, setTaken] = useState<Entry>()
  const [then, setThen] = useState<Entry>()
  const changes = changesOf(data?.pages.flatMap((page) => page.data) ?? [])
  return (
    <>
      {error && <Note kind="danger">{error.message}</Note>}
      <ol className={css.list}>
        {changes.map(([first, entries]) => (
          <li key={first.change_id} className={css.entry}>
            <Icon name={isAgent(first) ? 'bot' : 'user'} />
            <div className={css.body}>
              <Head first={first} words={wordsOf(entries)} me={me} />
              {entries.flatMap(({ event_id, changes: some }) =>
                some.map((each) => <ValueChange key={`${event_id} ${each.path}`} change={each} />),
              )}
            </div>
            <div className={css.buttons}>
              <Button
                kind="quiet"
                icon="eye"
                aria-label={`As it was ${sayMoment(first.created_at)}`}
                onClick={() => setThen(first)}
              >
                As it was
              </Button>
              {mayWrite && !undone?.has(first.change_id) && (
                <Button
                  kind="quiet"
                  icon="undo"
                  aria-label={`Take back: ${wordsOf(entries)}, ${sayMoment(first.created_at)}`}
                  onClick={() => setTaken(first)}
                >
                  Take back
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      <OlderButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
      {taken && (
        <UndoDialog
          what={{ change_ids: [taken.change_id] }}
          words={`${eventWords(taken.event_type)}, ${sayMoment(taken.created_at)}`}
          onClose={() => setTaken(undefined)}
        />
      )}
      {then && <ItemThen item_id={item_id} as_of={then.created_at} onClose={() => setThen(undefined)} />}
    </>
  )
}

/** Events of one change are together. */
function changesOf(entries: readonly Entry[]): [Entry, Entry[]][] {
  return [...Map.groupBy(entries, ({ change_id }) => change_id).values()].map((some) => [some[0]!, some])
}

const wordsOf = (entries: readonly Entry[]) =>
  [...new Set(entries.map(({ event_type }) => eventWords(event_type)))].join(', ')
