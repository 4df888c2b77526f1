import type { TestClock } from '#test/support/clock.ts'
import { Browser } from '#test/support/browser.ts'
import {
  type IdentityProviderOptions,
  type Person,
  startIdentityProvider,
} from '#test/support/identity-provider.ts'
import { startService } from '#test/support/service.ts'

export const PASSWORD = 'correct horse'
export const PROVIDERS = ['idp_a', 'idp_b'] as const
export type ProviderName = (typeof PROVIDERS)[number]

let people = 0
/** Somebody new, whose address the provider vouches for unless said otherwise. */
export const person = (claims: Record<string, unknown> = {}): Person => {
  const subject = `person-${++people}`
  return { subject, claims: { email: `${subject}@example.org`, email_verified: true, ...claims } }
}
export const emailOf = ({ claims }: Person) => claims.email as string

/** The service with both providers; `site` is its address for browsers. */
export async function startBoth(
  options: { env?: Record<string, string>; idp?: IdentityProviderOptions; clock?: TestClock } = {},
) {
  const idps = {
    idp_a: await startIdentityProvider(options.idp),
    idp_b: await startIdentityProvider(options.idp),
  }
  const service = await startService({
    env: { ...idps.idp_a.env('IDP_A'), ...idps.idp_b.env('IDP_B'), ...options.env },
    ...(options.clock && { clock: options.clock.now }),
  })
  const site = service.url.replace('127.0.0.1', 'localhost')
  for (const name of PROVIDERS) idps[name].register(`${site}/api/auth/oauth/${name}/callback`)
  return {
    service,
    site,
    idps,
    async close() {
      await service.close()
      await Promise.all(PROVIDERS.map((name) => idps[name].close()))
    },
  }
}
export type Both = Awaited<ReturnType<typeof startBoth>>

export const callbackOf = ({ site }: Both, name: ProviderName) => `${site}/api/auth/oauth/${name}/callback`

/** Up to the callback, which is not asked; for idp_a, whose parameters are in the address. */
export async function upToCallback(both: Both, browser: Browser, who: Person): Promise<URL> {
  both.idps.idp_a.state.person = who
  const stop = (url: string) => url.startsWith(callbackOf(both, 'idp_a'))
  return new URL((await browser.visit(`${both.site}/api/auth/oauth/idp_a`, { stop })).url)
}

/** Signs in with a provider; the landing is `/` or `/?auth_error=…`. */
export async function signIn({ site, idps }: Both, name: ProviderName, who: Person, browser = new Browser()) {
  idps[name].state.person = who
  const { url } = await browser.visit(`${site}/api/auth/oauth/${name}`)
  const me = await browser.send('GET', `${site}/api/auth/me`)
  return { browser, path: url.replace(site, ''), me }
}

export const register = async ({ service, site }: Both, email: string) => {
  const client = await service.user(email, PASSWORD)
  const browser = new Browser()
  browser.setCookie(site, '__Host-session', client.cookies.get('__Host-session')!)
  return { client, browser }
}
