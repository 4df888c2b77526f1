import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDeliveryToSend, recordAttempt } from '#src/operations/webhooks/delivery-steps.ts'
import { findWebhookWork } from '#src/operations/webhooks/queue-steps.ts'
import { insertDeliveries, insertTest } from '#src/storage/webhooks/deliveries.ts'
import { insertWebhook, webhookOf } from '#src/storage/webhooks/webhooks.ts'
import { openBase } from '#test/support/base.ts'

const WEBHOOK = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
const EVENT = '01JJXZ5T7GQ3M8K4B9R2C6D0VS'
const CREATED = '2026-01-31T09:30:00.000Z'

let base: Awaited<ReturnType<typeof openBase>>
let webhook: number
beforeAll(async () => {
  base = await openBase()
  await insertWebhook(base.db, {
    webhook_id: WEBHOOK,
    url: 'https://example.org/hook',
    event_types: null,
    tag_ids: null,
    filter: null,
    description: null,
    secret: '',
    secret_id: '',
    enabled: 1,
    created_by: null,
    created_at: CREATED,
    updated_at: CREATED,
    position: EVENT,
  })
  webhook = (await webhookOf(base.db, WEBHOOK)).id
})
afterAll(() => base.close())

let made = 0
/** A delivery that is due. */
async function due(): Promise<string> {
  const n = String(made++).padStart(2, '0')
  const [delivery_id, event_id] = [`01JJXZ5T7GQ3M8K4B9R2C6D1${n}`, `01JJXZ5T7GQ3M8K4B9R2C6D2${n}`]
  await insertDeliveries(base.db, webhook, [{ delivery_id, event_id, lane: event_id }], new Date(CREATED))
  return delivery_id
}
const isDue = async (delivery_id: string) =>
  (await base.runStep(findWebhookWork, { limit: 10 }))[0]!.due.includes(delivery_id)
const REFUSED = { ok: false, response_status: 500, error: 'the answer was 500' }
const TAKEN = { ok: true, response_status: 200, error: null }

it('counts a failure once, however many attempts went by the same state', async () => {
  const delivery_id = await due()
  const attempt = { delivery_id, attempts: 0, ...REFUSED }
  const first = await base.runStep(recordAttempt, attempt)
  expect(first!.delivery).toMatchObject({ status: 'pending', attempts: 1 })
  for (let i = 0; i < 8; i++) expect(await base.runStep(recordAttempt, attempt)).toEqual(first)
  const next = await base.runStep(recordAttempt, { ...attempt, attempts: 1 })
  expect(next!.delivery).toMatchObject({ status: 'pending', attempts: 2 })
  expect((await webhookOf(base.db, WEBHOOK)).enabled).toBe(1)
})

it('keeps as delivered what was taken once, whatever other attempts by the same state became', async () => {
  for (const outcomes of [
    [TAKEN, REFUSED],
    [REFUSED, TAKEN],
    [TAKEN, TAKEN],
  ]) {
    const delivery_id = await due()
    for (const outcome of outcomes)
      await base.runStep(recordAttempt, { delivery_id, attempts: 0, ...outcome })
    const last = await base.runStep(recordAttempt, { delivery_id, attempts: 0, ...REFUSED })
    expect(last!.delivery).toMatchObject({ status: 'delivered', response_status: 200, next_attempt_at: null })
    expect(await isDue(delivery_id)).toBe(false)
  }
})

it('says with a delivery how often it was sent', async () => {
  const delivery_id = '01JJXZ5T7GQ3M8K4B9R2C6D3VS'
  await insertTest(base.db, webhook, delivery_id, new Date(CREATED))
  for (const attempts of [0, 1]) {
    const found = await base.runStep(findDeliveryToSend, { delivery_id })
    expect(found).toMatchObject({ delivery_id, attempts })
    await base.runStep(recordAttempt, { delivery_id, attempts, ...TAKEN })
  }
})
