import { notFound } from '#src/domain/errors.ts'
import type { IdentityProvider } from '#src/auth/identity-provider.ts'
import type { Services } from '#src/runtime/services.ts'

/** @throws NotFound where no such provider is configured. */
export function providerOf({ providers }: Services, name: string): IdentityProvider {
  const provider = name === 'idp_a' || name === 'idp_b' ? providers[name] : null
  if (!provider)
    throw notFound('provider', name, {
      suggestion: 'The operator of this service configures providers with IDP_A_… and IDP_B_…',
    })
  return provider
}
