import { ulidTime } from '#src/domain/ulid.ts'
import { Reading } from '#src/metrics/instruments.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { findWebhookFigures } from '#src/operations/webhooks/queue-steps.ts'
import type { WebhookFigures } from '#src/storage/webhooks/due-deliveries.ts'

/** What /metrics says of webhooks is looked at when it is asked for, by whichever process, so that a lag is seen also where none delivers. */
export function watchFigures(runtime: Runtime): void {
  const { metrics } = runtime.services
  // The other figures are reported all the same.
  const find = (): Promise<WebhookFigures | null> =>
    runStep(runtime, findWebhookFigures, {}).catch(() => null)
  let finding: Promise<WebhookFigures | null> | undefined
  /** Both are asked for at once. */
  const read = () => (finding ??= find().finally(() => (finding = undefined)))
  metrics.add(
    'facet_webhook_lag_seconds',
    'Age of the oldest event that an enabled webhook has not been sent yet; 0: none waits.',
    new Reading('gauge', async () => {
      const found = await read()
      if (!found) return null
      const age = found.oldest === null ? 0 : Math.max(0, runtime.clock() - ulidTime(found.oldest)) / 1000
      return [{ value: age }]
    }),
  )
  metrics.add(
    'facet_webhooks',
    'Webhooks: enabled, disabled by an owner, given up by the service.',
    new Reading('gauge', async () => {
      const found = await read()
      if (!found) return null
      return (['enabled', 'disabled', 'given_up'] as const).map((state) => ({
        labels: { state },
        value: found[state],
      }))
    }),
  )
}
