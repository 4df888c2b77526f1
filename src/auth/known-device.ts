import { hash } from 'node:crypto'
import { deviceKey } from '#src/auth/login-failures.ts'
import type { SecretBox } from '#src/auth/secret-box.ts'
import type { CallerSession, KnownDevice } from '#src/domain/caller.ts'

const ID_LENGTH = 22
const OWNER = 'known device'
const CONTENT = /^([\w-]{22}) ([0-9a-f]{64})$/
/** Characters; one that was handed out is shorter. */
const MAX_TOKEN = 400

/**
 * What a browser keeps of a session for the sign-ins after it: it says which account, and nobody else can make one.
 * The same for all of a session, so that nobody has more tries by asking again.
 */
export function newDevice(
  secrets: SecretBox,
  account: { user_id: string; email: string },
  { token_hash }: CallerSession,
): string {
  const id = hash('sha256', `device ${token_hash}`, 'base64url').slice(0, ID_LENGTH)
  return secrets.seal(`${id} ${deviceKey(account)}`, OWNER)
}

/** null: it is none of ours, or of a key that is gone. */
export function readDevice(secrets: SecretBox, token: string): KnownDevice | null {
  if (token.length > MAX_TOKEN) return null
  const [, id, account] = CONTENT.exec(secrets.open(token, OWNER) ?? '') ?? []
  return id && account ? { id, account } : null
}
