import { type Answer, call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { lastHeard } from '#web/data/last-heard.ts'
import { timeZone } from '#web/data/time-zone.ts'
import { NEWEST_FIRST, type Question, questionOf, readTableState } from '#web/rules/table-state.ts'
import { Slot } from '#web/store.ts'

/** Rows of the first page of a search. */
export const FIRST_PAGE = 200

type Rows = Answer<OutputOf<typeof searchItems>>

const asked = new Slot<{ key: string; rows: Promise<Rows> } | null>('first_rows', 'account', () => null)

/** Asks for the rows that the address shows before anything of the table is loaded or drawn. */
export function askFirstRows({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const [, tag_id] = /^\/tags\/(\w{26})$/.exec(pathname) ?? []
  if (tag_id === undefined && pathname !== '/items') return
  const state = readTableState(search)
  const question = questionOf(tag_id === undefined ? null : { has_tag: tag_id.toUpperCase() }, {
    ...state,
    sort: state.sort.length ? state.sort : NEWEST_FIRST,
  })
  const input = { ...question, limit: FIRST_PAGE, time_zone: timeZone() }
  const rows = call(searchItems, input)
  rows.catch(() => undefined) // the one that takes them says what is wrong
  asked.set({ key: JSON.stringify(input), rows })
}

/**
 * The answer to this very question, if it was asked beforehand; to the first who wants it alone. One that is older than
 * what the page has heard of until then is asked for again: no rows were there that could be renewed.
 */
export function takeFirstRows(input: Question): Promise<Rows> | undefined {
  const first = asked.get()
  asked.empty()
  if (first?.key !== JSON.stringify(input)) return undefined
  const last = lastHeard()
  if (last === undefined || input.as_of !== undefined) return first.rows
  return first.rows.then((rows) => ((rows.event_id ?? last) < last ? call(searchItems, input) : rows))
}
