import type { Caller } from '#src/domain/caller.ts'
import { firstUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { countSignIn, MOST_COUNTED, takeCountedSignIns } from '#src/storage/accounts/counted-sign-ins.ts'
import {
  appendRow,
  noteSwept,
  SECURITY_COLUMNS,
  type SecurityRow,
} from '#src/storage/accounts/security-chain.ts'

/** Additions §1, further §21; those of webhooks are ours. */
export const SECURITY_EVENT_TYPES = [
  'registered',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_made',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'provider_linked',
  'provider_unlinked',
  'key_created',
  'key_revoked',
  'app_authorized',
  'app_revoked',
  'role_changed',
  'account_disabled',
  'account_enabled',
  'account_deleted',
  'email_changed',
  'confirmed',
  'confirm_failed',
  'invitation_created',
  'invitation_used',
  'invitation_revoked',
  'reset_link_created',
  'webhook_created',
  'webhook_changed',
  'webhook_disabled',
  'webhook_deleted',
] as const
export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number]

export interface NewSecurityEvent {
  event_type: SecurityEventType
  /** Whom it concerns; null: nobody who has an account. */
  user_id: Ulid | null
  /** Who did it, where it is not the caller. */
  actor_id?: Ulid | null
  details?: Record<string, unknown>
}

const page = query((p: { before: string; limit: number }, sql) =>
  sql
    .selectFrom('security_event')
    .select(SECURITY_COLUMNS)
    .where('event_id', '<', p.before)
    .orderBy('event_id', 'desc')
    .limit(p.limit),
)
const pageOf = query((p: { user_id: Ulid; before: string; limit: number }, sql) =>
  sql
    .selectFrom('security_event')
    .select(SECURITY_COLUMNS)
    .where('user_id', '=', p.user_id)
    .where('event_id', '<', p.before)
    .orderBy('event_id', 'desc')
    .limit(p.limit),
)
const earlierUnknown = query((p: { offset: number }, sql) =>
  sql
    .selectFrom('security_event')
    .select('created_at')
    .where('user_id', 'is', null)
    .where('event_type', '=', 'sign_in_failed')
    .orderBy('event_id', 'desc')
    .limit(1)
    .offset(p.offset),
)
const earlierOf = query((p: { user_id: Ulid; details: string; since: Ulid; offset: number }, sql) =>
  sql
    .selectFrom('security_event')
    .select('event_id')
    .where('user_id', '=', p.user_id)
    .where('event_id', '>=', p.since)
    .where('event_type', '=', 'sign_in_failed')
    .where('details', '=', p.details)
    .limit(1)
    .offset(p.offset),
)
const setHorizon = query((p: { before: string }, sql) =>
  sql.updateTable('security_log_horizon').set({ before: p.before }).where('before', '<', p.before),
)
const oldest = query((p: { limit: number }, sql) =>
  sql.selectFrom('security_event').select(['id', 'created_at']).orderBy('id').limit(p.limit),
)
const deleteFirst = query((p: { last: number }, sql) =>
  sql.deleteFrom('security_event').where('id', '<=', p.last),
)

const unknownRow = query((_: object, sql) =>
  sql.selectFrom('unknown_sign_ins').select(['since', 'failed']).where('id', '=', 1),
)
const setUnknown = query((p: { since: string; failed: number }, sql) =>
  sql.updateTable('unknown_sign_ins').set({ since: p.since, failed: p.failed }).where('id', '=', 1),
)

/**
 * Failed sign-ins, of which anybody can make any number, have this many rows an hour, and one for all others: those to
 * addresses without an account, and those to one account, of each kind by itself, so that none hides those of another.
 */
const MAX_FAILED = 10
const HOUR = 60 * 60 * 1000

interface LogContext {
  caller: Caller
  now: Date
  newId: () => Ulid
}

/** Records what happened to an account, in the transaction of its change. */
export async function appendSecurityEvent(
  db: Db,
  context: LogContext,
  { event_type, user_id, actor_id = context.caller.user_id, details = {} }: NewSecurityEvent,
): Promise<void> {
  const { caller, now, newId } = context
  const text = JSON.stringify(details)
  if (event_type === 'sign_in_failed') {
    await recordCounted(db, context, user_id === null ? 'unknown' : { user_id })
    const isCounted =
      user_id === null
        ? await isUnknownCounted(db, now)
        : await isOwnCounted(db, now, { user_id, details: text, address: caller.address || null })
    if (isCounted) return
  }
  await appendRow(db, {
    event_id: newId(),
    event_type,
    user_id,
    actor_id,
    address: caller.address || null,
    user_agent: caller.user_agent,
    client: caller.client && JSON.stringify(caller.client),
    details: text,
    created_at: now.toISOString(),
  })
}

