import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import {
  beginPasskeyLogin,
  beginPasskeyRegistration,
  completePasskeyLogin,
  completePasskeyRegistration,
} from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'

/** Where a passkey cannot be used, why. */
export function passkeyObstacle(public_url: string): { text: string; href?: string } | undefined {
  if (/^[\d.]+$|^\[/.test(location.hostname))
    return {
      text: `Passkeys do not work at an address of numbers. Open Facet at ${public_url} to use one.`,
      href: public_url,
    }
  if (!window.isSecureContext) return { text: 'Passkeys need https, or localhost.' }
  if (!('PublicKeyCredential' in window)) return { text: 'This browser knows no passkeys.' }
  return undefined
}

/**
 * Signs in with a passkey of the account.
 * @throws Fault
 */
export async function signInWithPasskey(email: string): Promise<void> {
  await call(completePasskeyLogin, await passkeyAssertion(email), { anonymous: true })
}

/**
 * What a passkey of the account says to a challenge of the service.
 * @throws Fault
 */
export async function passkeyAssertion(email: string): Promise<InputOf<typeof completePasskeyLogin>> {
  const { data } = await call(beginPasskeyLogin, { email }, { anonymous: true })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    data.publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ publicKey }).catch(toPasskeyFault)
  if (!(credential instanceof PublicKeyCredential)) throw cancelled()
  return credential.toJSON() as unknown as InputOf<typeof completePasskeyLogin>
}

/**
 * Makes a passkey on this device and reports it to the service.
 * @throws Fault
 */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await call(beginPasskeyRegistration, {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    data.publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = await navigator.credentials.create({ publicKey }).catch(toPasskeyFault)
  if (!(made instanceof PublicKeyCredential)) throw cancelled()
  const credential = made.toJSON() as unknown as InputOf<typeof completePasskeyRegistration>['credential']
  await call(completePasskeyRegistration, { name, credential })
}

const cancelled = () =>
  new Fault(0, {
    error: 'Cancelled',
    message: 'No passkey was used: it was cancelled, it took too long, or this account has none here.',
  })

/** What the browser says in words of its own, for programmers, by its name. */
const WORDS: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey of your account.',
  NotSupportedError: 'This device cannot make a passkey of the kind that Facet asks for.',
  ConstraintError: 'This device has no lock that would protect a passkey. Set one up, then add it again.',
  SecurityError: 'The passkeys of this Facet do not work at this address.',
}

function toPasskeyFault(error: unknown): never {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (name === 'NotAllowedError' || name === 'AbortError') throw cancelled()
  throw new Fault(0, {
    error: 'Passkey',
    message: (Object.hasOwn(WORDS, name) && WORDS[name]) || `The browser could not use a passkey: ${message}`,
  })
}
