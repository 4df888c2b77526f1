import { badRequest, notFound } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'
import { deleteIdentitiesOf } from '#src/storage/accounts/identities.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  provider: string
  /** Providers that are configured; a link to another one lets nobody in. */
  configured: string[]
}

/** Unlinks a provider from the caller, where another way to sign in remains. */
export const removeIdentity = defineStep({
  name: 'removeIdentity',
  effect: 'write',
  async run(context, { provider, configured }: Input) {
    const { db, caller } = context
    const user = await findUser(db, caller.user_id!)
    if (!user?.oauth_providers.includes(provider)) throw notFound('linked provider', provider)
    const others = user.oauth_providers.filter((each) => each !== provider && configured.includes(each))
    if (!user.has_password && !user.has_passkey && !others.length)
      throw badRequest('This provider is the only way to sign in to the account', {
        suggestion: 'Set a password with POST /api/auth/password first, or register a passkey',
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
