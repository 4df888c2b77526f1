/** One line of a metric: what is behind its name, the labels' values, and the number. */
export interface Sample {
  suffix?: string
  labels?: Readonly<Record<string, string>>
  value: number
}

/** What a metric is made of besides its name and its help. */
export interface Instrument {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** null: not known now. */
  samples(): readonly Sample[] | null | Promise<readonly Sample[] | null>
}

type LabelValues = readonly string[]

/** One value of a label, and what there is of the following labels; the last one's has the state. */
interface Branch<T> {
  readonly next: Map<string, Branch<T>>
  leaf: { labels: Record<string, string>; state: T } | undefined
}

/** Values by the values of labels, whose number the caller keeps bounded: never what a request may choose freely. */
class Series<T> {
  private readonly names: LabelValues
  private readonly root: Branch<T> = { next: new Map(), leaf: undefined }
  private readonly leaves: { labels: Record<string, string>; state: T }[] = []
  private readonly make: () => T

  constructor(names: LabelValues, make: () => T) {
    this.names = names
    this.make = make
  }

  /** Label by label: every request comes through here, and a key put together of them costs more. */
  of(values: LabelValues): T {
    let branch = this.root
    for (const value of values) {
      let next = branch.next.get(value)
      if (!next) branch.next.set(value, (next = { next: new Map(), leaf: undefined }))
      branch = next
    }
    return (branch.leaf ??= this.leafOf(values)).state
  }

  list(): readonly { labels: Record<string, string>; state: T }[] {
    return this.leaves
  }

  private leafOf(values: LabelValues): { labels: Record<string, string>; state: T } {
    const labels = Object.fromEntries(this.names.map((name, i) => [name, values[i] ?? '']))
    const leaf = { labels, state: this.make() }
    this.leaves.push(leaf)
    return leaf
  }
}

/** A number that goes up, or where `type` is gauge up and down, by the values of its labels. */
export class Tally implements Instrument {
  readonly type: 'counter' | 'gauge'
  private readonly series: Series<{ value: number }>

  constructor(type: 'counter' | 'gauge', names: LabelValues = []) {
    this.type = type
    this.series = new Series(names, () => ({ value: 0 }))
    if (!names.length) this.series.of([])
  }

  add(values: LabelValues = [], by = 1): void {
    this.series.of(values).value += by
  }

  samples(): Sample[] {
    return this.series.list().map(({ labels, state }) => ({ labels, value: state.value }))
  }
}

/** How often a number was at most so large. */
export class Histogram implements Instrument {
  readonly type = 'histogram'
  private readonly bounds: readonly number[]
  private readonly series: Series<{ counts: number[]; sum: number }>

  constructor(bounds: readonly number[], names: LabelValues = []) {
    this.bounds = bounds
    this.series = new Series(names, () => ({ counts: [...bounds, Infinity].map(() => 0), sum: 0 }))
    if (!names.length) this.series.of([])
  }

  observe(value: number, values: LabelValues = []): void {
    const state = this.series.of(values)
    state.sum += value
    let at = 0
    while (at < this.bounds.length && value > this.bounds[at]!) at++
    state.counts[at]! += 1
  }

  samples(): Sample[] {
    return this.series.list().flatMap(({ labels, state: { counts, sum } }) => {
      let total = 0
      const buckets = counts.map((count, i) => {
        total += count
        const le = i < this.bounds.length ? String(this.bounds[i]) : '+Inf'
        return { suffix: '_bucket', labels: { ...labels, le }, value: total }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }]
    })
  }
}

/** A number that is looked at when it is asked for. */
export class Reading implements Instrument {
  readonly type: 'counter' | 'gauge'
  readonly samples: Instrument['samples']

  constructor(type: 'counter' | 'gauge', samples: Instrument['samples']) {
    this.type = type
    this.samples = samples
  }
}
