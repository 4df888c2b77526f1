import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { bulkCreate, createTag } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { keepMore, type Undoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'
import type { ImportItem, MatchBy } from '#web/rules/import-plan.ts'
import { newKey } from '#web/rules/new-key.ts'
import type { FieldMap } from '#web/rules/guess-columns.ts'

/** Items in one request. */
const AT_ONCE = 1000

/** What is to be done, as it was when somebody said so. */
export interface Order {
  items: readonly ImportItem[]
  /** A tag that is there, one that is to be made, or none. */
  tag: { tag_id: string } | { name: string; fields: FieldMap } | null
  match: MatchBy | null
  /** Reads again what shows the base. */
  renew: () => Promise<unknown>
}

interface Portion {
  items: readonly ImportItem[]
  /** Sent again after a break it makes nothing twice. */
  key: string
}

/** The making of items, thousands at a time, until it is done or stopped; what is to be made is fixed at its start. */
export class ImportJob {
  state: 'running' | 'stopped' | 'done' = 'stopped'
  /** Rows that are dealt with. */
  made = 0
  created = 0
  updated = 0
  fault: string | undefined
  /** Rows of the portion that was refused. */
  refused: ReadonlySet<number> = new Set()
  tag_id: string | null
  readonly total: number
  private readonly order: Order
  private portions: Portion[]
  private kept: Undoable | null = null
  private isStopping = false
  private version = 0
  private readonly listeners = new Set<() => void>()

  constructor(order: Order) {
    this.order = order
    this.total = order.items.length
    this.tag_id = order.tag && 'tag_id' in order.tag ? order.tag.tag_id : null
    this.portions = Array.from({ length: Math.ceil(order.items.length / AT_ONCE) }, (_, i) => ({
      items: order.items.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
      key: newKey(),
    }))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = (): number => this.version

  get left(): number {
    return this.portions.reduce((sum, { items }) => sum + items.length, 0)
  }

  stop(): void {
    this.isStopping = true
  }

  async run(): Promise<void> {
    if (this.state === 'running') return
    this.isStopping = false
    this.fault = undefined
    this.refused = new Set()
    this.put('running')
    try {
      await this.makeTag()
      while (this.portions.length && !this.isStopping) await this.send(this.portions[0]!)
      this.put(this.portions.length ? 'stopped' : 'done')
      say(this.portions.length ? `Stopped after ${this.made} rows` : `Imported ${this.made} rows`)
    } catch (error) {
      this.fault = error instanceof Fault ? this.wordsOf(error) : String(error)
      this.put('stopped')
    }
    await this.order.renew()
  }

  /** Goes on without the rows that were refused. */
  async leaveOut(): Promise<void> {
    const [first] = this.portions
    if (!first) return
    const items = first.items.filter(({ row }) => !this.refused.has(row))
    this.portions = [...(items.length ? [{ items, key: newKey() }] : []), ...this.portions.slice(1)]
    await this.run()
  }

  private async makeTag(): Promise<void> {
    const { tag } = this.order
    if (!tag || 'tag_id' in tag || this.tag_id !== null) return
    const { data, change_id } = await call(createTag, { name: tag.name, fields: { ...tag.fields } })
    this.tag_id = data.tag_id
    this.keep(change_id)
  }

  private async send({ items, key }: Portion): Promise<void> {
    const input: InputOf<typeof bulkCreate> = {
      items: items.map((item) => newItem(item, this.tag_id)),
      ...(this.order.match !== null && { match_by: this.matchBy() }),
    }
    const { data, change_id } = await call(bulkCreate, input, { headers: { 'idempotency-key': key } })
    this.portions = this.portions.slice(1)
    this.made += data.length
    const updated = data.filter(({ created }) => created === false).length
    this.updated += updated
    this.created += data.length - updated
    this.keep(change_id)
    this.put('running')
  }

  private matchBy(): string {
    const { match } = this.order
    return match === null || match === 'name' ? 'name' : `${this.tag_id}.${match.field}`
  }

  /** All of it is one thing to be taken back. */
  private keep(change_id: string | undefined): void {
    const words = `Imported ${this.made.toLocaleString()} ${this.made === 1 ? 'item' : 'items'}`
    this.kept = keepMore(this.kept, { words, change_id, renew: this.order.renew })
  }

  /** The service counts the items of one request; a person counts rows. */
  private wordsOf({ problems, message, suggestion }: Fault): string {
    const [portion] = this.portions
    const rows = problems.flatMap(({ path }) => {
      const at = /^items\[(\d+)\]/.exec(path)?.[1]
      return at === undefined ? [] : [portion!.items[Number(at)]!.row]
    })
    this.refused = new Set(rows)
    const [first] = problems
    if (!first || !rows.length) return [message, first?.message, suggestion].filter(Boolean).join('. ')
    return `Row ${rows[0]! + 2}: ${first.message}`
  }

  private put(state: ImportJob['state']): void {
    this.state = state
    this.version++
    for (const listener of this.listeners) listener()
  }
}

const newItem = ({ name, description, values }: ImportItem, tag_id: string | null) => ({
  name,
  ...(description !== undefined && { description }),
  ...(tag_id !== null && { tags: [{ tag_ref: { Existing: tag_id }, field_values: values }] }),
})
