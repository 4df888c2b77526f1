import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { searchAuditLog, searchChanges } from '#web/api/operations.ts'
import type { InputOf, OutputOf } from '#web/api/route.ts'
import { nextUlid } from '#web/rules/next-ulid.ts'
import { eventChanges, type PathChange } from '#src/domain/event-changes.ts'
import type { PastEvent } from '#src/domain/past-event.ts'

export type Change = OutputOf<typeof searchChanges>[number]
export type ChangeQuestion = Pick<
  InputOf<typeof searchChanges>,
  'after_time' | 'before_time' | 'user_id' | 'source' | 'client_id' | 'item_ids' | 'tag_ids'
>
export type { PathChange }

const PAGE = 50

/** Changes that answer the question, newest first, page by page. */
export const changesQuery = (question: ChangeQuestion) =>
  infiniteQueryOptions({
    queryKey: ['changes', question],
    queryFn: async ({ signal, pageParam }) =>
      call(
        searchChanges,
        { ...question, limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** The few newest. */
export const latestChangesQuery = (limit: number, after_time?: string) =>
  queryOptions({
    queryKey: ['changes', 'latest', limit, after_time],
    queryFn: async ({ signal }) =>
      (await call(searchChanges, { limit, ...(after_time && { after_time }) }, { signal })).data,
    staleTime: 0,
  })

/** One change: the newest that is not after it, if that is it; null where there is none. */
export const changeQuery = (change_id: string) =>
  queryOptions({
    queryKey: ['changes', 'one', change_id],
    queryFn: async ({ signal }) => {
      const after = nextUlid(change_id)
      const { data } = await call(searchChanges, { limit: 1, after }, { signal })
      return data.find((change) => change.change_id === change_id) ?? null
    },
    staleTime: 0,
  })

const MOST_OF_ITEM = 1000

/** Which changes of an item have been taken back already, of the newest ones. */
export const undoneOfItemQuery = (item_id: string) =>
  queryOptions({
    queryKey: ['changes', 'undone', item_id],
    queryFn: async ({ signal }) => {
      const { data } = await call(searchChanges, { item_ids: [item_id], limit: MOST_OF_ITEM }, { signal })
      return new Set(data.filter(({ undone_by }) => undone_by !== null).map(({ change_id }) => change_id))
    },
    staleTime: 0,
  })

const PAGE_OF_DAYS = 1000
const MOST_PAGES = 10

export interface DayCounts {
  /** Changes by the reader's own day, `2026-03-01`. */
  days: ReadonlyMap<string, number>
  /** How far back it was read; null: to the very first. */
  since: string | null
}

/** How many changes there were on each day since a time, as far back as ten pages reach. */
export const changesByDayQuery = (
  question: ChangeQuestion,
  after_time: string,
  dayOf: (time: string) => string,
) =>
  queryOptions({
    queryKey: ['changes', 'days', question, after_time],
    queryFn: async ({ signal }): Promise<DayCounts> => {
      const days = new Map<string, number>()
      let after: string | undefined
      let last: string | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const input = { ...question, after_time, limit: PAGE_OF_DAYS, ...(after !== undefined && { after }) }
        const { data, next } = await call(searchChanges, input, { signal })
        for (const { created_at } of data) {
          const day = dayOf(created_at)
          days.set(day, (days.get(day) ?? 0) + 1)
          last = created_at
        }
        if (next === undefined) return { days, since: null }
        after = next
      }
      return { days, since: last ?? null }
    },
    staleTime: 60_000,
  })

export interface ChangeEvent {
  event_id: string
  event_type: string
  item_id: string | null
  tag_id: string | null
  /** What the thing was called, where the event says so. */
  name: string | undefined
  changes: readonly PathChange[]
}

const PAGE_OF_EVENTS = 200

/** What a change did, event by event, oldest first in each page. */
export const changeEventsQuery = (change_id: string, nameOfTag: (tag_id: string) => string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['changes', 'events', change_id],
    queryFn: async ({ signal, pageParam }) => {
      const input = {
        change_id,
        limit: PAGE_OF_EVENTS,
        ...(pageParam !== undefined && { before_event: pageParam }),
      }
      const { data } = await call(searchAuditLog, input, { signal })
      const events = data.map((event): ChangeEvent => {
        const { event_id, event_type, item_id, tag_id } = event
        const past = event as unknown as PastEvent
        const { name } = past.details
        return { event_id, event_type, item_id, tag_id, name, changes: eventChanges(past, nameOfTag) }
      })
      return { events, next: data.length === PAGE_OF_EVENTS ? data.at(-1)!.event_id : undefined }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
