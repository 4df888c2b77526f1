import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import { updateKeyUse } from '#src/storage/accounts/api-keys.ts'

/** Notes in which minute a key was used. */
export const touchKey = defineStep({
  name: 'touchKey',
  effect: 'write',
  async run({ db }, { key_hash, user_id, minute }: { key_hash: string; user_id: Ulid; minute: string }) {
    await updateKeyUse(db, key_hash, minute)
    await touchAccount(db, user_id, minute)
    return null
  },
})
