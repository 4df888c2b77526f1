import { domainOf } from '#src/auth/email.ts'
import type { Registration } from '#src/domain/config.ts'
import { forbidden } from '#src/domain/errors.ts'

/** @throws Forbidden where the configuration does not let the address have an account. */
export function refuseRegistration(registration: Registration, email: string): void {
  if (registration.kind === 'closed')
    throw forbidden('Registration is closed', { suggestion: 'Ask whoever runs this service for an account' })
  if (registration.kind === 'domain' && !registration.domains.includes(domainOf(email)))
    throw forbidden(`Registration is open to addresses of ${registration.domains.join(', ')} only`)
}
