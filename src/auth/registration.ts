import { addressGroup, isLoopback } from '#src/auth/client-address.ts'
import { domainOf } from '#src/auth/email.ts'
import type { FailureLimit } from '#src/auth/login-failures.ts'
import type { Registration } from '#src/config/config.ts'
import { forbidden } from '#src/domain/errors.ts'

/** From one address (IPv6: one /64): accounts that are asked for without an invitation, whether or not they are made. */
export const REGISTRATIONS: FailureLimit = { max: 50, window: 60 * 60 * 1000 }

/**
 * Addresses that turned out to be taken, of one account and from one address: what is asked with an invitation, or by
 * somebody who changes their own.
 */
export const TAKEN: FailureLimit = { max: 50, window: 60 * 60 * 1000 }

/** Under what they are counted; null: of this machine, where scripts work and where a proxy without TRUST_PROXY is. */
export function registrationKey(address: string): string | null {
  if (address === '' || isLoopback(address)) return null
  return `registrations ${addressGroup(address)}`
}

/**
 * For who comes without an invitation (decisions §1). `proven`: a provider vouches for the address; a password does
 * not, and anyone who may write an address down could name any of the domain.
 * @throws Forbidden
 */
export function refuseRegistration(
  registration: Registration,
  { email, proven }: { email: string; proven: boolean },
): void {
  if (registration.kind === 'open') return
  const ask = 'Ask the operator of this service for an invitation'
  if (registration.kind !== 'domain') throw forbidden('Registration is closed', { suggestion: ask })
  if (!proven)
    throw forbidden('Registration with a password needs an invitation here', {
      suggestion: `${ask}, or sign in with a provider that vouches for your address`,
    })
  if (!registration.domains.includes(domainOf(email)))
    throw forbidden(`Registration is open to addresses of ${registration.domains.join(', ')} only`, {
      suggestion: ask,
    })
}
