import { emailKey } from '#src/auth/email.ts'
import { CHALLENGE_LIFE } from '#src/auth/passkey.ts'
import { defineStep } from '#src/operations/step.ts'
import { selectCredentials } from '#src/storage/accounts/accounts.ts'
import { passkeysOf } from '#src/storage/accounts/passkeys.ts'
import { serverSecret } from '#src/storage/accounts/server-secrets.ts'
import { insertChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** Keeps the challenge of a sign-in by passkey; whose it is is not known yet. */
export const beginAssertion = defineStep({
  name: 'beginAssertion',
  effect: 'write',
  async run(
    { db, now },
    { email, challenge, new_secret }: { email: string; challenge: string; new_secret: string },
  ) {
    const account = await selectCredentials(db, emailKey(email))
    const passkeys = account?.disabled_at === null ? await passkeysOf(db, account.user_id) : []
    const user_id = passkeys[0]?.user_id ?? null
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    await insertChallenge(db, { challenge, purpose: 'authentication', user_id, expires_at })
    return { passkeys, decoy_secret: await serverSecret(db, 'passkey_decoys', new_secret) }
  },
})
