import type { CallerClient } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import {
  addFacts,
  type ChangeFacts,
  emptyFacts,
  type EventFacts,
  noteFacts,
  type TellableFacts,
} from '#src/domain/change-facts.ts'
import { MatchingTime } from '#src/storage/search/matching-time.ts'
import { FoldedGrowth } from '#src/storage/items/folded-growth.ts'

/** Who proposed a change, and by what. */
interface ProposedBy {
  user_id: Ulid
  client: CallerClient | null
}

/** What one call changes, while it runs. Its events share the id. */
export class OpenChange {
  /** The operation that was called; a step gives the name of its own. */
  operation: string
  readonly facts: ChangeFacts = emptyFacts()
  /** The part of the call that is under way, from 1; undefined where it has none. */
  part: number | undefined
  /** Set by the one that takes changes back. */
  undoes: readonly Ulid[] = []
  /** What the details of each event say besides. */
  told: Readonly<Record<string, string>> | undefined
  /** Who proposed it, where it carries a proposal out. */
  proposed_by: ProposedBy | undefined
  /** It has very many events: they are entered into the log afterwards. */
  large = false
  /** Events of it are still to be entered into the log. */
  drafted = false
  /** Notifications were written, or are read now, or somebody is to be notified from now on. */
  rings = false
  /** Accounts besides the caller's that something is written for: they are to find it whatever they read from. */
  readonly concerns = new Set<Ulid>()
  /** Tags that it makes: where it fails they are not there. */
  readonly tags = new Set<Ulid>()
  /** Of the texts that it writes. */
  readonly growth = new FoldedGrowth()
  /** For filters that its items are held against. */
  readonly matching = new MatchingTime()
  /** The last event; null while nothing is recorded. */
  lastEvent: Ulid | null = null
  private readonly newId: () => Ulid
  private made: Ulid | null = null

  constructor(operation: string, newId: () => Ulid) {
    this.operation = operation
    this.newId = newId
  }

  /** Made on its first use: what records nothing uses up no id. */
  get id(): Ulid {
    return (this.made ??= this.newId())
  }

  /** What follows moves the times of its items by itself. */
  beginPart(): void {
    this.part = (this.part ?? 0) + 1
  }

  note(told: EventFacts, event_id: Ulid): void {
    this.lastEvent = event_id
    noteFacts(this.facts, told)
  }

  /** The same of many. */
  noteAll(told: readonly EventFacts[], last_event: Ulid): void {
    for (const each of told) this.note(each, last_event)
  }

  /** The same of events that were recorded beforehand. */
  noteMany(told: TellableFacts, last_event: Ulid): void {
    this.lastEvent = last_event
    addFacts(this.facts, told)
  }
}
