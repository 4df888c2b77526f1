import { emailKey } from '#src/auth/email.ts'
import { failureKeys } from '#src/auth/login-failures.ts'
import { CHALLENGE_LIFE } from '#src/auth/passkey.ts'
import { badRequest, conflict, notFound, unauthorized } from '#src/domain/errors.ts'
import { hasWayIn, type WaysIn } from '#src/operations/account/users/ways-in.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { unprovenAt } from '#src/runtime/fresh-proof.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { findAccount, findUser, selectCredentials } from '#src/storage/accounts/accounts.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import {
  findPasskey,
  insertPasskey,
  movePasskeyCounter,
  passkeysOf,
  removePasskey,
  setPasskeyProven,
} from '#src/storage/accounts/passkeys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { serverSecret } from '#src/storage/accounts/server-secrets.ts'
import { insertChallenge, takeChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** An account's list stays short enough to be sent with every sign-in. */
const MAX_PASSKEYS = 100

interface NewPasskey {
  /** Its registration was begun by a session that had not proved itself. */
  unproven: boolean
  name: string
  credential_id: string
  public_key: string
  counter: number
  transports: string[]
}

/** Keeps a passkey of the caller. */
export const addPasskey = defineStep({
  name: 'addPasskey',
  effect: 'write',
  still: 'own',
  async run(context, { unproven, ...passkey }: NewPasskey) {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    if ((await passkeysOf(db, user_id)).length >= MAX_PASSKEYS)
      throw conflict(`An account has at most ${MAX_PASSKEYS} passkeys`, {
        suggestion: 'Delete one with DELETE /api/auth/passkeys/{credential_id}',
      })
    const created_at = now.toISOString()
    const unproven_at = unproven ? created_at : unprovenAt(context)
    const added = await insertPasskey(db, { ...passkey, user_id, created_at, unproven_at })
    if (!added) throw badRequest('This passkey is registered already')
    await appendSecurityEvent(db, context, {
      event_type: 'passkey_added',
      user_id,
      details: { name: passkey.name, ...(unproven_at !== null && { unproven: true }) },
    })
    return null
  },
})

/** The caller and the passkeys that must not be registered again. */
export const findOwnPasskeys = defineStep({
  name: 'findOwnPasskeys',
  effect: 'read',
  inline: true,
  async run({ db, caller }) {
    const user = await findUser(db, caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    return { user, passkeys: await passkeysOf(db, user.user_id) }
  },
})

/** Keeps the challenge of the caller's registration of a passkey. */
export const storeRegistration = defineStep({
  name: 'storeRegistration',
  effect: 'write',
  still: 'own',
  async run(context, { challenge }: { challenge: string }) {
    const { db, caller, now } = context
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    const purpose = unprovenAt(context) === null ? 'registration' : 'unproven registration'
    await insertChallenge(db, { challenge, purpose, user_id: caller.user_id, expires_at })
    return null
  },
})

/** Uses up the challenge of a registration; null: it was not the caller's, or is no longer good. */
export const takeRegistration = defineStep({
  name: 'takeRegistration',
  effect: 'write',
  async run(
    { db, caller, now },
    { challenge }: { challenge: string },
  ): Promise<{ unproven: boolean } | null> {
    const proven = await takeChallenge(db, 'registration', challenge, now)
    const taken = proven ?? (await takeChallenge(db, 'unproven registration', challenge, now))
    return taken?.user_id === caller.user_id ? { unproven: !proven } : null
  },
})

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

/** Keeps the challenge of a sign-in with whatever passkey the browser offers. */
export const storeDiscovery = defineStep({
  name: 'storeDiscovery',
  effect: 'write',
  async run({ db, now }, { challenge }: { challenge: string }) {
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    await insertChallenge(db, { challenge, purpose: 'discovery', user_id: null, expires_at })
    return null
  },
})

/** Uses up the challenge of a sign-in and finds the passkey that answers it. */
export const takeAssertion = defineStep({
  name: 'takeAssertion',
  effect: 'write',
  async run({ db, now }, { challenge, credential_id }: { challenge: string; credential_id: string }) {
    const discovered = await takeChallenge(db, 'discovery', challenge, now)
    const taken = discovered ?? (await takeChallenge(db, 'authentication', challenge, now))
    if (!taken) return null
    const passkey = await findPasskey(db, credential_id)
    if (discovered) return { passkey: passkey ?? null }
    return { passkey: passkey && passkey.user_id === taken.user_id ? passkey : null }
  },
})

/** Deletes a passkey of the caller, where another way to sign in remains. */
export const removeOwnPasskey = defineStep({
  name: 'removeOwnPasskey',
  effect: 'write',
  still: 'own',
  async run(context, { credential_id, ways }: { credential_id: string; ways: WaysIn }) {
    const { db, caller } = context
    const user_id = caller.user_id!
    if (!(await removePasskey(db, user_id, credential_id))) throw notFound('passkey', credential_id)
    if (!(await hasWayIn(db, (await findUser(db, user_id))!, ways)))
      throw badRequest('This passkey is the only way to sign in to the account', {
        suggestion: ways.passwords
          ? 'Set a password with POST /api/auth/password first, or register another passkey'
          : 'Register another passkey, or link a provider first',
      })
    await appendSecurityEvent(db, context, { event_type: 'passkey_removed', user_id })
    return null
  },
})

interface Assertion {
  user_id: string
  credential_id: string
  /** Of the passkey before and after. */
  counter: { from: number; to: number }
  user_verified: boolean
  token_hash: string
}

/** Signs in by an assertion that holds. */
export const finishAssertion = defineStep({
  name: 'finishAssertion',
  effect: 'write',
  async run(context, { user_id, credential_id, counter, user_verified, token_hash }: Assertion) {
    const { db, caller } = context
    const user = await findUser(db, user_id)
    const account = await findAccount(db, user_id)
    if (!user || !account || account.disabled_at !== null) return null
    // The passkey stands for both factors where TOTP is active: it must have verified its user.
    if (user.has_totp && !user_verified) return null
    if (!(await movePasskeyCounter(db, credential_id, counter.from, counter.to))) return null
    await setPasskeyProven(db, credential_id)
    const ended = await startSession(context, { user_id, token_hash, state: 'full' })
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      actor_id: user_id,
      details: { by: 'passkey' },
    })
    await clearFailures(db, failureKeys(user, caller))
    return { user, ended }
  },
})
