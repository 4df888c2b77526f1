import type { Kysely } from 'kysely'
import type { SecretBox } from '#src/auth/secret-box.ts'
import { webhookSecretOf } from '#src/auth/webhook-secret.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Seals again what an older key has sealed. What no key opens is told where it is used: its deliveries fail and say so. */
export async function sealWebhookSecrets(db: Kysely<Tables>, box: SecretBox): Promise<void> {
  for (const { id, secret, secret_id } of await db
    .selectFrom('webhook')
    .select(['id', 'secret', 'secret_id'])
    .execute()) {
    const owner = webhookSecretOf(secret_id)
    const plain = secret.startsWith(box.prefix) ? null : box.open(secret, owner)
    if (plain === null) continue
    await db
      .updateTable('webhook')
      .set({ secret: box.seal(plain, owner) })
      .where('id', '=', id)
      .execute()
  }
}
