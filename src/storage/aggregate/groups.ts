import { foldForKey, type GroupKey, isInstant } from '#src/storage/aggregate/group-key.ts'
import { bucketOfDay, localDays } from '#src/storage/aggregate/time-bucket.ts'

/** A key as the database gives it: a text, a number or a row id; null for no value. */
export type RawKey = string | number | null

export type MetricValue = string | number | null

/** What its keys have in common. */
export interface Group {
  /** Its keys, made comparable: groups with one name are one. */
  readonly name: string
  /** In the order of `group_by`; row ids and positions still stand for what they name. */
  readonly keys: RawKey[]
  count: number
  readonly metrics: MetricValue[]
}

/** Groups by their keys. Days become periods here, spellings become one: several of the database's groups can be one. */
export class Groups {
  /** Whether several of the database's groups can be one. */
  readonly merges: boolean
  private readonly groups = new Map<string, Group>()
  /** For folded keys: how many items have each spelling. */
  private readonly spellings = new Map<string, Map<string, number>[]>()
  private readonly keys: readonly GroupKey[]
  private readonly finish: ((raw: string) => string)[]

  constructor(keys: readonly GroupKey[], time_zone: string) {
    this.keys = keys
    this.merges = keys.some(({ form }) => form.as === 'fold' || form.as === 'bucket')
    this.finish = keys.map(({ form, source }) => {
      if (form.as === 'fold') return foldForKey
      if (form.as !== 'bucket') return (raw) => raw
      const { bucket } = form
      if (!isInstant(source) || time_zone === 'UTC') return (raw) => bucketOfDay(raw, bucket)
      const dayOf = localDays(time_zone)
      return (raw) => bucketOfDay(dayOf(raw), bucket)
    })
  }

  /** How the group of these keys is named. */
  nameOf(raw: readonly RawKey[]): string {
    return JSON.stringify(this.finished(raw))
  }

  /** Counts `count` items under these keys. */
  add(raw: readonly RawKey[], count: number): void {
    const keys = this.finished(raw)
    const name = JSON.stringify(keys)
    const group = this.groups.get(name)
    if (group) group.count += count
    else this.groups.set(name, { name, keys, count, metrics: [] })
    for (const [i, { form }] of this.keys.entries())
      if (form.as === 'fold' && raw[i] !== null) this.note(name, i, String(raw[i]), count)
  }

  find(raw: readonly RawKey[]): Group | undefined {
    return this.groups.get(this.nameOf(raw))
  }

  /** All of them, folded keys in their commonest spelling, every metric at least null. */
  all(metrics: number): Group[] {
    for (const [name, spellings] of this.spellings)
      for (const [i, counts] of spellings.entries())
        if (counts?.size) this.groups.get(name)!.keys[i] = commonest(counts)
    const groups = [...this.groups.values()]
    for (const group of groups) for (let i = 0; i < metrics; i++) group.metrics[i] ??= null
    return groups
  }

  private finished(raw: readonly RawKey[]): RawKey[] {
    return raw.map((each, i) => (typeof each === 'string' ? this.finish[i]!(each) : each))
  }

  private note(name: string, i: number, spelling: string, count: number): void {
    const spellings = this.spellings.get(name) ?? []
    this.spellings.set(name, spellings)
    const counts = (spellings[i] ??= new Map())
    counts.set(spelling, (counts.get(spelling) ?? 0) + count)
  }
}

/** Of equally common ones the first by code point. */
function commonest(counts: ReadonlyMap<string, number>): string {
  let best = ''
  let most = 0
  for (const [spelling, count] of counts)
    if (count > most || (count === most && spelling < best)) [best, most] = [spelling, count]
  return best
}
