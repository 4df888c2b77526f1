import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { startService } from '#test/support/service.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

it('is sent once where its outcome cannot be stored, and the service stops without waiting for that', async () => {
  const receiver = new WebhookReceiver()
  await receiver.listen()
  const service = await startService({ env: { WEBHOOK_PRIVATE: 'true' } })
  try {
    const client = await service.user()
    // As of a disk that is full: the row of the delivery cannot be written.
    const db = new SqliteConnection(join(service.folder, 'facet.db'))
    db.raw.exec(`CREATE TRIGGER full BEFORE UPDATE ON webhook_delivery
      WHEN new.attempts <> old.attempts BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
    db.close()
    await client.ok('POST', '/api/webhooks', { url: receiver.url })
    await client.ok('POST', '/api/items', { name: 'Once' })
    await receiver.take(1)
    await sleep(1500)
    expect(receiver.received).toHaveLength(1)
  } finally {
    const begun = performance.now()
    await service.close()
    expect(performance.now() - begun).toBeLessThan(4000)
    await receiver.close()
  }
})
