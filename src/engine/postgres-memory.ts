import type pg from 'pg'

/**
 * What is remembered of one server's database between calls: parsed tags for as long as no tag changes, hints, and what
 * reads bring up to date from the log (decisions 112, 26).
 */
export class PostgresMemory {
  readonly hints = new Map<string, unknown>()
  readonly committed = new Map<string, unknown>()
  private version = -1
  private cache = new Map<string, unknown>()

  /** For a call whose snapshot shows this version; one older than others have seen gets a cache of its own. */
  at(version: number): { cache: Map<string, unknown>; hints: Map<string, unknown> } {
    if (version > this.version) {
      this.version = version
      this.cache = new Map()
    }
    return { cache: version === this.version ? this.cache : new Map(), hints: this.hints }
  }

  /** After a transaction whose changes came to nothing: what it had read of itself is untrue. */
  forget(): void {
    this.version = -1
  }
}

/** The state of a transaction. */
export interface TransactionState {
  /** Moves with every change of a tag. */
  version: number
  /** The number of the newest write transaction that it sees; 0 for none. */
  batch: number
}

/** As the transaction of `client` sees it, which comes first for the rest of what it reads. */
export async function readTransactionState(client: pg.ClientBase): Promise<TransactionState> {
  const { rows } = await client.query<TransactionState>({
    name: 'position',
    text: 'select version, coalesce((select max(number) from write_batch), 0) as batch from tag_version',
  })
  return rows[0]!
}
