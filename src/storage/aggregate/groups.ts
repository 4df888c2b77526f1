import { foldForKey, type GroupKey, isInstant } from '#src/storage/aggregate/group-key.ts'
import { bucketOfDay, localDays } from '#src/storage/aggregate/time-bucket.ts'

/** A key as the database gives it: a text, a number or a row id; null for no value. */
export type RawKey = string | number | null

export type MetricValue = string | number | null

/** What its keys have in common. */
export class Group {
  /** In the order of `group_by`; row ids and positions still stand for what they name. */
  readonly keys: RawKey[]
  count: number
  readonly metrics: MetricValue[] = []
  private named: string | undefined

  /** `name` is given where its keys become others. */
  constructor(keys: RawKey[], count: number, name?: string) {
    this.keys = keys
    this.count = count
    this.named = name
  }

  /** Its keys, made comparable: groups with one name are one. */
  get name(): string {
    return (this.named ??= nameOfKeys(this.keys))
  }
}

const nameOfKeys = (keys: readonly RawKey[]): string => JSON.stringify(keys)

/** Groups by their keys. Days become periods here, spellings become one: several of the database's groups can be one. */
export class Groups {
  /** Whether several of the database's groups can be one. */
  readonly merges: boolean
  private readonly groups: Group[] = []
  /** As far as groups have been looked for: most are only made, and to name them is most of that. */
  private readonly byName = new Map<string, Group>()
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
    return nameOfKeys(this.finished(raw))
  }

  /** Counts `count` items under these keys. */
  add(raw: readonly RawKey[], count: number): Group {
    const keys = this.finished(raw)
    const name = nameOfKeys(keys)
    let group = this.named(name)
    if (group) group.count += count
    else this.groups.push((group = new Group(keys, count, name)))
    for (const [i, { form }] of this.keys.entries())
      if (form.as === 'fold' && raw[i] !== null) this.note(name, i, String(raw[i]), count)
    return group
  }

  /** The same of lists of keys that are different from each other; a list becomes its group's own. */
  addAll(counted: readonly { readonly keys: RawKey[]; readonly count: number }[]): Group[] {
    if (this.merges || this.groups.length) return counted.map(({ keys, count }) => this.add(keys, count))
    for (const { keys, count } of counted) this.groups.push(new Group(keys, count))
    return [...this.groups]
  }

  find(raw: readonly RawKey[]): Group | undefined {
    return this.named(this.nameOf(raw))
  }

  /** All of them, folded keys in their commonest spelling, every metric at least null. */
  all(metrics: number): Group[] {
    for (const [name, spellings] of this.spellings)
      for (const [i, counts] of spellings.entries())
        if (counts?.size) this.named(name)!.keys[i] = commonest(counts)
    for (const group of this.groups) for (let i = 0; i < metrics; i++) group.metrics[i] ??= null
    return [...this.groups]
  }

  private named(name: string): Group | undefined {
    const { byName, groups } = this
    for (let i = byName.size; i < groups.length; i++) byName.set(groups[i]!.name, groups[i]!)
    return byName.get(name)
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
