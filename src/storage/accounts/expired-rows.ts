import { FAILURES_KEPT } from '#src/auth/login-failures.ts'
import { oldestTotpStep } from '#src/auth/totp.ts'
import { type Db, query } from '#src/sql/query.ts'

const sessions = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('session')
    .where('token_hash', 'in', (eb) =>
      eb.selectFrom('session').select('token_hash').where('expires_at', '<=', p.now).limit(p.limit),
    )
    .returning('token_hash'),
)
const challenges = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('webauthn_challenge')
    .where('challenge', 'in', (eb) =>
      eb.selectFrom('webauthn_challenge').select('challenge').where('expires_at', '<=', p.now).limit(p.limit),
    ),
)
const flows = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('oauth_flow')
    .where('state_hash', 'in', (eb) =>
      eb.selectFrom('oauth_flow').select('state_hash').where('expires_at', '<=', p.now).limit(p.limit),
    ),
)
const failures = query((p: { since: string; limit: number }, sql) =>
  sql
    .deleteFrom('login_failure')
    .where('id', 'in', (eb) =>
      eb.selectFrom('login_failure').select('id').where('failed_at', '<=', p.since).limit(p.limit),
    ),
)
const answers = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('kept_answer')
    .where((e) =>
      e(
        e.refTuple('user_id', 'key'),
        'in',
        e
          .selectFrom('kept_answer')
          .select(['user_id', 'key'])
          .where('expires_at', '<=', p.now)
          .limit(p.limit)
          .$asTuple('user_id', 'key'),
      ),
    ),
)
const steps = query((p: { before: number }, sql) =>
  sql.deleteFrom('totp_used_step').where('step', '<', p.before),
)

export interface Swept {
  /** Token hashes of the sessions that were ended. */
  ended: string[]
  /** More than `limit` rows of some kind were there: there may be others. */
  more: boolean
}

/** Deletes what has expired, at most `limit` rows of each kind. */
export async function deleteExpiredRows(db: Db, now: Date, limit: number): Promise<Swept> {
  const expired = { now: now.toISOString(), limit }
  const since = new Date(now.getTime() - FAILURES_KEPT).toISOString()
  const ended = (await db.all(sessions, expired)).map(({ token_hash }) => token_hash)
  const others = [
    await db.run(challenges, expired),
    await db.run(flows, expired),
    await db.run(answers, expired),
    await db.run(failures, { since, limit }),
  ]
  await db.post(steps, { before: oldestTotpStep(now) })
  return { ended, more: ended.length >= limit || others.some(({ changes }) => changes >= limit) }
}
