import { hash } from 'node:crypto'
import { badRequest } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { orderValues, type OrderValue } from '#src/storage/search/order-values.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'

/**
 * A cursor names the last items of its page; their places are looked up when it is used. One would do, but the
 * place of an item whose sorted value has changed meanwhile, or that was purged, is lost: then the one before it
 * holds the place. Each carries a mark, the hash of the values that it was sorted by (decision 21).
 */
const ANCHORS = 3
const ID_LENGTH = 26
const MARK_LENGTH = 6

/** Where a page begins: after this item (row id) with these values of the order's keys. */
export interface CursorPlace {
  readonly item: number
  readonly values: readonly OrderValue[]
}

/** The cursor after an item, in order of creation. */
export const cursorById = (item_id: Ulid): string => Buffer.from(item_id).toString('base64url')

/** The cursor after the last of these items (row ids); `before` is the cursor of the page that they are on. */
export async function cursorAfter(
  db: Db,
  order: SearchOrder,
  ids: readonly number[],
  before?: string,
): Promise<string> {
  const last = ids.slice(order.keys.length ? -ANCHORS : -1)
  const known = await orderValues(db, order, last)
  const anchors = last.flatMap((id) => {
    const item = known.get(id)
    return item ? item.item_id + (order.keys.length ? markOf(order, item.values) : '') : []
  })
  const earlier =
    before !== undefined && order.keys.length && last.length < ANCHORS ? read(before, order) : []
  const all = [...earlier.map(({ item_id, mark }) => item_id + mark), ...anchors].slice(-ANCHORS)
  return Buffer.from(all.join('')).toString('base64url')
}

/**
 * Where a cursor is now. In order of creation that is always known, in another order as long as one of its items
 * is where it was.
 * @throws BadRequest for text that is no cursor of this order, and where the place is lost
 */
export async function placeOfCursor(db: Db, order: SearchOrder, cursor: string): Promise<CursorPlace> {
  const anchors = read(cursor, order)
  const targets = await findTargets(
    db,
    anchors.map(({ item_id }) => item_id),
  )
  if (!order.keys.length) {
    const target = targets.get(anchors[0]!.item_id)
    if (!target) throw brokenCursor()
    return { item: target.id, values: [] }
  }
  const known = await orderValues(
    db,
    order,
    [...targets.values()].flatMap(({ id, state }) => (state === 'purged' ? [] : [id])),
  )
  for (const { item_id, mark } of anchors.toReversed()) {
    const id = targets.get(item_id)?.id
    const found = id === undefined ? undefined : known.get(id)
    if (id !== undefined && found && markOf(order, found.values) === mark)
      return { item: id, values: found.values }
  }
  throw badRequest(
    'The place that the cursor marks is lost: its items have other values now, or the sort is another',
    {
      suggestion:
        'Start again without `after`; sort by what your changes leave as it is, e.g. created_at, to go on through changes',
    },
  )
}

/** Row ids of the items that a cursor names. */
export async function cursorItems(db: Db, order: SearchOrder, cursor: string): Promise<number[]> {
  const targets = await findTargets(
    db,
    read(cursor, order).map(({ item_id }) => item_id),
  )
  return [...targets.values()].map(({ id }) => id)
}

interface Anchor {
  item_id: Ulid
  mark: string
}

function read(cursor: string, order: SearchOrder): Anchor[] {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const length = ID_LENGTH + (order.keys.length ? MARK_LENGTH : 0)
  const count = text.length / length
  if (!Number.isInteger(count) || count < 1 || count > ANCHORS) throw brokenCursor()
  return Array.from({ length: count }, (_, i) => {
    const item_id = parseUlid(text.slice(i * length, i * length + ID_LENGTH))
    if (item_id === null) throw brokenCursor()
    return { item_id, mark: text.slice(i * length + ID_LENGTH, (i + 1) * length) }
  })
}

const brokenCursor = () =>
  badRequest('after: not a cursor of this search', {
    suggestion: 'Give X-Next-Cursor (next.after) of the page before, with the same filter and sort',
    details: { errors: [{ path: 'after', message: 'not a cursor of this search' }] },
  })

function markOf({ keys }: SearchOrder, values: readonly OrderValue[]): string {
  const names = keys.map(({ column, field, descending }) => [column ?? field?.id ?? 'relevance', descending])
  return hash('sha1', JSON.stringify([names, values]), 'base64url').slice(0, MARK_LENGTH)
}
