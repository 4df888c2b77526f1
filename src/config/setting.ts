import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Cron } from 'croner'
import type { DatabaseConfig, KeepPlan, Registration, S3Place } from '#src/config/config.ts'
import { namesS3, readS3Place } from '#src/config/s3-place.ts'
import { type Role, ROLES } from '#src/domain/caller.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { isTimeZone } from '#src/domain/zoned-time.ts'

/** One environment variable: what the documentation says of it and how its text becomes a value. */
export interface Setting<T> {
  /** Taken where the variable is unset or empty; null: none. */
  readonly default: string | null
  /** For the documentation, Markdown. */
  readonly meaning: string
  /** Never shown in a message. */
  readonly secret?: boolean
  /** @throws Error whose message says what was expected. */
  parse: (text: string) => T
}

const expected = (what: string) => new Error(`expected ${what}`)

export const anyText = (text: string): string => text

/** Without port and brackets. */
const NAME_OF_MACHINE = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i

export function host(text: string): string {
  if (isIP(text) === 0 && !NAME_OF_MACHINE.test(text))
    throw expected('an address such as 127.0.0.1 or ::1, or a name, without a port')
  return text
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw expected('a port number from 0 to 65535')
  return Number(text)
}

export function flag(text: string, what = 'true or false'): boolean {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true
  if (['false', '0', 'no', 'off'].includes(text.toLowerCase())) return false
  throw expected(what)
}

/** Fewer are in front of any service; more would be a mistyped port. */
const MAX_HOPS = 16

/** `false`, `true`, `2`, `10.0.0.2,fd00::/64` → how many are believed, or which. */
export function proxies(text: string): number | readonly string[] {
  if (/^\d+$/.test(text)) {
    if (Number(text) <= MAX_HOPS) return Number(text)
    throw expected(`at most ${MAX_HOPS} proxies`)
  }
  if (!/[.:,]/.test(text)) return Number(flag(text, 'true, false, a number of proxies, or their addresses'))
  return listOf(network)(text)
}

function network(text: string): string {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  if (bits < 0 || Number(prefix ?? 0) > bits)
    throw expected(`'${text}' to be an address or a network such as 10.0.0.0/8`)
  return text
}

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text.toLowerCase())
    if (!found) throw expected(`one of: ${values.join(', ')}`)
    return found
  }

const UNITS: Record<string, number> = {
  b: 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
}
/** Above it Node could not keep the body in one string. */
const MAX_BYTES = 512 * 2 ** 20 - 1024

function sizeOf(text: string): number {
  const [, digits, unit = 'b'] = /^(\d+)\s*([a-z]+)?$/i.exec(text) ?? []
  return Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
}

/** `33554432`, `32 MiB`, `500kB` → bytes. */
export function bytes(text: string): number {
  const size = sizeOf(text)
  if (!(size >= 1 && size <= MAX_BYTES)) throw expected('a size such as 32 MiB, below 512 MiB')
  return size
}

const MAX_FILE = 5 * 2 ** 40

/** `100 MiB`, `5 GiB` → bytes. */
export function fileSize(text: string): number {
  const size = sizeOf(text)
  if (!(size >= 1 && size <= MAX_FILE)) throw expected('a size such as 100 MiB, up to 5 TiB')
  return size
}

/** `s3://bucket/prefix`, or a folder of this machine or one that is mounted. */
export const filesPlace = (text: string): Place => placeOf(text, '/var/lib/facet/files')
export const backupPlace = (text: string): Place => placeOf(text, '/var/backups/facet')

export type Place = { folder: string } | S3Place

function placeOf(text: string, example: string): Place {
  const place = readS3Place(text)
  if (place) return place
  if (namesS3(text))
    throw expected(
      `a folder such as ${example}, or s3://bucket/prefix: a bucket has 3 to 63 letters, digits, dots and hyphens, and no part of a prefix is . or ..`,
    )
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw expected(`a folder such as ${example}, or s3://bucket/prefix`)
  if (isOfShell(text)) throw expected(`a folder such as ${example}: only a shell knows what ~ means`)
  return { folder: resolve(text) }
}

/** It would be a folder called `~`. */
const isOfShell = (path: string): boolean => /^~[^/]*(\/|$)/.test(path)

/** A whole number of days, up to a hundred years. */
export function days(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 36_500) throw expected('days, a number from 1 to 36500')
  return Number(text)
}

const MILLISECONDS: Record<string, number> = { ms: 1, s: 1000, min: 60_000 }
const MAX_DURATION = 600_000

/** `500ms`, `10s`, `2 min` → milliseconds. */
export function duration(text: string): number {
  const [, digits, unit = ''] = /^(\d+)\s*([a-z]+)$/i.exec(text) ?? []
  const milliseconds = Number(digits) * (MILLISECONDS[unit.toLowerCase()] ?? Number.NaN)
  if (!(milliseconds >= 100 && milliseconds <= MAX_DURATION))
    throw expected('a time such as 10s or 500ms, from 100ms to 10min')
  return milliseconds
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw expected('a whole number above 0')
  return Number(text)
}

/** A whole number that is not smaller. */
export const atLeast =
  (least: number) =>
  (text: string): number => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw expected(`a whole number of at least ${least}`)
    return Number(text)
  }

export function countOrNone(text: string): number {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text)) throw expected('a whole number, 0 for none')
  return Number(text)
}

/** `https://facet.example.org`: scheme, host and port alone. */
export function origin(text: string): string {
  const url = parseUrl(text)
  if (
    !url ||
    !isHttp(url) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    text.endsWith('?')
  )
    throw expected('an origin such as https://facet.example.org (no path, no query)')
  return url.port === '' && /:0\/?$/.test(text) ? `${url.origin}:0` : url.origin
}

