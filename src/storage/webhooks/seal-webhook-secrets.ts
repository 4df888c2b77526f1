import type { Kysely } from 'kysely'
import type { SecretBox } from '#src/auth/secret-box.ts'
import { webhookSecretOf } from '#src/auth/webhook-secret.ts'
import type { Tables } from '#src/sql/tables.ts'

/**
 * Seals again what an older key has sealed.
 * @returns what an operator should read, in sentences: deliveries of which the key is not here fail
 */
export async function sealWebhookSecrets(db: Kysely<Tables>, box: SecretBox): Promise<string[]> {
  let unreadable = 0
  for (const { id, secret, secret_id } of await db
    .selectFrom('webhook')
    .select(['id', 'secret', 'secret_id'])
    .execute()) {
    const owner = webhookSecretOf(secret_id)
    if (secret.startsWith(box.prefix)) continue
    const plain = box.open(secret, owner)
    if (plain === null) {
      unreadable++
      continue
    }
    await db
      .updateTable('webhook')
      .set({ secret: box.seal(plain, owner) })
      .where('id', '=', id)
      .execute()
  }
  return unreadable ? [unreadableWebhooks(unreadable)] : []
}

/** What an operator should read of them, in a sentence. */
export function unreadableWebhooks(count: number): string {
  const [whose, them] = count === 1 ? ['1 webhook', 'it'] : [`${count} webhooks`, 'them']
  return `The secrets of ${whose} are encrypted with a key that is not here: nothing is delivered by ${them}. Put the key back (SECRET_KEY, or the key file beside the database); if it is lost, delete ${them} and make ${them} again`
}
