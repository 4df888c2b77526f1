import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { changeWebhook } from '#src/operations/webhooks/webhook-steps.ts'
import {
  EXAMPLE_WEBHOOK,
  Webhook,
  WebhookId,
  webhookInput,
  WebhookUrl,
} from '#src/operations/webhooks/webhook-schemas.ts'
import { webhookTarget } from '#src/operations/webhooks/webhook-target.ts'

export const updateWebhook = defineOperation({
  name: 'updateWebhook',
  summary: 'Change a webhook, or disable or enable it; what is left out stays.',
  description:
    'One that is enabled, or gets another `url` while it is, goes on where it stood, at most 30 days back: what was ' +
    'not delivered is sent at once, and its retries start again. Another choice of events is of those that come from ' +
    'then on. One that is suspended, because whoever made it is no owner any more, is taken over by enabling it. ' +
    'One whose filter does not hold any more (its tag was deleted) is enabled with another filter alone.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'PUT /api/webhooks/{webhook_id}',
  input: Type.Object(
    {
      webhook_id: WebhookId,
      url: Type.Optional(WebhookUrl),
      ...webhookInput,
      enabled: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  ignores: Object.keys(Webhook.properties),
  output: Webhook,
  errors: ['NotFound'],
  example: { input: { enabled: true }, output: EXAMPLE_WEBHOOK },
  async run({ text, services }, { url, ...change }) {
    const target = url === undefined ? undefined : webhookTarget(url, services.config.webhook_private)
    const answer = await text(changeWebhook, { ...change, ...(target !== undefined && { url: target }) })
    services.webhooks.happened()
    return answer
  },
})
