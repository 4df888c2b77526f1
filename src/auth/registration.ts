import { domainOf } from '#src/auth/email.ts'
import type { Registration } from '#src/config/config.ts'
import { forbidden } from '#src/domain/errors.ts'

/** Whether the configuration lets the address have an account. */
function mayRegister(registration: Registration, email: string): boolean {
  if (registration.kind === 'domain') return registration.domains.includes(domainOf(email))
  return registration.kind === 'open'
}

/** @throws Forbidden */
export function refuseRegistration(registration: Registration, email: string): void {
  if (mayRegister(registration, email)) return
  if (registration.kind === 'domain')
    throw forbidden(`Registration is open to addresses of ${registration.domains.join(', ')} only`)
  throw forbidden('Registration is closed', { suggestion: 'Ask whoever runs this service for an account' })
}
