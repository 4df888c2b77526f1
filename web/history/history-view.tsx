import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Change, type ChangeQuestion, changesQuery } from '#web/data/changes-query.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery } from '#web/data/me-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { usersQuery } from '#web/data/users-query.ts'
import { ChangesLine } from '#web/history/changes-line.tsx'
import { Heatmap } from '#web/history/heatmap.tsx'
import type { Undone } from '#web/history/undo-dialog.tsx'
import { Button } from '#web/parts/button.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { Page } from '#web/parts/page.tsx'
import { isAgent } from '#web/rules/change-words.ts'
import { foldChanges } from '#web/rules/fold-changes.ts'
import { sayDate } from '#web/rules/say-time.ts'
import { plainName } from '#web/rules/plain-name.ts'
import { DateInput } from '#web/parts/date-input.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { dateText, thisReader, typedDate } from '#web/rules/typed-date.ts'
import css from '#web/history/history-view.module.css'

const UndoDialog = loadedDialog(() =>
  import('#web/history/undo-dialog.tsx').then(({ UndoDialog }) => UndoDialog),
)

const DAY = 86_400_000
const HOW = [
  ['', 'In every way'],
  ['rest', 'By the application and the API'],
  ['mcp', 'By agents'],
  ['chat', 'By the assistant'],
] as const

/** All changes, newest first, narrowed by who, how, what and when; each can be taken back, and so can all that are shown. */
export function HistoryView() {
  const [query, setQuery] = useSearchParams()
  const me = useQuery(meQuery).data
  const users = useQuery(usersQuery).data ?? []
  const tags = useTags() ?? []
  const mayWrite = useMayWrite()
  const [undone, setUndone] = useState<Undone>()
  const [cleared, setCleared] = useState(0)
  const day = query.get('day')
  const question = questionFrom(query)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    changesQuery(question),
  )
  const changes = data?.pages.flatMap((page) => page.data)
  const put = (name: string, value: string | null) =>
    setQuery((now) => {
      if (value) now.set(name, value)
      else now.delete(name)
      return now
    })
  const { user_id, source, client_id } = question
  const isNarrowed = [...query.keys()].some((key) =>
    ['user', 'source', 'client', 'tag', 'day', 'since'].includes(key),
  )
  const clients = clientsOf(changes ?? [])
  return (
    <Page
      title="History"
      lead="Everything that changed this base, by whom and how. What was changed can be taken back."
    >
      <Heatmap
        question={{ ...(user_id && { user_id }), ...(source && { source }), ...(client_id && { client_id }) }}
        chosen={day}
        onDay={(next) => put('day', next)}
      />
      <div className={css.filters} role="group" aria-label="Narrow the history">
        <Listbox
          label="Who"
          value={query.get('user') ?? ''}
          options={[
            ['', 'Everybody'],
            ...users.map(({ user_id: id, display_name }) => {
              const words = id === me?.user_id ? 'You' : plainName(display_name || id)
              return [id, words] as const
            }),
          ]}
          onValue={(user) => put('user', user)}
        />
        <Listbox label="How" value={howOf(source)} options={HOW} onValue={(how) => put('source', how)} />
        {(clients.size > 0 || client_id) && (
          <Listbox
            label="Which agent or key"
            value={client_id ?? ''}
            options={[
              ['', 'Any agent or key'],
              ...(client_id && !clients.has(client_id) ? [[client_id, 'This one'] as const] : []),
              ...[...clients].map(([id, name]) => [id, plainName(name)] as const),
            ]}
            onValue={(client) => put('client', client)}
          />
        )}
        <Listbox
          label="Tag"
          value={query.get('tag') ?? ''}
          options={[['', 'Any tag'], ...tags.map(({ tag_id, name }) => [tag_id, plainName(name)] as const)]}
          onValue={(tag) => put('tag', tag)}
        />
        <Since key={cleared} value={query.get('since')} onValue={(since) => put('since', since)} />
        {isNarrowed && (
          <Button
            kind="quiet"
            onClick={() => {
              setQuery({})
              setCleared(cleared + 1)
            }}
          >
            Show all
          </Button>
        )}
      </div>
      {day && (
        <p>
          On {sayDate(day)}.{' '}
          <Button kind="quiet" onClick={() => put('day', null)}>
            Any day
          </Button>
        </p>
      )}
      {mayWrite &&
        question.after_time &&
        !question.tag_ids &&
        (user_id ?? source ?? client_id) &&
        !!changes?.length && (
          <div>
            <Button icon="undo" onClick={() => setUndone({ filter: filterOf(question) })}>
              Undo all of these…
            </Button>
          </div>
        )}
      {error && <Note kind="danger">{error.message}</Note>}
      {changes && !changes.length && (
        <EmptyState icon="history" title={isNarrowed ? 'No such change' : 'Nothing has changed yet'}>
          <p>
            {isNarrowed
              ? 'Other people, another day or any tag may have some.'
              : 'Whatever is made, changed or deleted is listed here, and can be taken back.'}
          </p>
        </EmptyState>
      )}
      <ul className={css.list} aria-label="Changes">
        {foldChanges(changes ?? []).map((some) => (
          <ChangesLine key={some[0]!.change_id} changes={some} canUndo={mayWrite} />
        ))}
      </ul>
      <OlderButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
      {undone && (
        <UndoDialog
          what={undone}
          words="All changes that are shown here"
          onClose={() => setUndone(undefined)}
        />
      )}
    </Page>
  )
}

const howOf = (source: string | undefined) => HOW.find(([value]) => value === source)?.[0] ?? ''

/** Keys and apps that made what is shown. */
function clientsOf(changes: readonly Change[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const change of changes)
    if (isAgent(change) && change.client?.id)
      found.set(change.client.id, change.client.name ?? change.client.kind)
  return found
}

const filterOf = ({ after_time = '', before_time, user_id, source, client_id }: ChangeQuestion) => ({
  after_time,
  ...(before_time && { before_time }),
  ...(user_id && { user_id }),
  ...(source && { source }),
  ...(client_id && { client_id }),
})

function questionFrom(query: URLSearchParams): ChangeQuestion {
  const [user_id, source, client_id, tag, day, since] = [
    'user',
    'source',
    'client',
    'tag',
    'day',
    'since',
  ].map((name) => query.get(name))
  const start = day ? new Date(`${day}T00:00`) : since ? new Date(since) : null
  const isTime = start !== null && !Number.isNaN(start.getTime())
  return {
    ...(user_id && { user_id }),
    ...(source && { source }),
    ...(client_id && { client_id }),
    ...(tag && { tag_ids: [tag] }),
    ...(isTime && { after_time: start.toISOString() }),
    ...(isTime && day && { before_time: new Date(start.getTime() + DAY).toISOString() }),
  }
}

/** From when on, as people write times; what is not understood yet changes nothing. */
function Since({ value, onValue }: { value: string | null; onValue: (value: string | null) => void }) {
  const [reader] = useState(thisReader)
  const [text, setText] = useState(() =>
    value !== null && Number.isFinite(Date.parse(value))
      ? dateText(new Date(value).toISOString(), reader)
      : '',
  )
  const take = (next: string) => {
    setText(next)
    const typed = typedDate('DateTime', next, reader)
    if (typed.is === 'value') onValue(typed.value)
    else if (typed.is === 'nothing') onValue(null)
  }
  return (
    <div className={css.since}>
      <span aria-hidden="true">Since</span>
      <DateInput kind="DateTime" label="Since" example="yesterday, 12 Mar …" text={text} onText={take} />
    </div>
  )
}
