import { Secret, TOTP } from 'otpauth'

const STEP = 30_000

/** The code that an authenticator application shows; `step` steps later or earlier. */
export const totpCode = (secret: string, now: number, step = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now + step * STEP })

/** Six digits that are no code of the secret for minutes around. */
export function wrongCode(secret: string, now: number): string {
  const near = new Set(Array.from({ length: 21 }, (_, i) => totpCode(secret, now, i - 10)))
  for (let code = 123_456; ; code++) if (!near.has(String(code))) return String(code)
}
