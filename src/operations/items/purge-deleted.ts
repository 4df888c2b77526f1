import { Type } from 'typebox'
import { forbidden, invalid } from '#src/domain/errors.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { checkAllFound } from '#src/operations/items/check-all-found.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { DryRun, GivenTime, Ids } from '#src/operations/shared-inputs.ts'
import { Ulid } from '#src/operations/shared-answers.ts'
import { deletedTagIdsOf } from '#src/operations/tags/tag-ids-of.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { purgeTags } from '#src/storage/tags/change-tags.ts'
import { deletedItems, purgeItems } from '#src/storage/items/deleted-items.ts'
import { deletedTags } from '#src/storage/tags/tags.ts'

export const purgeDeleted = defineOperation({
  name: 'purgeDeleted',
  summary: 'Remove deleted items and tags for good. Without ids or age: all that are deleted.',
  description:
    'With ids of one kind alone nothing of the other kind is purged. With `older_than` only what was deleted before. ' +
    'Audit events of what is purged stay, and references to it dangle.',
  tool_description:
    'Ids of one kind alone leave the other kind. Audit events stay, references dangle. Cannot be undone.',
  access: 'user',
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
  errors: ['NotFound'],
  example: { input: { older_than: '2026-01-01', dry_run: true } },
  async run(context, { item_ids, tag_ids, older_than, dry_run = false }) {
    const { db, caller } = context
    // It has no such tool; a batch would lead here too.
    if (caller.source === 'chat')
      throw forbidden('The assistant purges nothing', {
        suggestion: 'Tell the user what you would purge, and ask them to do it themselves',
      })
    const isOld = olderThan(older_than)
    const onlyIds = item_ids !== undefined || tag_ids !== undefined
    const wantedItems = idsOf(item_ids, onlyIds)
    const wantedTags = idsOf(tag_ids && (await deletedTagIdsOf(db, tag_ids)), onlyIds)
    const foundItems = await deletedItems(db, wantedItems && [...wantedItems])
    const foundTags = (await deletedTags(db)).filter(({ tag_id }) => wantedTags?.has(tag_id) ?? true)
    checkAllFound(
      [
        ['item_ids', 'item', wantedItems, new Set(foundItems.map(({ item_id }) => item_id))],
        ['tag_ids', 'tag', wantedTags, new Set(foundTags.map(({ tag_id }) => tag_id))],
      ],
      'purged',
    )
    const items = foundItems.filter(isOld)
    const tags = foundTags.filter(isOld)
    if (!dry_run) {
      await purgeItems(
        db,
        items.map(({ id }) => id),
      )
      await purgeTags(
        db,
        tags.map(({ id }) => id),
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
    return {
      purged_item_ids: items.map(({ item_id }) => item_id),
      purged_tag_ids: tags.map(({ tag_id }) => tag_id),
      dry_run,
    }
  },
})

/** Undefined: all. */
const idsOf = (given: readonly string[] | undefined, onlyIds: boolean): Set<string> | undefined =>
  given ? new Set(given.map((id) => parseUlid(id) ?? id)) : onlyIds ? new Set() : undefined

function olderThan(text: string | undefined): (deleted: { deleted_at: string | null }) => boolean {
  if (text === undefined) return () => true
  const time = parseIsoTime(text)
  if (!time) throw invalid([{ path: 'older_than', message: 'expected an ISO 8601 date or date-time' }])
  return ({ deleted_at }) => Date.parse(deleted_at!) < time.ceil
}
