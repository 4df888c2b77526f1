import { defineStep } from '#src/operations/step.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { movePasskeyCounter } from '#src/storage/accounts/passkeys.ts'
import { setProven } from '#src/storage/accounts/sessions.ts'

interface Proof {
  by: 'password' | 'totp' | 'passkey'
  /** Of a passkey, before and after. */
  counter?: { credential_id: string; from: number; to: number }
}

/** Makes the caller's session a fresh one; answers false where the passkey's counter has moved meanwhile. */
export const renewProof = defineStep({
  name: 'renewProof',
  effect: 'write',
  async run(context, { by, counter }: Proof): Promise<boolean> {
    const { db, caller, now } = context
    if (counter && !(await movePasskeyCounter(db, counter.credential_id, counter.from, counter.to)))
      return false
    await setProven(db, caller.session!.token_hash, now)
    await appendSecurityEvent(db, context, {
      event_type: 'confirmed',
      user_id: caller.user_id,
      details: { by },
    })
    return true
  },
})
