import { forbidden } from '#src/domain/errors.ts'

/** @throws Forbidden where PASSWORDS is off (further §21) */
export function refusePasswords({ passwords }: { readonly passwords: boolean }): void {
  if (!passwords)
    throw forbidden('Passwords are off here', {
      suggestion: 'Sign in with an identity provider or a passkey',
    })
}
