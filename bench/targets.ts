import type { WorkName } from '#bench/works.ts'

/** The least ratio of Facet's rate to the floor's, by connections. */
export const RATIOS: readonly { work: WorkName; connections: Readonly<Record<number, number>> }[] = [
  { work: 'read', connections: { 10: 0.55, 50: 0.6 } },
  { work: 'create', connections: { 10: 1.5, 50: 2.3 } },
  { work: 'merge', connections: { 10: 1.4, 50: 2.2 } },
  { work: 'substring', connections: { 10: 1.5, 50: 1.5 } },
  { work: 'substring_different', connections: { 10: 1.5, 50: 1.5 } },
  { work: 'two_fields', connections: { 10: 0.9, 50: 0.9 } },
  { work: 'select_and_date', connections: { 10: 0.9, 50: 0.9 } },
  { work: 'name_and_number', connections: { 10: 0.85, 50: 0.85 } },
  { work: 'hop', connections: { 10: 0.85, 50: 0.85 } },
  { work: 'bulk_create', connections: { 1: 1 } },
]

/** Milliseconds of one search at a million items, at the median. */
export const SEARCH_P50: Readonly<Partial<Record<WorkName, number>>> = {
  substring: 3,
  substring_different: 3,
  short_substring: 10,
  two_fields: 10,
  hop: 10,
  two_hops: 10,
  hop_to_select: 10,
  by_order: 10,
  selective: 10,
  labels: 10,
  sorted: 10,
  sorted_by_change: 10,
  empty_intersection: 15,
  large_ranges: 60,
  group: 60,
  group_filtered: 80,
  group_by_month: 120,
  sum_by_select: 150,
  backlinks: 10,
  referred: 15,
  referred_count: 60,
  referred_counted: 60,
  relevance: 20,
  thousand_ids: 10,
  expand: 11,
}

/** Milliseconds that the names of references add to a page of a million items, at the median. */
export const EXPAND_MS = 1

/** The same at a hundred thousand items. */
export const SEARCH_P50_OF_MANY: Readonly<Partial<Record<WorkName, number>>> = { wide_or: 300 }

/** Milliseconds of processor time of one search at a million items once the index is in memory: median, 95th percentile. */
export const SEARCH_CPU: Readonly<Partial<Record<WorkName, readonly [p50: number, p95: number]>>> = {
  any_words: [15, 40],
  any_common: [15, 40],
}

/** Searches that are measured one at a time. */
export const SEARCHED = Object.keys({ ...SEARCH_P50, ...SEARCH_P50_OF_MANY, ...SEARCH_CPU }) as WorkName[]

export const LIST_TIME_RATIO = 1.3
/** Megabytes over idle while everything is listed. */
export const LIST_RSS_GROWTH = 60
/** Of the rate at 10,000 items, at a million. */
export const READ_RATE_AT_MILLION = 0.8
export const START_MS = 1000
export const IDLE_RSS = 200
/** Of a REST read. */
export const MCP_READ_COST = 1.5
export const IDLE_STREAM_KB = 40
export const TOOL_LIST_TOKENS = 10_000
/** What looking a session up may add to a read by id. */
export const SESSION_SHARE = 0.15
/** Of a read by id with a session, one with a key. */
export const KEY_COST = 1.05
/** Milliseconds, while 500 bad logins at once come from one address. */
export const FLOODED_READ_P99 = 50
export const FLOODED_LOGIN_P99 = 1000
/** Milliseconds, 99th percentile, while 20 searches run over a million items. */
export const LOOP_DELAY_P99 = 20

/** Of the time of the change that is taken back. */
export const UNDO_COST = 3
/** Milliseconds, of an item with 1,000 events. */
export const PAST_P50 = 20
/** Of a write without a key. */
export const KEYED_COST = 1.15
/** Of a change whose events are neither salted nor hashed. */
export const CHAIN_COST = 1.05
/** Milliseconds from commit to event, and where the listener is at another process. */
export const STREAMED_P50 = 20
export const STREAMED_P50_OF_TWO = 100
/** Megabytes that a thousand listeners take. */
export const LISTENERS_RSS = 60
/** Milliseconds that somebody else's write waits while 100,000 items are changed at once. */
export const BULK_WAIT_MS = 1000

/** The least ratio of the rate on PostgreSQL to that on SQLite; without one it is only shown. */
export const POSTGRES_RATIOS: readonly { work: WorkName; connections: readonly number[]; least?: number }[] =
  [
    { work: 'read', connections: [10, 50], least: 0.4 },
    { work: 'create', connections: [10, 50] },
    { work: 'merge', connections: [10, 50] },
    { work: 'two_fields', connections: [10] },
    { work: 'bulk_create', connections: [1] },
  ]
/** The most that one search may take on PostgreSQL, of its time on SQLite; two common words may take longer. */
export const POSTGRES_SEARCH_TIME = 3
export const POSTGRES_TWO_WORDS_TIME = 5
/** What one of the twenty tasks of an assistant costs at the median. */
export const AGENT_MEDIAN = { calls: 2, tokens: 600 }
/** Reads of two processes to those of one. */
export const TWO_PROCESSES = 1.5

/** Of searches for any of some words over the Cranfield collection (additions §13). */
export const [MAP, NDCG] = [0.3, 0.36]

/** Milliseconds from a write to its events on a thousand live streams (further §19), and megabytes that they take. */
/** Of the longest wait of another's write beside a change of many items, where a hundred streams are told of it. */
export const LIVE_BULK_WAIT = 1.5
/** Of the dry run of its batch, and of the batch. */
export const PROPOSAL_COST = 1.5
export const ACCEPT_COST = 1.5
/** Of one that asks for the same by a filter. */
export const LIMITED_READ_COST = 1.3
export const LIVE_P95 = 50
export const LIVE_LOOP_P99 = 50
export const LIVE_RSS = 120

/** Milliseconds at a million items with 10,000 that have changed since (further §20): a page, a count. */
export const AS_OF_PAGE = 60
export const AS_OF_COUNT = 150

/** Of 100,000 rows of ten columns. */
export const IMPORT_SECONDS = { sqlite: 60, postgres: 150 }
/** Megabytes over idle meanwhile. */
export const IMPORT_RSS = 300
/** Milliseconds that somebody else's write waits meanwhile. */
export const IMPORT_WAIT_MS = 1000
/** Of the rate of a bare server that writes a stream to a file, and answers with one. */
export const FILE_RATIO = 0.7
/** Megabytes that uploads take more, of any size and number. */
export const UPLOAD_RSS = 64
