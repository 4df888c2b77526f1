import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { isUpToDate, type ItemsChanged } from '#web/data/items-changed.ts'
import { type Row, type RowSource, toRow } from '#web/data/row-source.ts'
import { timeZone } from '#web/data/time-zone.ts'

/** Ids in one request. */
const AT_ONCE = 500
/** Of more that came no more is said than that there are many. */
const MOST_NEW = 1000

/**
 * Reads the rows again that have changed; they stay where they are. What came and matches is counted, not shown, but for
 * what somebody brought back here: then it says that all is to be read again, which gives it its place.
 */
export async function renewRows(
  source: RowSource,
  what: ItemsChanged,
  signal: AbortSignal,
): Promise<'renewed' | 'brought back'> {
  const { item_ids, came, tag_ids, events, isUndo } = what
  await source.pageRead()
  const known = new Map(source.rows.map(({ item_id, updated_at }) => [item_id, updated_at]))
  const isOld = (id: string) => known.has(id) && !isUpToDate(what, id, known.get(id)!)
  const hasTag = ({ tags }: Row) => tag_ids.size > 0 && Object.keys(tags).some((id) => tag_ids.has(id))
  const tagged = source.rows.filter(hasTag).map(({ item_id }) => item_id)
  const changed = [...new Set([...[...item_ids].filter(isOld), ...tagged])]
  for (let i = 0; i < changed.length; i += AT_ONCE) {
    const some = changed.slice(i, i + AT_ONCE)
    const rows = await search({ id: { in: some } }, signal)
    const found = new Set(rows.map(({ item_id }) => item_id))
    const gone = some.filter((id) => !found.has(id))
    source.renewed(rows, isUndo ? [] : gone)
    if (isUndo) source.remove(new Set(gone))
  }
  const isNew = (id: string) => !known.has(id) && source.isLater(events.get(id))
  const others = [...came].filter(isNew).slice(0, MOST_NEW)
  const { filter } = source.question
  for (let i = 0; i < others.length; i += AT_ONCE) {
    const some = { id: { in: others.slice(i, i + AT_ONCE) } }
    const rows = await search(filter ? { and: [filter, some] } : some, signal)
    if (isUndo && rows.length) return 'brought back'
    source.arrived(rows.map(({ item_id }) => item_id))
  }
  return 'renewed'
}

async function search(filter: Record<string, unknown>, signal: AbortSignal): Promise<Row[]> {
  const input = { filter, limit: AT_ONCE, time_zone: timeZone() }
  return (await call(searchItems, input, { signal })).data.map(toRow)
}
