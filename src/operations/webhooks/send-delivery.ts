import { guardedPost } from '#src/auth/guarded-post.ts'
import { signedHeaders, webhookSecretOf } from '#src/auth/webhook-secret.ts'
import { VERSION } from '#src/domain/version.ts'
import type { Services } from '#src/runtime/services.ts'
import type { AttemptOutcome, DeliveryToSend } from '#src/operations/webhooks/delivery-steps.ts'

/** Milliseconds for an answer (additions §9). */
const TIMEOUT = 15_000

/** One attempt: signed, posted, and how it was answered. `at` in milliseconds. */
export async function sendDelivery(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  { delivery_id, url, secret: sealed, secret_id, body }: DeliveryToSend,
  { at, signal }: { at: number; signal?: AbortSignal | undefined },
): Promise<AttemptOutcome> {
  const secret = secrets.open(sealed, webhookSecretOf(secret_id))
  if (secret === null) return failed('the key that its secret is encrypted with is not here (SECRET_KEY)')
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Facet/${VERSION}`,
    ...signedHeaders(secret, { id: delivery_id, at, body }),
  }
  try {
    const { status } = await guardedPost(
      url,
      { headers, body },
      { private: config.webhook_private, timeout: TIMEOUT, signal },
    )
    const ok = status >= 200 && status < 300
    return { ok, response_status: status, error: ok ? null : errorOf(status) }
  } catch (error) {
    return failed((error as Error).message)
  }
}

const failed = (error: string): AttemptOutcome => ({ ok: false, response_status: null, error })

const errorOf = (status: number): string =>
  status >= 300 && status < 400
    ? `the answer was ${status}: redirects are not followed`
    : `the answer was ${status}`
