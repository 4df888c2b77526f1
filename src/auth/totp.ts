/** Steps before and after the present one that count too: clocks drift. */
const DRIFT = 1
const ISSUER = 'Facet'

/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20
/** How an authenticator application expects it. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

const otpauth = () => import('otpauth')

/** Base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await otpauth()
  return new Secret({ size: SECRET_BYTES }).base32
}

/** What an authenticator application scans: a PNG as data URI. */
export async function totpQrCode(secret: string, email: string): Promise<string> {
  const { TOTP } = await otpauth()
  const { toDataURL } = await import('qrcode')
  return toDataURL(new TOTP({ ...PARAMETERS, issuer: ISSUER, label: email, secret }).toString())
}

/** The time step (RFC 6238 §4.2) whose code it is; null: a wrong code. */
export async function totpStep(secret: string, code: string, now: Date): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null
  const { Secret, TOTP } = await otpauth()
  const timestamp = now.getTime()
  const key = { ...PARAMETERS, secret: Secret.fromBase32(secret) }
  const delta = TOTP.validate({ ...key, token: code, timestamp, window: DRIFT })
  return delta === null ? null : TOTP.counter({ ...key, timestamp }) + delta
}

/** Steps before this one are too old for any code to name them. */
export const oldestTotpStep = (now: Date): number =>
  Math.floor(now.getTime() / 1000 / PARAMETERS.period) - 2 * DRIFT
