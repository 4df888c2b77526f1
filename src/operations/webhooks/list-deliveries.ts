import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import {
  Delivery,
  EXAMPLE_DELIVERY,
  toDelivery,
  WebhookId,
} from '#src/operations/webhooks/webhook-schemas.ts'
import { deliveriesOf } from '#src/storage/webhooks/deliveries.ts'
import { webhookOf } from '#src/storage/webhooks/webhooks.ts'

/** Without a limit, as an interface streams it, a page all the same. */
const WHOLE = 1000

export const listDeliveries = defineOperation({
  name: 'listDeliveries',
  summary: 'List what was sent to a webhook and what is to be, newest first.',
  description: 'What was delivered is kept for 30 days, at most 10,000 of a webhook.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/webhooks/{webhook_id}/deliveries',
  paged: true,
  input: Type.Object(
    { webhook_id: WebhookId, limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(Delivery),
  errors: ['NotFound'],
  example: { output: [EXAMPLE_DELIVERY] },
  async run({ db }, { webhook_id, limit = WHOLE, after: given }) {
    const { id } = await webhookOf(db, webhook_id)
    const after = given === undefined ? undefined : parseUlid(given)
    if (after === null)
      throw badRequest('after: not a cursor of this list', { suggestion: 'Take X-Next-Cursor as it came' })
    const { rows, next } = await deliveriesOf(db, id, { limit, after })
    return new Reply(JSON.stringify(rows.map(toDelivery)), next === null ? undefined : { next })
  },
})
