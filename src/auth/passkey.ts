import { createHmac } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { emailKey } from '#src/auth/email.ts'

/** How long a challenge waits for its answer. */
export const CHALLENGE_LIFE = 5 * 60 * 1000

const RP_NAME = 'Facet'

/** COSE numbers of EdDSA, ES256 and RS256 (RFC 9053 §2): what authenticators make. */
const ALGORITHMS = [-8, -7, -257]

const webauthn = () => import('@simplewebauthn/server')

/** A credential by which an account can be signed in to. */
export interface KnownPasskey {
  credential_id: string
  transports: string[]
}

/** What a passkey of the account has as its user handle (WebAuthn §5.4.3). */
const userHandle = (user_id: string) => Buffer.from(user_id)

export interface StoredPasskey extends KnownPasskey {
  /** COSE key, base64url. */
  public_key: string
  counter: number
}

/** The site that passkeys belong to (WebAuthn §5.1.2: the RP ID is the host's name). */
interface Site {
  rpID: string
  origin: string
}

function siteOf(public_url: string): Site {
  const { hostname, origin } = new URL(public_url)
  return { rpID: hostname, origin }
}

const descriptors = (passkeys: readonly KnownPasskey[]) =>
  passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports }))

export async function creationOptions(
  public_url: string,
  user: { user_id: string; email: string; display_name: string | null },
  known: readonly KnownPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: siteOf(public_url).rpID,
    userID: Uint8Array.from(userHandle(user.user_id)),
    userName: user.email,
    userDisplayName: user.display_name ?? user.email,
    timeout: CHALLENGE_LIFE,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

export async function requestOptions(
  public_url: string,
  challenge: string,
  /** null: whatever the browser offers. */
  passkeys: readonly KnownPasskey[] | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: siteOf(public_url).rpID,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_LIFE,
    ...(passkeys && { allowCredentials: descriptors(passkeys) }),
    // Never 'required': that would show who has TOTP. What such an account demands is checked on the answer.
    userVerification: 'preferred',
  })
}

/** As each of ours is. */
const BASE64URL = /^[\w-]+$/

/** The challenge that a browser's answer names; null: it is no answer of a browser. */
export function challengeOf(credential: unknown): string | null {
  const text = (credential as { response?: { clientDataJSON?: unknown } } | null)?.response?.clientDataJSON
  if (typeof text !== 'string') return null
  try {
    const { challenge } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' && BASE64URL.test(challenge) ? challenge : null
  } catch {
    return null
  }
}

/** The credential to keep; null: the answer does not hold (WebAuthn §7.1). */
export async function verifyCreation(
  public_url: string,
  challenge: string,
  credential: unknown,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await webauthn()
  const { rpID, origin } = siteOf(public_url)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    })
    if (!verified) return null
    const { id, publicKey, counter, transports } = registrationInfo.credential
    const public_key = Buffer.from(publicKey).toString('base64url')
    return { credential_id: id, public_key, counter, transports: texts(transports) }
  } catch {
    return null
  }
}

/** What the browser says of itself is kept only where it has the right form. */
const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((each) => typeof each === 'string' && each.length <= 32).slice(0, 8)
    : []

/** The counter to keep; null: the answer does not hold, or its counter stepped back (WebAuthn §7.2). */
export async function verifyAssertion(
  public_url: string,
  challenge: string,
  assertion: unknown,
  { credential_id, user_id, public_key, counter }: StoredPasskey & { user_id: string },
): Promise<{ counter: number; user_verified: boolean } | null> {
  const { verifyAuthenticationResponse } = await webauthn()
  const { rpID, origin } = siteOf(public_url)
  const response = assertion as AuthenticationResponseJSON
  const handle = response.response.userHandle
  if (handle && handle !== userHandle(user_id).toString('base64url')) return null // §7.2 step 6
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      credential: {
        id: credential_id,
        publicKey: Uint8Array.from(Buffer.from(public_key, 'base64url')),
        counter,
      },
    })
    if (!verified) return null
    return { counter: authenticationInfo.newCounter, user_verified: authenticationInfo.userVerified }
  } catch {
    return null
  }
}

/** Credentials as common authenticators make them: length of the id in bytes, transports. */
const COMMON: readonly [bytes: number, transports: string[]][] = [
  [16, ['hybrid', 'internal']],
  [20, ['hybrid', 'internal']],
  [32, ['internal']],
  [48, ['nfc', 'usb']],
]

/**
 * What an address that has no passkey is said to have: the same at each question, like a real one, and of no use
 * (WebAuthn §14.6.2). `secret` keeps others from computing it.
 */
export function decoyPasskeys(secret: string, email: string): KnownPasskey[] {
  const derive = (what: string) =>
    createHmac('sha512', secret)
      .update(`${what} ${emailKey(email)}`)
      .digest()
  // Accounts have one or two as well: neither number tells anything.
  const names = derive('count')[0]! % 4 === 0 ? ['', ' 2'] : ['']
  return names.map((name) => {
    const [bytes, transports] = COMMON[derive(`kind${name}`)[0]! % COMMON.length]!
    return { credential_id: derive(`id${name}`).subarray(0, bytes).toString('base64url'), transports }
  })
}
