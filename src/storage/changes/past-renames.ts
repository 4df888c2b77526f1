import { sql } from 'kysely'
import { pastRename, type PastRename } from '#src/domain/past-rename.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { EVENT_COLUMNS, readEvent, type UnreadEvent, unreadEvent } from '#src/storage/changes/past-events.ts'

// Changes of tags are few, their items' events many: the index on types serves.
const changesOfTags = query((p: { tag_ids: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_type', '=', 'tag_updated')
    .where(dialect.filter.withoutIndex(sql.ref<string>('tag_id'), 'text'), 'in', dialect.texts(p.tag_ids))
    .where('details', 'like', '%"renamed_%')
    .orderBy('event_id'),
)

const changesBetween = query((p: { after: Ulid; until: Ulid }, db) =>
  db
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_type', '=', 'tag_updated')
    .where('event_id', '>', p.after)
    .where('event_id', '<=', p.until)
    .where('details', 'like', '%"renamed_%')
    .orderBy('event_id'),
)
/** Before and after all ids. */
const [FIRST, LAST] = ['', '~']

/** The events in which fields or variants of the tags got other names, oldest first. */
export async function renameEventsOf(db: Db, tag_ids: readonly Ulid[]): Promise<UnreadEvent[]> {
  if (!tag_ids.length) return []
  await requireWholeLog(db)
  return (await db.all(changesOfTags, { tag_ids: JSON.stringify(tag_ids) })).map(unreadEvent)
}

/** The same of all tags up to an event, of those too that are deleted or purged: they have moved times of items. */
export async function renameEventsUntil(db: Db, until: Ulid): Promise<UnreadEvent[]> {
  await requireWholeLog(db)
  return (await db.all(changesBetween, { after: FIRST, until })).map(unreadEvent)
}

export const renamesOf = async (db: Db, tag_ids: readonly Ulid[]): Promise<PastRename[]> =>
  readRenames(db, await renameEventsOf(db, tag_ids))

/** Those of all tags after an event, oldest first. */
export const renamesSince = async (db: Db, after: Ulid): Promise<PastRename[]> =>
  readRenames(db, (await db.all(changesBetween, { after, until: LAST })).map(unreadEvent))

async function readRenames(db: Db, events: readonly UnreadEvent[]): Promise<PastRename[]> {
  const renames: PastRename[] = []
  for (const event of events) {
    const rename = pastRename(await readEvent(db, event))
    if (rename) renames.push(rename)
  }
  return renames
}
