import { notFound } from '#src/domain/errors.ts'
import { canonicalId, lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { readSecurityHead } from '#src/storage/accounts/security-chain.ts'
import { dropFileUses } from '#src/storage/files/file-uses.ts'
import { presentFiles } from '#src/storage/files/log-only-files.ts'
import { dropAnswersNaming } from '#src/storage/idempotency/stored-answers.ts'
import { importsThatWrote } from '#src/storage/imports/import-changes.ts'
import { enterDrafts } from '#src/storage/large/audit-drafts.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import {
  type AuditHeads,
  auditHeads,
  type FollowedEvents,
  followEvents,
} from '#src/storage/log/find-events.ts'
import { findEventsToRedact, redactCopies, redactEvents } from '#src/storage/log/redact-events.ts'
import { changedTags } from '#src/storage/past/past-tags.ts'
import { isProposed } from '#src/storage/proposals/redact-proposals.ts'

interface NewEventsQuery {
  /** Exclusive; null: only how far the log is. */
  after: Ulid | null
  limit: number
  item_ids?: readonly Ulid[] | undefined
  tag_ids?: readonly Ulid[] | undefined
  event_types?: readonly string[] | undefined
}

/** The events after one, oldest first. */
export const readNewEvents = defineStep({
  name: 'readNewEvents',
  effect: 'read',
  late: true,
  run: ({ db }, { after, ...wanted }: NewEventsQuery): Promise<FollowedEvents> =>
    followEvents(db, after === null ? null : { ...wanted, after_event: after }),
})

/**
 * The newest event whose change the caller's next reads see. It is read where those are: inline it would be the
 * primary's, and a replica that is late would answer them without that change.
 */
export const findNewestSeen = defineStep<object, Ulid>({
  name: 'findNewestSeen',
  effect: 'read',
  run: ({ db }) => newestSeen(db),
})

/** Enters some of what large changes have recorded into the log; whether something is left. */
export const enterDraftedEvents = defineStep<object, { left: boolean }>({
  name: 'enterDraftedEvents',
  effect: 'write',
  run: async ({ db }) => ({ left: await enterDrafts(db) }),
})

export interface RedactedItem {
  item_id: Ulid
  redacted_events: number
  /** It has been there all along: its present content is not touched. */
  exists: boolean
  /** Those that wrote it and are still kept: with their file, and what they show of it. */
  imports: Ulid[]
  /** Those that kept something of it, emptied now. */
  proposals: Ulid[]
}

/**
 * Erases what the log says of an item, and what is kept alongside it (additions §6); once more, what has been copied
 * since. Of an item that a proposal would make it goes by the placeholder. The chain holds; nothing is recorded where the
 * log has nothing left.
 */
export const redactItem = defineStep({
  name: 'redactItem',
  effect: 'write',
  async run(context, { item_id: given }: { item_id: string }): Promise<RedactedItem> {
    const { db } = context
    const item_id = canonicalId(given)
    const { known, left, exists } = await findEventsToRedact(db, item_id)
    if (!known && !(await isProposed(db, item_id))) throw notFound('item', given)
    const imports = await importsThatWrote(db, item_id)
    if (left) {
      // First the event: the database lets a redaction through that the log reports.
      await appendEvents(db, context, [
        { event_type: 'audit_redacted', entity_type: 'item', item_id, details: { events: left } },
      ])
      await redactEvents(db, item_id)
    }
    const proposals = await redactCopies(db, item_id, context.now)
    for (const import_id of imports) await dropAnswersNaming(db, import_id)
    await dropFileUses(db, [item_id], context.now, await presentFiles(db, [item_id]))
    return { item_id, redacted_events: left, exists, imports, proposals }
  },
})

export interface LogHeads extends AuditHeads {
  /** Of the security log. */
  security: string
}

/** What an operator's other systems keep of the log (decision 47). */
export const findAuditHeads = defineStep({
  name: 'findAuditHeads',
  effect: 'read',
  inline: true,
  run: async ({ db }): Promise<LogHeads> => ({
    ...(await auditHeads(db)),
    security: await readSecurityHead(db),
  }),
})

/** The tags that have changed after a moment, in milliseconds; null where some have come or gone that an item may have had. */
export const findChangedTags = defineStep({
  name: 'findChangedTags',
  effect: 'read',
  inline: true,
  run: ({ db }, { after, item_id }: { after: number; item_id?: Ulid | undefined }) =>
    changedTags(db, { after: lastUlidAt(after), item_id }),
})
