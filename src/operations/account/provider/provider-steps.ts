import { authFault } from '#src/auth/auth-fault.ts'
import { emailKey } from '#src/auth/email.ts'
import type { IdentityProvider } from '#src/auth/identity-provider.ts'
import { failureKeys } from '#src/auth/login-failures.ts'
import type { Role } from '#src/domain/caller.ts'
import { badRequest, notFound, ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { admit, settleAdmission, type Terms } from '#src/operations/account/invitation/admission.ts'
import { linkIdentity } from '#src/operations/account/provider/link-identity.ts'
import { takeProviderRole } from '#src/operations/account/provider/provider-role.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { hasWayIn, type WaysIn } from '#src/operations/account/users/ways-in.ts'
import { isRecent } from '#src/runtime/may-call.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import type { Services } from '#src/runtime/services.ts'
import { findAccount, findUser, insertAccount, selectCredentials } from '#src/storage/accounts/accounts.ts'
import { deleteIdentitiesOf, findIdentityOwner, insertIdentity } from '#src/storage/accounts/identities.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import { insertOauthFlow, removeOauthFlow } from '#src/storage/accounts/oauth-flows.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSession, findLiveSession, type LiveSession } from '#src/storage/accounts/sessions.ts'

/** How long a sign-in may stay with the provider. */
export const OAUTH_FLOW_LIFE = 10 * 60 * 1000

interface StartedFlow {
  provider: string
  state_hash: string
  browser_hash: string
  nonce: string
  code_verifier: string
}

/** Keeps what a sign-in must know when it comes back from the provider. */
export const storeOauthFlow = defineStep({
  name: 'storeOauthFlow',
  effect: 'write',
  async run({ db, caller: { session }, now }, flow: StartedFlow) {
    await insertOauthFlow(db, {
      ...flow,
      // A caller who is signed in links; a cross-site callback will not show the session's cookie.
      token_hash: session?.state === 'full' ? session.token_hash : null,
      expires_at: new Date(now.getTime() + OAUTH_FLOW_LIFE).toISOString(),
    })
    return null
  },
})

/** Uses up a sign-in that comes back from the provider, if it is the same browser that left. */
export const takeOauthFlow = defineStep({
  name: 'takeOauthFlow',
  effect: 'write',
  async run(
    { db, now },
    { provider, state_hash, browser_hash }: { provider: string; state_hash: string; browser_hash: string },
  ) {
    const flow = await removeOauthFlow(db, provider, state_hash, now)
    if (!flow || flow.browser_hash !== browser_hash) return null
    const { nonce, code_verifier, token_hash } = flow
    return { nonce, code_verifier, token_hash }
  },
})

interface Identity {
  provider: string
  issuer: string
  subject: string
  email: string | null
  email_verified: boolean
  /** What the provider's role map gives; null: nothing fits. Without a map there is none. */
  role?: Role | null
  ways: WaysIn
  terms: Terms
  linking: 'merge' | 'strict'
  /** Token hash of the session to whose account the identity is to be linked. */
  link_to: string | null
  token_hash: string
}

/** Signs in the person that a provider vouches for: the account is found, linked or made. */
export const signInByIdentity = defineStep({
  name: 'signInByIdentity',
  effect: 'write',
  async run(context, identity: Identity) {
    const { db, caller } = context
    const { provider, role, ways } = identity
    if (role === null) throw authFault('no_role')
    const ended: string[] = []
    const { user_id, from } = await accountOf(context, identity, ended)
    // As somebody who may have no account.
    if ((await findAccount(db, user_id))?.disabled_at !== null) throw authFault('registration_refused')
    ended.push(...(await takeProviderRole(context, user_id, { provider, role, ways })))
    if (identity.link_to !== null) ended.push(...(await deleteSession(db, identity.link_to)))
    const { token_hash } = identity
    ended.push(...(await startSession(context, { user_id, token_hash, state: 'full', from })))
    const user = (await findUser(db, user_id))!
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      actor_id: user_id,
      details: { by: provider },
    })
    await clearFailures(db, failureKeys(user, caller))
    return { user, ended }
  },
})

