import type { Instrument, Sample } from '#src/metrics/instruments.ts'

/** Of the text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

interface Metric {
  help: string
  instrument: Instrument
}

/** What operators watch (additions §10): metrics by their names, written in the text format of Prometheus. */
export class Metrics {
  private readonly all = new Map<string, Metric>()

  /** Names follow the conventions of Prometheus: base units, `_total` for what is counted. */
  add<I extends Instrument>(name: string, help: string, instrument: I): I {
    if (this.all.has(name)) throw new Error(`the metric ${name} is there already`)
    this.all.set(name, { help, instrument })
    return instrument
  }

  async text(): Promise<string> {
    // One that is not known is left out: the others are needed most when something is wrong.
    const parts = await Promise.all(
      [...this.all].map(([name, metric]) => textOf(name, metric).catch(() => '')),
    )
    return parts.join('')
  }
}

async function textOf(name: string, { help, instrument }: Metric): Promise<string> {
  const samples = await instrument.samples()
  if (!samples) return ''
  const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${instrument.type}\n`
  return head + samples.map((sample) => line(name, sample)).join('')
}

function line(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${suffix}${pairs.length ? `{${pairs.join(',')}}` : ''} ${numberText(value)}\n`
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"')

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
