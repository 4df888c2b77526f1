import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { EXAMPLE_WEBHOOK, toWebhook, Webhook } from '#src/operations/webhooks/webhook-schemas.ts'
import { allWebhooks } from '#src/storage/webhooks/webhooks.ts'

export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  summary: 'List the webhooks, newest first, disabled ones too.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/webhooks',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Webhook),
  example: { output: [EXAMPLE_WEBHOOK] },
  run: async ({ db }) => (await allWebhooks(db)).map(toWebhook),
})
