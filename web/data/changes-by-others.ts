import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { getMe } from '#web/api/operations.ts'
import { sessionState, useSessionAccount } from '#web/api/session-state.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { notificationsQuery, unreadQuery } from '#web/data/notifications-query.ts'
import { tagsQuery } from '#web/data/tags-query.ts'
import { viewsQuery } from '#web/data/views-query.ts'
import { soon } from '#web/parts/soon.ts'

/**
 * Held by the tab that listens to the service, and the channel by which it notifies the others: those of the same
 * account, because a tab that somebody else has signed in over hears nothing of theirs, and keeps nobody from listening.
 */
const nameFor = (user_id: string) => `facet.changes.${user_id}`
/** Milliseconds in which events gather; what this tab has done itself has its answer by then. */
const GATHER = 400
/** Milliseconds in which changes of tags gather: everything in sight may have to be read again. */
const GATHER_TAGS = 1000
/** Milliseconds until it is tried again to listen. */
const PAUSE = 5000
const CAME = new Set(['item_created', 'item_restored', 'tag_applied'])

/** What happened, as the tabs tell each other. */
interface Happened {
  /** The last event that was heard. */
  last: string
  /** When each item changed. */
  items: readonly [item_id: string, at: string][]
  came: readonly string[]
  /** Ids of tags that have changed. */
  tag_ids: readonly string[]
}

/** How many notifications are unread now. */
interface Rung {
  unread_count: number
}

interface AuditEvent {
  event_id: string
  event_type: string
  item_id: string | null
  tag_id: string | null
  created_at: string
}

/**
 * Follows what others do. Of all tabs of a browser one listens to the service and notifies the rest: over HTTP/1.1 a
 * browser has six connections to a host, and a stream takes one for as long as it is open.
 */
export function useChangesByOthers(): void {
  const client = useQueryClient()
  const user_id = useSessionAccount()
  useEffect(() => {
    if (user_id === null) return
    let last: string | undefined
    const tags = renewedTags(client)
    const channel = new BroadcastChannel(nameFor(user_id))
    const hear = (message: Happened | Rung) => {
      if ('unread_count' in message) return ring(client, message)
      ;({ last } = message)
      itemsChanged(
        message.items.map(([item_id]) => item_id),
        { came: message.came, at: new Map(message.items) },
      )
      tags.changed(message.tag_ids)
    }
    channel.onmessage = ({ data }) => hear(data as Happened | Rung)
    const over = new AbortController()
    const lead = () =>
      listen(
        { user_id, last: () => last },
        (message) => {
          channel.postMessage(message)
          hear(message)
        },
        over.signal,
      )
    navigator.locks.request(nameFor(user_id), { signal: over.signal }, lead).catch(() => undefined)
    return () => {
      over.abort()
      channel.close()
    }
  }, [client, user_id])
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

/** Resolves when it is over; until then it comes back with the last event that anybody has heard. */
function listen(
  { user_id, last }: { user_id: string; last: () => string | undefined },
  report: (message: Happened | Rung) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    const gathered = gathering(report)
    const open = () => {
      const after = last()
      const asked = new URLSearchParams({
        notifications: 'true',
        expected_user: user_id,
        ...(after !== undefined && { after }),
      })
      source = new EventSource(`/api/changes/stream?${asked}`)
      source.addEventListener('audit', ({ data }) => gathered.add(JSON.parse(data as string) as AuditEvent))
      source.addEventListener('notifications', ({ data }) => report(JSON.parse(data as string) as Rung))
      source.addEventListener('error', () => {
        // The browser comes back by itself but after an answer that is no stream.
        if (source?.readyState !== EventSource.CLOSED) return
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
    open()
    signal.addEventListener('abort', () => {
      source?.close()
      clearTimeout(retry)
      gathered.stop()
      resolve()
    })
  })
}

/** Events that come one after the other are reported together. */
function gathering(report: (message: Happened) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let events: AuditEvent[] = []
  const flush = () => {
    timer = undefined
    const all = events
    events = []
    report({
      last: all.at(-1)!.event_id,
      items: all.flatMap(({ item_id, created_at }) => (item_id ? [[item_id, created_at] as const] : [])),
      came: all.flatMap(({ item_id, event_type }) => (item_id && CAME.has(event_type) ? [item_id] : [])),
      tag_ids: all.flatMap(({ item_id, tag_id, event_type }) =>
        !item_id && tag_id && event_type.startsWith('tag_') ? [tag_id] : [],
      ),
    } as Happened)
  }
  return {
    add: (event: AuditEvent) => {
      events.push(event)
      timer ??= setTimeout(flush, GATHER)
    },
    stop: () => clearTimeout(timer),
  }
}
