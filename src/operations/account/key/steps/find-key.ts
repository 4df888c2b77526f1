import { defineStep } from '#src/operations/step.ts'
import { selectKey, type LiveKey } from '#src/storage/accounts/api-keys.ts'

/** What is known of a key, also of an expired one; null: nothing. */
export const findKey = defineStep({
  name: 'findKey',
  effect: 'read',
  inline: true,
  async run({ db }, { key_hash }: { key_hash: string }): Promise<LiveKey | null> {
    return (await selectKey(db, key_hash)) ?? null
  },
})
