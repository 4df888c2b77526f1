import { mkdirSync, writeFileSync } from 'node:fs'

/** One measured figure; `target` null where there is none to reach. */
export interface Figure {
  what: string
  items: number
  connections?: number
  value: number
  unit: string
  /** `≥ 0.45` or `≤ 10`. */
  target: string | null
  met: boolean | null
  /** More figures behind it, for the JSON. */
  raw?: unknown
}

export class Report {
  private readonly figures: Figure[] = []

  atLeast(figure: Omit<Figure, 'target' | 'met'>, least: number): void {
    this.add({ ...figure, target: `≥ ${least}`, met: figure.value >= least })
  }

  atMost(figure: Omit<Figure, 'target' | 'met'>, most: number): void {
    this.add({ ...figure, target: `≤ ${most}`, met: figure.value <= most })
  }

  note(figure: Omit<Figure, 'target' | 'met'>): void {
    this.add({ ...figure, target: null, met: null })
  }

  /** Nothing was measured: of what was asked for there is nothing at these sizes, or on that engine. */
  get isEmpty(): boolean {
    return !this.figures.length
  }

  get missed(): Figure[] {
    return this.figures.filter(({ met }) => met === false)
  }

  /** Writes `.bench/<time>.json` and `.bench/latest.json`. */
  save(about: Record<string, unknown>): string {
    mkdirSync('.bench', { recursive: true })
    const time = new Date().toISOString()
    const text = `${JSON.stringify({ time, ...about, figures: this.figures }, null, 2)}\n`
    const path = `.bench/${time.replaceAll(':', '-')}.json`
    writeFileSync(path, text)
    writeFileSync('.bench/latest.json', text)
    return path
  }

  private add(figure: Figure): void {
    this.figures.push(figure)
    process.stdout.write(`${line(figure)}\n`)
  }
}

export const heading = (text: string): void => void process.stdout.write(`\n${text}\n`)

function line({ what, connections, value, unit, target, met }: Figure): string {
  const where = connections === undefined ? '' : `, ${connections} connection${connections === 1 ? '' : 's'}`
  const shown = `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`.trim()
  const verdict = met === null ? '' : `${met ? '✓' : '✗ MISSED'}  ${target}`
  return `  ${(what + where).padEnd(58)}${shown.padStart(14)}   ${verdict}`
}

/** Of so large a share of the values the highest one. */
export const highest = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)]!

export function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  const middle = ordered.length >> 1
  return ordered.length % 2 ? ordered[middle]! : (ordered[middle - 1]! + ordered[middle]!) / 2
}
