import { ServiceError } from '#src/domain/errors.ts'

/** A write as its client saw it. */
interface Write {
  id: string
  client: number
  outcome: 'acknowledged' | 'refused' | 'unknown' | 'waiting'
}

/** A row as the database has it in the end, in the order of rows. */
export interface LedgerRow {
  id: string
  /** The ULID that the write was given. */
  newId: string
}

/** What clients asked for and were told, to hold against what the database has in the end. */
export class WriteLedger {
  private readonly writes = new Map<string, Write>()
  private readonly acknowledged: Write[] = []

  begin(client: number): string {
    const id = `${client}-${this.writes.size}`
    this.writes.set(id, { id, client, outcome: 'waiting' })
    return id
  }

  acknowledge(id: string): void {
    const write = this.writes.get(id)!
    if (write.outcome !== 'waiting') throw new Error(`write ${id} was answered twice`)
    write.outcome = 'acknowledged'
    this.acknowledged.push(write)
  }

  fail(id: string, error: unknown): void {
    const write = this.writes.get(id)!
    if (write.outcome !== 'waiting') throw new Error(`write ${id} was answered twice`)
    const isUnknown = error instanceof ServiceError && error.message.includes('unknown')
    write.outcome = isUnknown ? 'unknown' : 'refused'
  }

  /** The client's process died: nobody hears of it any more. */
  abandon(id: string): void {
    this.writes.get(id)!.outcome = 'unknown'
  }

  isAnswered(id: string): boolean {
    return this.writes.get(id)!.outcome !== 'waiting'
  }

  get acknowledgedCount(): number {
    return this.acknowledged.length
  }

  /** @throws where an acknowledged write is lost, one appears twice, a refused one was made, or order was not kept */
  check(rows: readonly LedgerRow[]): void {
    const places = new Map<string, number>()
    for (const [place, { id }] of rows.entries()) {
      if (places.has(id)) throw new Error(`write ${id} was made twice`)
      places.set(id, place)
    }
    for (const { id, outcome } of this.writes.values()) {
      if (outcome === 'waiting') throw new Error(`write ${id} was never answered`)
      if (outcome === 'acknowledged' && !places.has(id))
        throw new Error(`write ${id} was acknowledged and is lost`)
      if (outcome === 'refused' && places.has(id)) throw new Error(`write ${id} was refused and is there`)
    }
    this.checkOrder(places)
    for (const [i, { newId }] of rows.entries())
      if (i > 0 && newId <= rows[i - 1]!.newId) throw new Error(`id ${newId} goes backwards`)
  }

  /** A client waits for each answer before it asks again, so its writes are in the order of its answers. */
  private checkOrder(places: ReadonlyMap<string, number>): void {
    const last = new Map<number, number>()
    for (const { id, client } of this.acknowledged) {
      const place = places.get(id)!
      if (place <= (last.get(client) ?? -1)) throw new Error(`write ${id} is before an older one`)
      last.set(client, place)
    }
  }
}
