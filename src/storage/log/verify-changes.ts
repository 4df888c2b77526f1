import type { CallerClient } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ChangeTable } from '#src/sql/tables.ts'
import { BEGINNING } from '#src/storage/log/audit-chain.ts'
import { changeHash, summaryHash } from '#src/storage/log/change-chain.ts'

/** Changes that are read at once. */
const PAGE = 500

const after = query((p: { after: Ulid }, sql) =>
  sql.selectFrom('change').selectAll().where('change_id', '>', p.after).orderBy('change_id').limit(PAGE),
)

export interface BrokenEvent {
  event_id: Ulid
  /** From 1. */
  position: number
  reason: string
}

/** What of an event its change has to agree with. */
export interface EventOfChange {
  event_id: Ulid
  event_type: string
  /** Null on events that are older than changes. */
  change_id: Ulid | null
  user_id: Ulid | null
  source: string
  client: string | null
}

interface Extent extends EventOfChange {
  /** Of its newest event, from 1. */
  position: number
  counts: Record<string, number>
}

/** Holds the changes of a log against its events, which are given in order: those of a change follow one another. */
export class ChangeCheck {
  /** The hash of the newest change; that of the beginning where none has one. */
  head = BEGINNING
  private readonly db: Db
  private page: ChangeTable[] = []
  private read = ''
  private extent: Extent | null = null
  private position = 0

  constructor(db: Db) {
    this.db = db
  }

  /** What does not fit of the change that ends before this event; null: it fits, or goes on. */
  async take(event: EventOfChange): Promise<BrokenEvent | null> {
    const { extent } = this
    const position = ++this.position
    if (extent && extent.change_id !== null && extent.change_id === event.change_id) {
      extent.event_id = event.event_id
      extent.position = position
      extent.counts[event.event_type] = (extent.counts[event.event_type] ?? 0) + 1
      return null
    }
    this.extent = { ...event, position, counts: { [event.event_type]: 1 } }
    return extent && this.broken(extent, await this.faultOf(extent))
  }

  /** The same at the end of the log, where no further change may be. */
  async end(): Promise<BrokenEvent | null> {
    const { extent } = this
    const broken = extent && this.broken(extent, await this.faultOf(extent))
    if (broken) return broken
    const next = await this.present()
    if (!next) return null
    const reason = `after it events of the change ${next.change_id} are missing at the end of the log`
    return { event_id: extent?.event_id ?? next.last_event, position: this.position, reason }
  }

  private broken({ event_id, position }: Extent, reason: string | null): BrokenEvent | null {
    return reason === null ? null : { event_id, position, reason }
  }

  /** The first change that no event has been found for yet. */
  private async present(): Promise<ChangeTable | undefined> {
    if (!this.page.length) this.page = await this.db.all(after, { after: this.read })
    return this.page[0]
  }

  private async faultOf(extent: Extent): Promise<string | null> {
    const change = await this.present()
    // Bases that are older than changes have one for each event, or none.
    if (extent.change_id === null && change?.change_id !== extent.event_id) return null
    if (change?.change_id === (extent.change_id ?? extent.event_id)) {
      this.page.shift()
      this.read = change.change_id
    } else
      return `the change ${extent.change_id} is missing beside its events, or ${change?.change_id ?? 'another'} has none`
    const { last_event, source, client, counts } = change
    const same =
      last_event === extent.event_id &&
      (change.user_id === extent.user_id || isOfOperatorsTemplate(change)) &&
      source === extent.source &&
      client === extent.client &&
      sorted(JSON.parse(counts) as Record<string, number>) === sorted(extent.counts)
    if (!same) return `the change ${change.change_id} is not what its events say`
    return this.linkFault(change)
  }

  private linkFault(change: ChangeTable): string | null {
    const { hash, summary, summary_salt, summary_hash } = change
    // Changes that are older than their chain.
    if (hash === null && this.head === BEGINNING) return null
    const isErased = summary === null && summary_salt === null
    const fits =
      hash !== null &&
      summary_hash !== null &&
      (isErased || (summary_salt !== null && summaryHash(summary, summary_salt) === summary_hash)) &&
      changeHash(this.head, change, summary_hash) === hash
    if (!fits) return `the change ${change.change_id} has been altered, or does not follow the one before it`
    this.head = hash
    return null
  }
}

/**
 * `template use` of an earlier version recorded a batch whose events are those of the account that it was given, and
 * whose change is that of nobody. Neither may be written anew, so it is taken as it is: no other command makes a batch
 * (decision 47). Events and change are held against their chains all the same.
 */
const isOfOperatorsTemplate = ({ operation, user_id, client }: ChangeTable): boolean =>
  operation === 'batch' &&
  user_id === null &&
  client !== null &&
  (JSON.parse(client) as CallerClient).kind === 'cli'

const sorted = (counts: Record<string, number>): string =>
  JSON.stringify(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
