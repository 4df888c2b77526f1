import { sign } from 'node:crypto'

/** Seconds. Apple allows half a year; made at each use, it need not live long. */
const LIFE = 5 * 60

export interface AppleKey {
  /** PEM, P-256. */
  private_key: string
  key_id: string
  team_id: string
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Apple's client secret: a JWT signed with the developer's key, by its "Creating a client secret". */
export function appleSecret(key: AppleKey, client_id: string, issuer: string, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000)
  const header = encode({ alg: 'ES256', kid: key.key_id, typ: 'JWT' })
  const claims = encode({ iss: key.team_id, iat, exp: iat + LIFE, aud: issuer, sub: client_id })
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
    key: key.private_key,
    dsaEncoding: 'ieee-p1363', // RFC 7518 §3.4
  })
  return `${header}.${claims}.${signature.toString('base64url')}`
}
