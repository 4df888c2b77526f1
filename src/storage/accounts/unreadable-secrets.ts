import { isSealed, SecretBox, totpOf } from '#src/auth/secret-box.ts'
import { webhookSecretOf } from '#src/auth/webhook-secret.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** How many secrets none of the keys opens. */
export interface UnreadableSecrets {
  totp: number
  webhooks: number
}

/** Rows that are read at once. */
const PAGE = 1000

const totpAfter = query((p: { after: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('totp')
    .select(['user_id', 'secret'])
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
)
const ofWebhooks = query((_: object, sql) => sql.selectFrom('webhook').select(['secret', 'secret_id']))

/** Counts them, and leaves all of them as they are; without a box there is no key. */
export async function unreadableSecrets(db: Db, box: SecretBox | null): Promise<UnreadableSecrets> {
  const isLost = (secret: string, owner: string) =>
    isSealed(secret) && (box === null || box.open(secret, owner) === null)
  const counts = { totp: 0, webhooks: 0 }
  for (let after = '', more = true; more;) {
    const page = await db.all(totpAfter, { after, limit: PAGE })
    counts.totp += page.filter(({ user_id, secret }) => isLost(secret, totpOf(user_id))).length
    after = page.at(-1)?.user_id ?? after
    more = page.length === PAGE
  }
  const webhooks = await db.all(ofWebhooks, {})
  counts.webhooks = webhooks.filter(({ secret, secret_id }) =>
    isLost(secret, webhookSecretOf(secret_id)),
  ).length
  return counts
}

/** Whether this key, in base64, opens all that is sealed in a base. */
export async function isKeyOf(db: Db, key: string): Promise<boolean> {
  const { totp, webhooks } = await unreadableSecrets(db, new SecretBox([key]))
  return totp + webhooks === 0
}
