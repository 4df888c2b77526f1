import { FAILURES_KEPT } from '#src/auth/login-failures.ts'
import { oldestTotpStep } from '#src/auth/totp.ts'
import { type Db, query } from '#src/sql/query.ts'
import { deleteUnusedClients } from '#src/storage/accounts/app-clients.ts'
import { deleteExpiredRecords } from '#src/storage/accounts/app-records.ts'
import { deleteLapsedApps, tokenOfApp } from '#src/storage/accounts/apps.ts'
import { sweepFileUrls } from '#src/storage/files/file-urls.ts'
import { sweepResetLinks } from '#src/storage/accounts/reset-links.ts'

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

/** A consent whose code nobody has fetched lasts so long. */
const APP_LIFE = 60 * 60 * 1000
/** A client that registered and was let in by nobody. */
const CLIENT_LIFE = 30 * 24 * 60 * 60 * 1000

export interface Swept {
  /** Token hashes of the sessions, and what stands for the apps, that were ended. */
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
  const links = await sweepResetLinks(db, expired.now, limit)
  const urls = await sweepFileUrls(db, expired.now, limit)
  await db.enqueue(steps, { before: oldestTotpStep(now) })
  const apps = await sweepApps(db, now, limit)
  const counts = [ended.length, apps.most, links, urls, ...others.map(({ changes }) => changes)]
  return { ended: [...ended, ...apps.ended], more: counts.some((count) => count >= limit) }
}

async function sweepApps(db: Db, now: Date, limit: number): Promise<{ ended: string[]; most: number }> {
  const before = (life: number) => new Date(now.getTime() - life).toISOString()
  const records = await deleteExpiredRecords(db, now.toISOString(), limit)
  const apps = await deleteLapsedApps(db, before(APP_LIFE), limit)
  const clients = await deleteUnusedClients(db, before(CLIENT_LIFE), limit)
  return { ended: apps.map(tokenOfApp), most: Math.max(records, apps.length, clients) }
}
