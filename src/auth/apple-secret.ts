import { createPrivateKey } from 'node:crypto'

/** Seconds. Apple allows half a year; made at each use, it need not live long. */
const LIFE = 5 * 60

export interface AppleKey {
  /** PEM, P-256. */
  private_key: string
  key_id: string
  team_id: string
}

/** Apple's client secret: a JWT signed with the developer's key, by its "Creating a client secret". */
export async function appleSecret(
  key: AppleKey,
  client_id: string,
  issuer: string,
  now: Date,
): Promise<string> {
  const { SignJWT } = await import('jose')
  const iat = Math.floor(now.getTime() / 1000)
  return new SignJWT({ iss: key.team_id, iat, exp: iat + LIFE, aud: issuer, sub: client_id })
    .setProtectedHeader({ alg: 'ES256', kid: key.key_id, typ: 'JWT' })
    .sign(createPrivateKey(key.private_key))
}
