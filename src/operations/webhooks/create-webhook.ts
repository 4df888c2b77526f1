import { Type } from 'typebox'
import { newWebhookSecret, webhookSecretOf } from '#src/auth/webhook-secret.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { addWebhook } from '#src/operations/webhooks/webhook-steps.ts'
import {
  EXAMPLE_WEBHOOK,
  NewWebhookAnswer,
  webhookInput,
  WebhookUrl,
} from '#src/operations/webhooks/webhook-schemas.ts'
import { webhookTarget } from '#src/operations/webhooks/webhook-target.ts'

export const createWebhook = defineOperation({
  name: 'createWebhook',
  summary: 'Have every event from now on sent to an address.',
  description:
    'Each event of the log is posted by itself, as GET /api/changes/stream reports it, signed as Standard Webhooks has it ' +
    '(`webhook-id`, `webhook-timestamp`, `webhook-signature`), at least once, those of one item in order. Any 2xx within ' +
    '15 s is success; else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, and then the webhook is ' +
    'disabled. Redirects are not followed.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/webhooks',
  input: Type.Object({ url: WebhookUrl, ...webhookInput }, { additionalProperties: false }),
  output: NewWebhookAnswer,
  errors: ['Conflict'],
  example: {
    input: {
      url: EXAMPLE_WEBHOOK.url,
      event_types: EXAMPLE_WEBHOOK.event_types,
      tag_ids: ['Order'],
      description: EXAMPLE_WEBHOOK.description,
    },
    output: { ...EXAMPLE_WEBHOOK, secret: 'whsec_…' },
  },
  async run({ text, services }, { url: given, ...choice }) {
    const url = webhookTarget(given, services.config.webhook_private)
    const { secret, secret_id } = newWebhookSecret()
    const sealed = services.secrets.seal(secret, webhookSecretOf(secret_id))
    const { json, meta } = await text(addWebhook, { url, secret: sealed, secret_id, ...choice })
    services.webhooks.happened()
    return new Reply(`${json.slice(0, -1)},"secret":${JSON.stringify(secret)}}`, meta)
  },
})
