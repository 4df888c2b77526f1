import { hash } from 'node:crypto'
import { badRequest } from '#src/domain/errors.ts'
import type { AnyPlan } from '#src/filter/meaning/plan.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { AnyWeights } from '#src/storage/words/find-any.ts'

/** Where an item is in the order of scores. */
export interface RankedPlace {
  readonly score: number
  readonly name_length: number
  readonly updated_at: string
  /** Row id. */
  readonly item: number
  /** Of the order's keys, where there are others than the score. */
  readonly values?: readonly OrderValue[]
}

/** Where the next page begins, and what the first one was weighed by. */
export interface RankedCursor {
  /** How many items come before. */
  readonly rank: number
  /** The last item before; of those that are not put in order only its row id counts. */
  readonly place: RankedPlace
  /** For each search, in the order of the filter. */
  readonly weights: readonly AnyWeights[]
}

const MARK_LENGTH = 6

/** Ties a cursor to what is searched for: with other texts its weights would mean something else. */
const markOf = (searches: readonly AnyPlan[]): string =>
  hash(
    'sha1',
    JSON.stringify(
      searches.map(({ texts, places }) => [texts.map((words) => words.map(({ stem }) => stem)), places]),
    ),
    'base64url',
  ).slice(0, MARK_LENGTH)

type Written = [
  string,
  number,
  [number, number, string, number, (readonly OrderValue[])?],
  [number, number[], number[][]][],
]

export function writeRankedCursor(
  searches: readonly AnyPlan[],
  { rank, place, weights }: RankedCursor,
): string {
  const { score, name_length, updated_at, item, values } = place
  const written: Written = [
    markOf(searches),
    rank,
    values ? [score, name_length, updated_at, item, values] : [score, name_length, updated_at, item],
    weights.map(({ weights: { items, averages }, havings }) => [
      items,
      [...averages],
      havings.map((each) => each.flat()),
    ]),
  ]
  return Buffer.from(JSON.stringify(written)).toString('base64url')
}

/** @throws BadRequest for text that is no cursor of these searches */
export function readRankedCursor(searches: readonly AnyPlan[], cursor: string): RankedCursor {
  const written = parsed(cursor)
  if (!written || written[0] !== markOf(searches) || !fits(written, searches)) throw brokenCursor()
  const [, rank, [score, name_length, updated_at, item, values], weights] = written
  return {
    rank,
    place: { score, name_length, updated_at, item, ...(values && { values }) },
    weights: weights.map(([items, averages, havings]) => ({
      weights: { items, averages: averages as unknown as [number, number, number] },
      havings: havings.map(pairsOf),
    })),
  }
}

function parsed(cursor: string): Written | undefined {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Written
  } catch {
    return undefined
  }
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
const areValues = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= MOST_KEYS &&
  value.every((each) => each === null || typeof each === 'string' || Number.isFinite(each))
const areNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber)

/** Whether it has the form that it was written in: it comes from outside. */
function fits(written: Written, searches: readonly AnyPlan[]): boolean {
  const [, rank, place, weights] = written
  return (
    isNumber(rank) &&
    Array.isArray(place) &&
    [place[0], place[1], place[3]].every(isNumber) &&
    typeof place[2] === 'string' &&
    (place[4] === undefined || areValues(place[4])) &&
    Array.isArray(weights) &&
    weights.length === searches.length &&
    weights.every(
      (each, i) =>
        Array.isArray(each) &&
        isNumber(each[0]) &&
        areNumbers(each[1]) &&
        each[1].length === 3 &&
        Array.isArray(each[2]) &&
        each[2].length === searches[i]!.texts.length &&
        each[2].every(
          (pairs) => areNumbers(pairs) && pairs.length % 2 === 0 && pairs.length <= 2 * MOST_PAIRS,
        ),
    )
  )
}

/** Four that are asked for, and the two of equals. */
const MOST_KEYS = 6

/** Words of an alternative that count. */
const MOST_PAIRS = 32

const pairsOf = (flat: readonly number[]): [number, number][] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!])

const brokenCursor = () =>
  badRequest('after: not a cursor of this search', {
    suggestion: 'Give X-Next-Cursor (next.after) of the page before, with the same filter and sort',
    details: { errors: [{ path: 'after', message: 'not a cursor of this search' }] },
  })
