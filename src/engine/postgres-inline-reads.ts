import type pg from 'pg'
import type { Reply } from '#src/domain/reply.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { noIds } from '#src/engine/transaction.ts'
import { onPrimary } from '#src/engine/postgres-snapshots.ts'
import { PostgresConnection } from '#src/sql/postgres-connection.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import { PostgresLookups } from '#src/sql/postgres-lookups.ts'
import type { PatternMatcher } from '#src/sql/query.ts'

export interface InlineReadsOptions {
  /** Of which no search takes a connection. */
  hosts: PostgresHosts
  run: SqlRunner
  patterns: PatternMatcher
  /** Milliseconds. */
  timeout: number
  metrics: EngineMetrics
}

/** Reads by key (sessions, keys, tokens, single items): on the primary, without a transaction, with others of their kind. */
export class PostgresInlineReads {
  private readonly options: InlineReadsOptions
  private readonly lookups = new WeakMap<pg.Pool, PostgresLookups>()

  constructor(options: InlineReadsOptions) {
    this.options = options
  }

  async read(call: SqlCall): Promise<Reply> {
    const { hosts, run, metrics } = this.options
    const began = performance.now()
    try {
      return await onPrimary(hosts, (pool) => run(this.lookupsOn(pool), call, noIds))
    } finally {
      metrics.call('lookup', undefined, performance.now() - began)
    }
  }

  /** Nothing is remembered between two of them: what they read may change at any moment. */
  private lookupsOn(pool: pg.Pool): PostgresConnection {
    const { patterns, timeout } = this.options
    let lookups = this.lookups.get(pool)
    if (!lookups) this.lookups.set(pool, (lookups = new PostgresLookups(pool, timeout)))
    return new PostgresConnection(pool, patterns, { lookups })
  }
}
