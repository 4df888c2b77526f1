import { Reply, toReply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import {
  isTooLong,
  linesOf,
  MAX_RECORDED,
  type RecordedWork,
  WorkRecorder,
  writeEarly,
  writeRecorded,
} from '#src/storage/large/recorded-work.ts'
import { rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { lockItems } from '#src/storage/large/write-ahead.ts'
import { forgetTags } from '#src/storage/tags/tags.ts'

/** A change that was carried out without holding the writer, but for its writing. */
interface RecordedChange {
  /** The newest event of that moment. */
  newest: Ulid | null
  /** Items whose events it has: while these stay as they are, so does what it writes. */
  concerns: Ulid[]
  answer: { json: string; meta: Reply['meta'] }
  /** The last part that it began; null where it has none. */
  part: number | null
  work: Omit<RecordedWork, 'lines'>
}

/** More events than these since then, and it is planned again. */
const MAX_SINCE = 10_000

/** What is written of a change is one part. */
const WHOLE = 0

/**
 * Works out what a change writes, without holding the writer; of a small one, and of one that would be too long, nothing. Only
 * for what never reads what it has written itself. With `ahead`, `writeChangeAhead` may write some of it before its turn.
 */
export async function recordChange(
  context: SqlContext,
  carryOut: (context: SqlContext) => Promise<object>,
  { ahead = false } = {},
): Promise<Reply> {
  if (context.caller.may_change) return Reply.of(null)
  const newest = await newestEvent(context.db)
  const recorder = new WorkRecorder(context.db, { most: MAX_RECORDED, ahead })
  let reply: Reply
  try {
    reply = toReply(await carryOut({ ...context, db: recorder.db, recorder }))
  } catch (error) {
    if (isTooLong(error)) return Reply.of(null)
    throw error
  }
  const { json, meta } = reply
  const concerns = recorder.items
  if (concerns.length < MANY) return Reply.of(null)
  const { lines, ...work } = recorder.work
  const part = context.change.part ?? null
  const recorded: RecordedChange = { newest, concerns, answer: { json, meta }, part, work }
  return new Reply([JSON.stringify(recorded), ...lines].join('\n'))
}

/** Writes rows of its items before it has its turn (decision 110), where none of them has changed since. */
export async function writeChangeAhead({ db, planned }: SqlContext): Promise<void> {
  if (!planned || !db.ahead) return
  const lines = linesOf(planned)
  const recorded = JSON.parse(lines.next().value as string) as RecordedChange | null
  if (!recorded) return
  await lockItems(db, recorded.concerns)
  if (!(await isUntouched(db, recorded))) return
  await writeEarly(db, recorded.work, lines)
  db.ahead.parts.add(WHOLE)
}

/**
 * Writes what `recordChange` worked out; undefined where that was nothing. `holds` says what else must be as it was,
 * `presence` whether items go rather than change. Overtaken where it does not hold any more.
 */
export async function writeChange(
  context: SqlContext,
  {
    holds = async () => true,
    presence = false,
  }: { holds?: (items: number) => Promise<boolean>; presence?: boolean } = {},
): Promise<Reply | undefined> {
  const { db, planned } = context
  if (!planned) return undefined
  const lines = linesOf(planned)
  const recorded = JSON.parse(lines.next().value as string) as RecordedChange | null
  if (!recorded) return undefined
  const { concerns, answer, part, work } = recorded
  if (!(await isUntouched(db, recorded)) || !(await holds(concerns.length))) return rolledBack('overtaken')
  const written = { times: concerns.length, presence: presence ? concerns.length : 0 }
  await rebuildingIndexes(db, written, () => writeRecorded(db, context, work, lines, WHOLE))
  if (part !== null) context.change.part = part
  forgetTags(db)
  return new Reply(answer.json, answer.meta)
}

async function isUntouched(db: Db, { newest, concerns }: RecordedChange): Promise<boolean> {
  if (newest === (await newestEvent(db))) return true
  const changed = await idsChangedSince(db, newest, MAX_SINCE)
  return changed !== undefined && !concerns.some((item_id) => changed.has(item_id))
}
