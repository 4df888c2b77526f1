import type { DatabaseConfig } from '#src/config/config.ts'

/** What is written and is not yet a copy. */
const UNFINISHED = '.unfinished'

/** A copy of ours, by its name. */
export interface NamedCopy {
  name: string
  /** When it was begun, in milliseconds. */
  at: number
}

/** `facet-1f0c…-20261123T030000000Z.db`: of which base and when, to the millisecond; of PostgreSQL `.jsonl`. */
export function copyName(base_id: string, at: number, engine: DatabaseConfig['engine']): string {
  const time = new Date(at).toISOString().replaceAll(/[-:.]/g, '')
  return `facet-${base_id}-${time}.${engine === 'postgres' ? 'jsonl' : 'db'}`
}

const NAME =
  /^facet-(?<base>[0-9a-f]{12})-(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?<ms>\d{3})Z\.(?:db|jsonl)$/

/** Of which base it is a copy; null: it is none. */
export const baseOfCopy = (name: string): string | null => NAME.exec(name)?.groups?.base ?? null

export const kindByName = (name: string): 'sqlite' | 'export' =>
  name.endsWith('.jsonl') ? 'export' : 'sqlite'

/** null: no copy of this base. */
export function readCopyName(name: string, base_id: string): NamedCopy | null {
  const { base, year, month, day, hour, minute, second, ms } = NAME.exec(name)?.groups ?? {}
  if (base !== base_id) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at) ? null : { name, at }
}

/** Whether it is what a killed process has left of a copy of this base, with what SQLite keeps next to it. */
export function isUnfinishedCopy(name: string, base_id: string): boolean {
  const end = name.indexOf(UNFINISHED)
  return end > 0 && readCopyName(name.slice(0, end), base_id) !== null
}
