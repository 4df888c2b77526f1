import type { Kysely } from 'kysely'
import { isSealed, type SecretBox, totpOf } from '#src/auth/secret-box.ts'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Rows that are read at once. */
const PAGE = 1000

/**
 * Seals the TOTP secrets that an older version left as they are, and seals again those of an older key.
 * @returns how many accounts have a secret that none of the keys opens
 */
export async function sealTotpSecrets(db: Kysely<Tables>, box: SecretBox): Promise<number> {
  let unreadable = 0
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('totp')
      .select(['user_id', 'secret'])
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(PAGE)
      .execute()
    for (const row of rows) if (!(await sealAgain(db, box, row))) unreadable++
    const last = rows.at(-1)
    if (!last) return unreadable
    after = last.user_id
  }
}

/** What an operator should read of them, in sentences. */
export const unreadableWarnings = (accounts: number): string[] =>
  accounts
    ? [
        `The TOTP secrets of ${accounts} account${accounts === 1 ? '' : 's'} are encrypted with a key that is not here: codes of theirs cannot be checked, so they sign in with recovery codes alone. Put the key back (SECRET_KEY, or the key file beside the database); if it is lost, take their second factor away: npm run facet -- user remove-totp WHO`,
      ]
    : []

/** On PostgreSQL: another machine has made a key of its own: what this one encrypted, that one could not read, and the other way round. */
export const otherKey = (accounts: number): ServiceError =>
  unavailable(
    `The database has ${accounts} TOTP secret${accounts === 1 ? '' : 's'} encrypted with another key than the one in ./data/facet.key`,
    {
      suggestion:
        'Give all processes one SECRET_KEY: the content of ./data/facet.key where the service ran before. If that is lost, set a new SECRET_KEY and take the second factor of those accounts away: npm run facet -- user remove-totp WHO',
    },
  )

/** False: it cannot be opened. */
async function sealAgain(
  db: Kysely<Tables>,
  box: SecretBox,
  { user_id, secret }: { user_id: string; secret: string },
): Promise<boolean> {
  const plain = isSealed(secret) ? box.open(secret, totpOf(user_id)) : secret
  if (plain === null) return false
  if (secret.startsWith(box.prefix)) return true
  await db
    .updateTable('totp')
    .set({ secret: box.seal(plain, totpOf(user_id)) })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret) // or somebody has set up another one meanwhile
    .execute()
  return true
}
