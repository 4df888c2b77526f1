import { Type } from 'typebox'
import { forbidden, invalid } from '#src/domain/errors.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { canonicalId } from '#src/domain/ulid.ts'
import { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import { recordChange, writeChange, writeChangeAhead } from '#src/operations/changes/recorded-change.ts'
import { checkAllFound } from '#src/operations/items/check-all-found.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { DryRun, GivenTime, Ids } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { deletedTagIdsOf } from '#src/operations/tags/tag-ids-of.ts'
import type { Db } from '#src/sql/query.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { dropFileUses } from '#src/storage/files/file-uses.ts'
import { purgeTags } from '#src/storage/tags/change-tags.ts'
import { deletedItems, type Purgeable, purgeItems } from '#src/storage/items/deleted-items.ts'
import { deletedTags, type StoredTag } from '#src/storage/tags/tags.ts'
import { purgeWords } from '#src/storage/words/clear-words.ts'

export const purgeDeleted = defineOperation({
  name: 'purgeDeleted',
  summary: 'Remove deleted items and tags for good. Without ids or age: all that are deleted.',
  description:
    'With ids of one kind alone nothing of the other kind is purged. With `older_than` only what was deleted before. ' +
    'Audit events of what is purged stay, and references to it dangle.',
  tool_description:
    'Ids of one kind alone leave the other kind. Audit events stay, references dangle. Cannot be undone.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/purge',
  tool: 'purge_deleted_items',
  hints: { destructive: true },
  input: Type.Object(
    {
      item_ids: Type.Optional(Ids('Only these deleted items')),
      tag_ids: Type.Optional(Ids('Only these deleted tags (ids or names)')),
      older_than: Type.Optional(GivenTime('Only what was deleted before this time')),
      dry_run: Type.Optional(DryRun),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    purged_item_ids: Type.Array(Ulid),
    purged_tag_ids: Type.Array(Ulid),
    dry_run: Type.Boolean(),
  }),
  errors: ['NotFound', 'Conflict'],
  example: { input: { older_than: '2026-01-01', dry_run: true } },
  plan: (context, input) =>
    recordChange(context, (recording) => purgeWanted(recording, input), { ahead: true }),
  ahead: writeChangeAhead,
  run: async (context, input) => {
    const reply =
      (await writeChange(context, { presence: true })) ?? Reply.of(await purgeWanted(context, input))
    if (!input.dry_run && !rollbackReason(reply)) {
      const { purged_item_ids } = JSON.parse(reply.json) as { purged_item_ids: string[] }
      await purgeWords(context.db, purged_item_ids)
    }
    return reply
  },
})

interface PurgeInput extends Wanted {
  dry_run?: boolean
}

/** What the assistant is told, which has no such tool. */
export const ASSISTANT_PURGES_NOTHING = {
  message: 'The assistant purges nothing',
  suggestion: 'Tell the user what you would purge, and ask them to do it themselves',
}

async function purgeWanted(context: SqlContext, { dry_run = false, ...wanted }: PurgeInput) {
  // A batch would lead here.
  if (context.caller.source === 'chat') {
    const { message, ...options } = ASSISTANT_PURGES_NOTHING
    throw forbidden(message, options)
  }
  const { items, tags } = await findDeleted(context.db, wanted)
  if (!dry_run) await purge(context, items, tags)
  return {
    purged_item_ids: items.map(({ item_id }) => item_id),
    purged_tag_ids: tags.map(({ tag_id }) => tag_id),
    dry_run,
  }
}

interface Wanted {
  item_ids?: readonly string[]
  tag_ids?: readonly string[]
  older_than?: string
}

/** @throws NotFound where one of the ids is not deleted, Conflict where a name is that of several tags */
async function findDeleted(db: Db, { item_ids, tag_ids, older_than }: Wanted) {
  const isOld = olderThan(older_than)
  const onlyIds = item_ids !== undefined || tag_ids !== undefined
  const wantedItems = idsOf(item_ids, onlyIds)
  const allTags = await deletedTags(db)
  const wantedTags = idsOf(tag_ids && deletedTagIdsOf(allTags, tag_ids), onlyIds)
  const items = await deletedItems(db, wantedItems && [...wantedItems])
  const tags = allTags.filter(({ tag_id }) => wantedTags?.has(tag_id) ?? true)
  checkAllFound(
    [
      ['item_ids', 'item', wantedItems, new Set(items.map(({ item_id }) => item_id))],
      ['tag_ids', 'tag', wantedTags, new Set(tags.map(({ tag_id }) => tag_id))],
    ],
    'purged',
  )
  return { items: items.filter(isOld), tags: tags.filter(isOld) }
}

async function purge(
  context: SqlContext,
  items: readonly Purgeable[],
  tags: readonly StoredTag[],
): Promise<void> {
  const { db } = context
  const rowIds = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
  await purgeItems(db, rowIds(items))
  await purgeTags(db, rowIds(tags))
  if (items.length)
    await dropFileUses(
      db,
      items.map(({ item_id }) => item_id),
      context.now,
    )
  await appendEvents(db, context, [
    ...items.map(({ item_id, name }) => ({
      event_type: 'item_purged' as const,
      entity_type: 'item' as const,
      item_id,
      details: { name },
    })),
    ...tags.map(({ tag_id, name }) => ({
      event_type: 'tag_purged' as const,
      entity_type: 'tag' as const,
      tag_id,
      details: { name },
    })),
  ])
}

/** Undefined: all. */
const idsOf = (given: readonly string[] | undefined, onlyIds: boolean): Set<string> | undefined =>
  given ? new Set(given.map(canonicalId)) : onlyIds ? new Set() : undefined

function olderThan(text: string | undefined): (deleted: { deleted_at: string | null }) => boolean {
  if (text === undefined) return () => true
  const time = parseIsoTime(text)
  if (!time) throw invalid([{ path: 'older_than', message: 'expected an ISO 8601 date or date-time' }])
  return ({ deleted_at }) => Date.parse(deleted_at!) < time.ceil
}