export const httpUrl = (text: string): string => {
  const url = parseUrl(text)
  if (!url || !isHttp(url) || url.username || url.search || url.hash)
    throw expected('an http or https address')
  return text.replace(/\/+$/, '')
}

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname.toLowerCase())

/** Discovery answers decide where secrets are sent, so only loopback may do without TLS. */
export function issuer(text: string): string {
  const url = parseUrl(text)
  if (!url || !isHttp(url) || url.username || url.search || url.hash) throw expected('an https address')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw expected('an https address (http is for loopback addresses only)')
  return text
}

export const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): readonly T[] => {
    const parts = partsOf(text)
    if (!parts.length) throw expected('more than separators')
    return parts.map(parse)
  }

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

function domain(text: string): string {
  const name = text.toLowerCase()
  if (!DOMAIN.test(name)) throw expected(`'${text}' to be a domain such as example.org`)
  return name
}

/** PEM text; in one line with `\n` written out, as some environments want it, too. */
export function pem(text: string): string {
  const lines = text.includes('\n') ? text : text.replaceAll('\\n', '\n')
  try {
    createPrivateKey(lines)
  } catch {
    throw expected('a private key in PEM form')
  }
  return lines
}

/** 32 bytes in base64 or hex → in base64. */
export function secretKey(text: string): string {
  const hex = /^[0-9a-f]{64}$/i.test(text)
  const bytes = /^[\w+/-]{43}=?$/.test(text) || hex ? Buffer.from(text, hex ? 'hex' : 'base64') : null
  if (bytes?.length !== 32)
    throw expected('32 random bytes in base64 or hex, as `openssl rand -base64 32` prints')
  return bytes.toString('base64')
}

export function database(text: string): DatabaseConfig {
  if (text.startsWith('file:')) {
    if (/^file:\/\/[^/]/.test(text))
      throw new Error('expected file:PATH, such as file:data/facet.db or file:/var/lib/facet/facet.db')
    const file = decoded(text.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))
    if (isOfShell(file))
      throw new Error(
        'expected file:PATH, such as file:/var/lib/facet/facet.db: only a shell knows what ~ means',
      )
    if (file && !file.endsWith('/') && !/[?#]/.test(file)) return { engine: 'sqlite', file }
  }
  if (/^postgres(ql)?:/.test(text))
    return { engine: 'postgres', url: postgres(text), replica_urls: [], listen_url: null }
  throw new Error('expected file:PATH or postgres://user:password@host:port/name')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('expected file:PATH, where a % in the path is written %25')
  }
}

export function postgres(text: string): string {
  // Several hosts are no URL to the platform, so the list is checked host by host.
  const [, before = '', hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? []
  const valid = hosts.split(',').every((host) => host && parseUrl(`${before}${host}${after}`))
  if (!valid) throw new Error('expected postgres://user:password@host:port/name')
  return /[?&]uselibpqcompat=true(&|$)/.test(text) ? text : text.replace(CHECKED_AS_FULL, '$1verify-full')
}

/** pg takes these as `verify-full`, with a warning of eight lines that another version of it will not. */
const CHECKED_AS_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g

export function registration(text: string): Registration {
  if (text === 'open' || text === 'closed') return { kind: text }
  const [, list] = /^domain:(.*)$/.exec(text) ?? []
  const domains = partsOf(list ?? '').map(domain)
  if (!domains.length) throw new Error('expected open, closed or domain:example.org,example.net')
  return { kind: 'domain', domains }
}

export function timeZone(text: string): string {
  if (!isTimeZone(text)) throw expected('the IANA name of a time zone, e.g. Europe/Vienna')
  return text
}

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

const isHttp = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

/** `{"admins": "owner", "*": "reader"}` */
export function roles(text: string): Record<string, Role> {
  const form = expected('a JSON object of roles such as {"admins": "owner", "*": "reader"}')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw form
  }
  if (!isRecord(given) || !Object.keys(given).length) throw form
  for (const [value, role] of Object.entries(given))
    if (!ROLES.some((each) => each === role)) throw expected(`'${value}' to be one of: ${ROLES.join(', ')}`)
  return given as Record<string, Role>
}

/** `0 3 * * *`: the text itself, which is known to name a time that comes. */
export function cron(text: string): string {
  const wrong = expected('minute, hour, day, month and weekday as cron writes them, such as 0 3 * * *')
  let next: Date | null
  try {
    next = new Cron(text, { paused: true, mode: '5-part' }).nextRun()
  } catch {
    throw wrong
  }
  if (!next) throw expected('a time that comes')
  return text
}

const PERIODS = { d: 'days', w: 'weeks', m: 'months' } as const

/** `7d,4w,12m` → of how many days, weeks and months. */
export function keepPlan(text: string): KeepPlan {
  const plan = { days: 0, weeks: 0, months: 0 }
  const seen = new Set<string>()
  for (const part of text.split(',')) {
    const [, digits, unit] = /^\s*(\d{1,4})([dwm])\s*$/.exec(part) ?? []
    if (!unit || seen.has(unit)) throw expected('days, weeks and months such as 7d,4w,12m')
    seen.add(unit)
    plan[PERIODS[unit as keyof typeof PERIODS]] = Number(digits)
  }
  if (!plan.days && !plan.weeks && !plan.months)
    throw expected('at least one day, week or month, such as 7d; 1d keeps the newest copy alone')
  return plan
}