interface Found {
  user_id: Ulid
  /** The session that linked the identity: it goes on, and linking proves nothing of who it is (additions §11). */
  from?: Pick<LiveSession, 'created_at' | 'proven_at'>
}

/** The account to sign in to. What ends on the way goes to `ended`. */
async function accountOf(context: SqlContext, identity: Identity, ended: string[]): Promise<Found> {
  const { db, now } = context
  const { link_to, email } = identity
  const session = link_to === null ? undefined : await findLiveSession(db, link_to, now)
  if (link_to !== null && session?.state !== 'full') throw authFault('session_ended')
  const owner = await findIdentityOwner(db, identity)
  if (owner !== undefined) {
    if (session && session.user_id !== owner) throw authFault('identity_in_use')
    return { user_id: owner }
  }
  if (session) {
    ended.push(
      ...(await linkIdentity(
        context,
        { ...identity, unproven: !isRecent(session.proven_at, now) },
        session.user_id,
      )),
    )
    return { user_id: session.user_id, from: session }
  }
  if (email === null) throw authFault('email_missing')
  const account = await selectCredentials(db, emailKey(email))
  if (!account) return { user_id: await createAccount(context, { ...identity, email }) }
  const { email_changed_at } = (await findAccount(db, account.user_id))!
  // Anyone who changed it has shown nobody that it is theirs.
  if (!identity.email_verified || email_changed_at !== null) throw authFault('email_unverified')
  ended.push(...(await linkIdentity(context, identity, account.user_id)))
  return { user_id: account.user_id }
}

/** The browser that comes back gets the name of the reason why there is no account. */
async function createAccount(context: SqlContext, identity: Identity & { email: string }): Promise<Ulid> {
  try {
    return await makeAccount(context, identity)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'Forbidden') throw authFault('registration_refused')
    if (error.code === 'TooManyRequests') throw authFault('too_many_accounts', error.details)
    throw error
  }
}

async function makeAccount(context: SqlContext, identity: Identity & { email: string }): Promise<Ulid> {
  const { db, now, newId } = context
  const { terms } = identity
  const admission = await admit(context, terms, {
    email: identity.email,
    invitation_hash: null,
    proven: identity.email_verified,
  })
  const role = admission.first ? 'owner' : (identity.role ?? admission.role)
  const { email, email_verified } = identity
  const user_id = newId()
  const created_at = now.toISOString()
  await insertAccount(db, {
    user_id,
    email,
    email_key: emailKey(email),
    display_name: null,
    password_hash: null,
    email_proven_at: email_verified ? created_at : null,
    created_at,
    role,
  })
  await settleAdmission(context, admission, user_id)
  await appendSecurityEvent(db, context, {
    event_type: 'registered',
    user_id,
    actor_id: user_id,
    details: { by: identity.provider, role },
  })
  await insertIdentity(db, identity, user_id, now)
  return user_id
}

interface Unlinking {
  provider: string
  ways: WaysIn
}

/** Unlinks a provider from the caller, where another way to sign in remains. */
export const removeIdentity = defineStep({
  name: 'removeIdentity',
  effect: 'write',
  still: 'own',
  async run(context, { provider, ways }: Unlinking) {
    const { db, caller } = context
    const user = await findUser(db, caller.user_id!)
    if (!user?.oauth_providers.includes(provider)) throw notFound('linked provider', provider)
    if (!(await hasWayIn(db, user, ways, provider)))
      throw badRequest('This provider is the only way to sign in to the account', {
        suggestion: ways.passwords
          ? 'Set a password with POST /api/auth/password first, or register a passkey'
          : 'Register a passkey first',
      })
    await deleteIdentitiesOf(db, user.user_id, provider)
    await appendSecurityEvent(db, context, {
      event_type: 'provider_unlinked',
      user_id: user.user_id,
      details: { provider },
    })
    return null
  },
})

/** @throws NotFound where no such provider is configured. */
export function providerOf({ providers }: Services, name: string): IdentityProvider {
  const provider = name === 'idp_a' || name === 'idp_b' ? providers[name] : null
  if (!provider)
    throw notFound('provider', name, {
      suggestion: 'The operator of this service configures providers with IDP_A_… and IDP_B_…',
    })
  return provider
}
