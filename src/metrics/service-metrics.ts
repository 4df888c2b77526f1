import { Tally } from '#src/metrics/instruments.ts'
import { Metrics } from '#src/metrics/metrics.ts'

/** What somebody holds open. */
export type StreamKind = 'mcp' | 'mcp_sse' | 'chat' | 'list' | 'changes' | 'export' | 'import_faults'

/** What the service counts by itself; the parts of it add their own. */
export class ServiceMetrics extends Metrics {
  private readonly streams = this.add(
    'facet_open_streams',
    'Open streams: of MCP (Streamable HTTP, and the event stream of 2024-11-05), answers of the assistant, whole lists, changes.',
    new Tally('gauge', ['kind']),
  )
  private readonly failures = this.add(
    'facet_sign_in_failures_total',
    'Failed sign-ins, by what was wrong: a password, a code or a passkey.',
    new Tally('counter', ['by']),
  )

  private readonly attempts = this.add(
    'facet_webhook_attempts_total',
    'Attempts to deliver events to webhooks, by how they ended; tests are not among them.',
    new Tally('counter', ['outcome']),
  )

  constructor() {
    super()
    for (const outcome of ['delivered', 'failed']) this.attempts.add([outcome], 0)
  }

  /** For each kind once, so that it is reported before the first opens. */
  streamsOf(kind: StreamKind): { opened(): void; closed(): void } {
    this.streams.add([kind], 0)
    return {
      opened: () => this.streams.add([kind]),
      closed: () => this.streams.add([kind], -1),
    }
  }

  webhookAttempt(isDelivered: boolean): void {
    this.attempts.add([isDelivered ? 'delivered' : 'failed'])
  }

  signInFailed(by: 'password' | 'code' | 'passkey'): void {
    this.failures.add([by])
  }
}
