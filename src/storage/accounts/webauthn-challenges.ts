import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** A registration is `unproven` where a session began it that had not proved itself. */
export type Ceremony = 'registration' | 'unproven registration' | 'authentication' | 'discovery'

interface Challenge {
  challenge: string
  purpose: Ceremony
  /** Null: made for an address without a passkey. */
  user_id: Ulid | null
  expires_at: string
}

const insertRow = query((p: Challenge, sql) =>
  sql.insertInto('webauthn_challenge').values({
    challenge: p.challenge,
    purpose: p.purpose,
    user_id: p.user_id,
    expires_at: p.expires_at,
  }),
)
const takeRow = query((p: { challenge: string; purpose: Ceremony }, sql) =>
  sql
    .deleteFrom('webauthn_challenge')
    .where('challenge', '=', p.challenge)
    .where('purpose', '=', p.purpose)
    .returning(['user_id', 'expires_at']),
)
const deleteRegistrations = query((p: { user_id: Ulid }, sql) =>
  sql
    .deleteFrom('webauthn_challenge')
    .where('user_id', '=', p.user_id)
    .where('purpose', 'in', ['registration', 'unproven registration']),
)

const deleteAll = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('webauthn_challenge').where('user_id', '=', p.user_id),
)

export async function insertChallenge(db: Db, challenge: Challenge): Promise<void> {
  await db.enqueue(insertRow, challenge)
}

/** Uses the challenge up. Undefined: it never was, was used, or has expired. */
export async function takeChallenge(
  db: Db,
  purpose: Ceremony,
  challenge: string,
  now: Date,
): Promise<{ user_id: Ulid | null } | undefined> {
  const row = await db.get(takeRow, { purpose, challenge })
  return row && row.expires_at > now.toISOString() ? { user_id: row.user_id } : undefined
}

/** Gives up the registrations that a user has begun. */
export async function deletePendingRegistrations(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(deleteRegistrations, { user_id })
}

/** Gives up all that a user has begun. */
export async function deleteChallengesOf(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(deleteAll, { user_id })
}
