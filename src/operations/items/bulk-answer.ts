import { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { MAX_SAMPLE } from '#src/operations/schemas/inputs.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { itemHeads } from '#src/storage/items/items.ts'

/** Ids that a tool's answer names (additions §12). */
const MAX_SHOWN_IDS = 100

/** What becomes of an item (row id): values of a tag as JSON text, null where it does not have the tag, or is deleted. */
export interface Difference {
  item: number
  before: string | null
  after: string | null
}

/** What a bulk operation says in the end (decisions §7, additions §11). */
export class BulkAnswer {
  private readonly context: SqlContext
  readonly dry_run: boolean
  private affected: Ulid[] = []
  private readonly sample: Difference[] = []
  private changed = 0
  /** How many examples are shown. */
  private readonly most: number | undefined

  constructor(context: SqlContext, dry_run: boolean) {
    this.context = context
    this.dry_run = dry_run
    if (dry_run || context.tried) this.most = context.sample ?? MAX_SAMPLE
  }

  affect(items: readonly { item_id: Ulid }[]): void {
    for (const { item_id } of items) this.affected.push(item_id)
  }

  /** Of the items that are affected those that differ afterwards; `describe` is asked for the few that are shown. */
  async differ<T>(
    items: readonly T[],
    describe: (shown: readonly T[]) => Difference[] | Promise<Difference[]>,
  ): Promise<void> {
    this.changed += items.length
    const room = (this.most ?? 0) - this.sample.length
    if (room && items.length) this.sample.push(...(await describe(items.slice(0, room))))
  }

  /** What was reported so far; it is not reported again. */
  take(): { affected: Ulid[]; changed: number } {
    const { affected, changed } = this
    this.affected = []
    this.changed = 0
    return { affected, changed }
  }

  /** Says what another answer took. */
  add({ affected, changed }: { affected: readonly Ulid[]; changed: number }): void {
    for (const item_id of affected) this.affected.push(item_id)
    this.changed += changed
  }

  async reply(matched_count: number, warnings: readonly string[] = [], more: object = {}): Promise<Reply> {
    const { affected, changed, dry_run, context } = this
    const told = context.caller.source === 'rest' ? affected : affected.slice(0, MAX_SHOWN_IDS)
    const answer = {
      matched_count,
      affected_count: affected.length,
      changed_count: changed,
      affected_ids: told,
      dry_run,
      ...more,
      ...(warnings.length && { warnings: [...warnings] }),
    }
    const meta = warnings.length ? { warnings: [...warnings] } : undefined
    if (this.most === undefined) return Reply.of(answer, meta)
    const json = `${JSON.stringify(answer).slice(0, -1)},"sample":[${(await this.shown()).join()}]}`
    return new Reply(json, meta)
  }

  private async shown(): Promise<string[]> {
    const ids = this.sample.map(({ item }) => item)
    const heads = new Map((await itemHeads(this.context.db, ids)).map((head) => [head.id, head]))
    return this.sample.map(({ item, before, after }) => {
      const { item_id, name } = heads.get(item)!
      return `${JSON.stringify({ item_id, name }).slice(0, -1)},"before":${before},"after":${after}}`
    })
  }
}
