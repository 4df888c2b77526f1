import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks, "Signature scheme": 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A new secret in the form that the libraries of Standard Webhooks take, and an id that it is sealed for. */
export const newWebhookSecret = (): { secret: string; secret_id: string } => ({
  secret: `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`,
  secret_id: randomBytes(16).toString('hex'),
})

/** Whose a sealed secret is. */
export const webhookSecretOf = (secret_id: string): string => `webhook ${secret_id}`

/** The headers of a delivery; `at` in milliseconds. */
export function signedHeaders(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = Math.floor(at / 1000)
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}
