import type { Config } from '#src/config/config.ts'
import { isLoopback } from '#src/config/setting.ts'

const ALL_ADDRESSES = new Set(['0.0.0.0', '::', '[::]'])

/** Settings that work and are probably not what is wanted, in sentences. */
export function doubtfulSettings(config: Config): string[] {
  return [...config.misspelled, ...doubtfulAddress(config), filesApart(config)].filter(
    (each) => each !== null,
  )
}

/** Those that say who can come in. */
export const doubtfulAddress = (config: Config): string[] =>
  [overHttp(config), openToStrangers(config)].filter((each) => each !== null)

/** A session cookie is Secure: browsers keep it over https, and on loopback. */
export function overHttp({ public_url, host, tls, trust_proxy }: Config): string | null {
  const url = new URL(public_url)
  if (url.protocol === 'https:') return null
  const way =
    'serve HTTPS (TLS_CERT and TLS_KEY, or a proxy in front and PUBLIC_URL as browsers see it); clients that are no browsers can send the Cookie header by hand'
  if (!isLoopback(url.hostname))
    return `PUBLIC_URL is ${public_url}: browsers do not keep the session cookie over http, so signing in will seem to work and the next request will be refused. To mend it, ${way}`
  if (isLoopback(host.includes(':') ? `[${host}]` : host) || tls || trust_proxy) return null
  const where = ALL_ADDRESSES.has(host) ? 'all addresses of this machine' : host
  return `Facet listens on ${where}, but PUBLIC_URL is ${public_url}: from other machines nobody can sign in with a browser, because it does not keep the session cookie over http. To mend it, ${way}`
}

function openToStrangers({ public_url, registration }: Config): string | null {
  if (registration.kind !== 'open' || isLoopback(new URL(public_url).hostname)) return null
  return `REGISTRATION is open: everybody who reaches ${public_url} can make an account and read and change everything. To keep strangers out, set REGISTRATION=closed`
}

/** Where several processes may serve one base, each would have files of its own. */
export function filesApart({ database, files }: Config): string | null {
  if (database.engine !== 'postgres' || files.kind !== 'folder' || !files.isDefault) return null
  return `FILES is not set: files are in ${files.folder}, which all processes of this database must share. Set FILES to a folder that they share, or to s3://bucket/prefix`
}