/** Whether an attempt on an unknown address is counted in place of a row. */
async function isUnknownCounted(db: Db, now: Date): Promise<boolean> {
  const earlier = await db.get(earlierUnknown, { offset: MAX_FAILED - 1 })
  if (!earlier || Date.parse(earlier.created_at) <= now.getTime() - HOUR) return false
  const { since, failed } = (await db.get(unknownRow, {}))!
  await db.enqueue(setUnknown, { since: failed ? since : now.toISOString(), failed: failed + 1 })
  return true
}

/** Whether an attempt on an account is. */
async function isOwnCounted(
  db: Db,
  now: Date,
  attempt: { user_id: Ulid; details: string; address: string | null },
): Promise<boolean> {
  const { user_id, details } = attempt
  const since = firstUlidAt(now.getTime() - HOUR)
  if (!(await db.get(earlierOf, { user_id, details, since, offset: MAX_FAILED - 1 }))) return false
  await countSignIn(db, attempt, now)
  return true
}

/**
 * Records those that were counted, once the first of them is an hour ago: of one account, of unknown addresses, or all.
 * Of very many the first ones are taken; answers whether there may be more.
 */
export async function recordCounted(
  db: Db,
  context: Pick<LogContext, 'now' | 'newId'>,
  of: { user_id: Ulid } | 'unknown' | 'all',
): Promise<boolean> {
  const until = new Date(context.now.getTime() - HOUR).toISOString()
  if (of === 'unknown' || of === 'all') await recordUnknown(db, context, until)
  if (of === 'unknown') return false
  const taken = await takeCountedSignIns(db, of === 'all' ? null : of.user_id, until)
  for (const { user_id, details, since, failed, address } of taken)
    await appendCount(db, context, {
      user_id,
      address,
      details: { ...(JSON.parse(details) as object), count: failed, since },
    })
  return taken.length >= MOST_COUNTED
}

async function recordUnknown(
  db: Db,
  context: Pick<LogContext, 'now' | 'newId'>,
  until: string,
): Promise<void> {
  const { since, failed } = (await db.get(unknownRow, {}))!
  if (!failed || since > until) return
  await db.enqueue(setUnknown, { since: '', failed: 0 })
  await appendCount(db, context, { user_id: null, address: null, details: { count: failed, since } })
}

const appendCount = (
  db: Db,
  { now, newId }: Pick<LogContext, 'now' | 'newId'>,
  { details, ...whose }: { user_id: Ulid | null; address: string | null; details: object },
): Promise<void> =>
  appendRow(db, {
    ...whose,
    event_id: newId(),
    event_type: 'sign_in_failed',
    actor_id: null,
    user_agent: null,
    client: null,
    details: JSON.stringify(details),
    created_at: now.toISOString(),
  })

/** Greater than every id. */
const END = '~'

export interface LogPage {
  /** null: everybody's. */
  user_id: Ulid | null
  limit: number
  after: Ulid | undefined
}

/** Newest first. */
export function securityEvents(db: Db, { user_id, limit, after = END }: LogPage): Promise<SecurityRow[]> {
  const wanted = { before: after, limit }
  return user_id === null ? db.all(page, wanted) : db.all(pageOf, { ...wanted, user_id })
}

/** An event as JSON text. */
export function securityEventText({ client, details, created_at, ...rest }: SecurityRow): string {
  return `${JSON.stringify(rest).slice(0, -1)},"client":${client},"details":${details},"created_at":${JSON.stringify(created_at)}}`
}

/**
 * Deletes events from before that moment, at most `limit`, from the beginning of the log on, so that the chain of the
 * others holds; answers how many. The table itself keeps all others.
 */
export async function sweepSecurityEvents(db: Db, before: string, limit: number): Promise<number> {
  await db.run(setHorizon, { before })
  const first = await db.all(oldest, { limit })
  const recent = first.findIndex(({ created_at }) => created_at >= before)
  const old = recent < 0 ? first : first.slice(0, recent)
  if (!old.length) return 0
  const last = old.at(-1)!.id
  await noteSwept(db, last)
  return (await db.run(deleteFirst, { last })).changes
}
