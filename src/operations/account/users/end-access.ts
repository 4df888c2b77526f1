import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { deleteKeysOf } from '#src/storage/accounts/api-keys.ts'
import { deleteAppsOf, tokenOfApp } from '#src/storage/accounts/apps.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { deletePendingRegistrations } from '#src/storage/accounts/webauthn-challenges.ts'

/** Ends everything by which somebody is in: it stays ended. Answers the hashes of the tokens. */
export async function endAccess(db: Db, user_id: Ulid): Promise<string[]> {
  await deletePendingRegistrations(db, user_id)
  const apps = (await deleteAppsOf(db, user_id)).map(tokenOfApp)
  return [...(await deleteSessionsOf(db, user_id)), ...(await deleteKeysOf(db, user_id)), ...apps]
}
