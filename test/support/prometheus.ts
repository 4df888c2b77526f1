export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  name: string
  type: string
  help: string
  series: Series[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const NUMBER = /^(?:[+-]?Inf|NaN|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/

/**
 * The text format of Prometheus (0.0.4), read strictly: what a scraper could take amiss is an error. A family has HELP
 * and TYPE before its first sample, is together, and says each series once; histograms are whole and cumulative.
 */
export function parsePrometheus(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let family: Family | undefined
  for (const [i, line] of text.slice(0, -1).split('\n').entries()) {
    const fault = (why: string) => new Error(`line ${i + 1}: ${why}: ${line}`)
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
    if (comment) {
      const [, kind, name = '', rest = ''] = comment
      if (!NAME.test(name)) throw fault('no name of a metric')
      if (kind === 'HELP') {
        if (families.has(name)) throw fault('the family came before')
        family = { name, type: '', help: rest, series: [] }
        families.set(name, family)
      } else {
        if (family?.name !== name || family.type) throw fault('TYPE does not follow its HELP')
        if (!/^(?:counter|gauge|histogram)$/.test(rest)) throw fault('an unknown type')
        family.type = rest
      }
      continue
    }
    const series = readSample(line)
    if (!series) throw fault('no sample')
    if (!family?.type || !belongs(series.name, family)) throw fault('a sample outside of its family')
    const key = `${series.name} ${Object.entries(series.labels)
      .map((pair) => JSON.stringify(pair))
      .toSorted()
      .join()}`
    if (seen.has(key)) throw fault('said twice')
    seen.add(key)
    if (family.type !== 'gauge' && !(series.value >= 0)) throw fault('less than nothing')
    family.series.push(series)
  }
  for (const each of families.values()) checkFamily(each)
  return families
}

function readSample(line: string): Series | null {
  const [, name = '', braces, number = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!NAME.test(name) || !NUMBER.test(number)) return null
  const labels: Record<string, string> = {}
  let rest = braces ?? ''
  while (rest) {
    const [whole, label = '', value = ''] = /^(\w+)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/.exec(rest) ?? []
    if (!whole || !LABEL.test(label) || label in labels) return null
    labels[label] = value.replaceAll(/\\([\\"n])/g, (_, char: string) => (char === 'n' ? '\n' : char))
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}

const belongs = (name: string, family: Family): boolean =>
  family.type === 'histogram'
    ? [`${family.name}_bucket`, `${family.name}_sum`, `${family.name}_count`].includes(name)
    : name === family.name

function checkFamily({ name, type, series }: Family): void {
  if (!type) throw new Error(`${name} has no TYPE`)
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} counts, but is not _total`)
  if (type !== 'counter' && name.endsWith('_total')) throw new Error(`${name} is _total, but does not count`)
  if (type !== 'histogram') return
  const groups = Map.groupBy(series, ({ labels }) => JSON.stringify({ ...labels, le: '' }))
  for (const [labels, group] of groups) {
    const buckets = group.filter((each) => each.name.endsWith('_bucket'))
    const of = (suffix: string) => group.find((each) => each.name === name + suffix)?.value
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('Inf', 'Infinity')))
    const counts = buckets.map(({ value }) => value)
    const sorted = (list: number[]) => list.every((each, i) => i === 0 || each >= list[i - 1]!)
    if (!sorted(bounds) || bounds.at(-1) !== Infinity || !sorted(counts))
      throw new Error(`${name}${labels}: the buckets are not cumulative`)
    if (of('_count') !== counts.at(-1) || of('_sum') === undefined)
      throw new Error(`${name}${labels}: sum or count do not fit`)
  }
}

/** The sum of all series of a name whose labels are these. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  if (!family) throw new Error(`there is no metric ${name}`)
  return family.series
    .filter(
      (each) =>
        each.name === name && Object.entries(labels).every(([key, text]) => each.labels[key] === text),
    )
    .reduce((sum, { value }) => sum + value, 0)
}
