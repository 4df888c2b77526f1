import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertTest } from '#src/storage/webhooks/deliveries.ts'
import { webhookOf } from '#src/storage/webhooks/webhooks.ts'

/** Keeps a test that is about to be sent. */
export const addTest = defineStep({
  name: 'addTest',
  effect: 'write',
  async run({ db, now, newId }, { webhook_id }: { webhook_id: string }): Promise<{ delivery_id: Ulid }> {
    const { id } = await webhookOf(db, webhook_id)
    const delivery_id = newId()
    await insertTest(db, id, delivery_id, now)
    return { delivery_id }
  },
})
