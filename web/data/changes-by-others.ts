import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { getMe } from '#web/api/operations.ts'
import { sessionState, useSessionAccount } from '#web/api/session-state.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { keepHeard, lastHeard, useHears } from '#web/data/last-heard.ts'
import { notificationsQuery, unreadQuery } from '#web/data/notifications-query.ts'
import { tagsQuery } from '#web/data/tags-query.ts'
import { viewsQuery } from '#web/data/views-query.ts'
import { soon } from '#web/parts/soon.ts'

/**
 * Held by the tab that listens to the service, and the channel by which it notifies the others: those of the same
 * account, because a tab that somebody else has signed in over hears nothing of theirs, and keeps nobody from listening.
 */
const nameFor = (user_id: string) => `facet.events.${user_id}`
/** Milliseconds in which events gather; what this tab has done itself has its answer by then. */
const GATHER = 400
/** Milliseconds in which changes of tags gather: everything in sight may have to be read again. */
const GATHER_TAGS = 1000
/** Milliseconds until it is tried again to listen. */
const PAUSE = 5000
const CAME = new Set(['item_created', 'item_restored', 'tag_applied'])

interface AuditEvent {
  event_id: string
  event_type: string
  item_id: string | null
  tag_id: string | null
}

/** What happened, as the tabs tell each other: never empty, and in the order of the log. */
interface Happened {
  events: readonly AuditEvent[]
}

/** How many notifications are unread now. */
interface Rung {
  unread_count: number
}

/** From where on a tab has to hear what happened. */
interface Joined {
  after: string
}

/**
 * Follows what others do. Of all tabs of a browser one listens to the service and notifies the rest: over HTTP/1.1 a
 * browser has six connections to a host, and a stream takes one for as long as it is open.
 */
export function useChangesByOthers(): void {
  const client = useQueryClient()
  const user_id = useSessionAccount()
  const hears = useHears()
  useEffect(() => {
    const from = lastHeard()
    return user_id === null || !hears || from === undefined ? undefined : follow(client, user_id, from)
  }, [client, user_id, hears])
}

/** From an event on, until what it returns is called. */
function follow(client: QueryClient, user_id: string, from: string): () => void {
  /** The last event that all tabs have heard. */
  let last = from
  let stream: Listening | undefined
  const tags = renewedTags(client)
  const channel = new BroadcastChannel(nameFor(user_id))
  const hear = (message: Happened | Rung) => {
    if ('unread_count' in message) return ring(client, message)
    last = message.events.at(-1)!.event_id
    take(message.events, tags)
  }
  // A tab may have read before an event of which the others were told before it came: all go on from the oldest.
  const join = ({ after }: Joined) => {
    if (after > last) channel.postMessage({ after: last })
    if (after >= last) return
    last = after
    stream?.reopen()
  }
  channel.onmessage = ({ data }: MessageEvent<Happened | Rung | Joined>) =>
    'after' in data ? join(data) : hear(data)
  channel.postMessage({ after: last })
  const over = new AbortController()
  const lead = () => {
    const report = (message: Happened | Rung) => {
      channel.postMessage(message)
      hear(message)
    }
    stream = listen({ user_id, last: () => last }, report, over.signal)
    return stream.ended
  }
  navigator.locks.request(nameFor(user_id), { signal: over.signal }, lead).catch(() => undefined)
  return () => {
    over.abort()
    channel.close()
  }
}

/** What a tab has heard already comes again where another one needs it. */
function take(events: readonly AuditEvent[], tags: ReturnType<typeof renewedTags>): void {
  const last = lastHeard()
  const fresh = events.filter(({ event_id }) => last !== undefined && event_id > last)
  if (!fresh.length) return
  keepHeard(fresh.at(-1)!.event_id)
  const ofItems = fresh.flatMap(({ item_id, ...event }) => (item_id ? [{ ...event, item_id }] : []))
  itemsChanged(
    ofItems.map(({ item_id }) => item_id),
    {
      came: ofItems.filter(({ event_type }) => CAME.has(event_type)).map(({ item_id }) => item_id),
      events: new Map(ofItems.map(({ item_id, event_id }) => [item_id, event_id])),
    },
  )
  tags.changed(
    fresh.flatMap(({ item_id, tag_id, event_type }) =>
      !item_id && tag_id && event_type.startsWith('tag_') ? [tag_id] : [],
    ),
  )
}

/** With a tag what names its fields changes: the filters of views, and the values of items, which no event names. */
function renewedTags(client: QueryClient) {
  let gathered = new Set<string>()
  const renew = soon(() => {
    const tag_ids = gathered
    gathered = new Set()
    itemsChanged([], { tag_ids })
  }, GATHER_TAGS)
  return {
    changed: (tag_ids: readonly string[]) => {
      if (!tag_ids.length) return
      for (const queryKey of [tagsQuery.queryKey, viewsQuery.queryKey])
        void client.invalidateQueries({ queryKey })
      for (const tag_id of tag_ids) gathered.add(tag_id)
      renew()
    },
  }
}

/** The bell shows it at once; lists of what it is about are read again. */
function ring(client: QueryClient, { unread_count }: Rung): void {
  client.setQueryData(unreadQuery.queryKey, unread_count)
  void client.invalidateQueries({ queryKey: notificationsQuery.queryKey })
  void client.invalidateQueries({ queryKey: ['proposals'] })
}

interface Listening {
  /** Settles when it is over. */
  ended: Promise<void>
  /** Goes back to where a tab has to hear from. */
  reopen: () => void
}

/** Listens until it is over; where that fails it comes back with the last event that all tabs have heard. */
function listen(
  { user_id, last }: { user_id: string; last: () => string },
  report: (message: Happened | Rung) => void,
  signal: AbortSignal,
): Listening {
  let source: EventSource
  let retry: ReturnType<typeof setTimeout> | undefined
  const gathered = gathering((events) => report({ events }))
  const open = () => {
    const asked = new URLSearchParams({ notifications: 'true', expected_user: user_id, after: last() })
    source = new EventSource(`/api/changes/stream?${asked}`)
    source.addEventListener('audit', ({ data }) => gathered.add(JSON.parse(data as string) as AuditEvent))
    source.addEventListener('notifications', ({ data }) => report(JSON.parse(data as string) as Rung))
    source.addEventListener('error', () => {
      // The browser comes back by itself but after an answer that is no stream.
      if (source.readyState !== EventSource.CLOSED) return
      const later = () => {
        if (!signal.aborted) retry = setTimeout(again, PAUSE)
      }
      // Where the session has ended this call says so, and waits until it is back.
      call(getMe, {}, { signal }).then(later, later)
    })
  }
  const again = () => {
    if (sessionState() === 'signed_in') open()
    else retry = setTimeout(again, PAUSE)
  }
  const reopen = () => {
    // Otherwise it is opened again by itself.
    if (source.readyState === EventSource.CLOSED) return
    source.close()
    gathered.stop() // it is told again, in its place
    open()
  }
  open()
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => {
      source.close()
      clearTimeout(retry)
      gathered.stop()
      resolve()
    }),
  )
  return { ended, reopen }
}

/** Events that come one after the other are reported together. */
function gathering(report: (events: readonly AuditEvent[]) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let events: AuditEvent[] = []
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    events = []
  }
  return {
    add: ({ event_id, event_type, item_id, tag_id }: AuditEvent) => {
      events.push({ event_id, event_type, item_id, tag_id })
      timer ??= setTimeout(() => {
        const all = events
        stop()
        report(all)
      }, GATHER)
    },
    stop,
  }
}
