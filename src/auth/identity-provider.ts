import { createPrivateKey } from 'node:crypto'
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { authFault } from '#src/auth/auth-fault.ts'
import { isEmail, trimEmail } from '#src/auth/email.ts'
import { roleOf } from '#src/auth/role-map.ts'
import type { Config, IdentityProviderConfig } from '#src/config/config.ts'
import type { Role } from '#src/domain/caller.ts'

/** Seconds. Apple allows half a year; made at each use, it need not live long. */
const LIFE = 5 * 60

interface AppleKey {
  /** PEM, P-256. */
  private_key: string
  key_id: string
  team_id: string
}

/** Apple's client secret: a JWT signed with the developer's key, by its "Creating a client secret". */
async function appleSecret(key: AppleKey, client_id: string, issuer: string, now: Date): Promise<string> {
  const { SignJWT } = await import('jose')
  const iat = Math.floor(now.getTime() / 1000)
  return new SignJWT({ iss: key.team_id, iat, exp: iat + LIFE, aud: issuer, sub: client_id })
    .setProtectedHeader({ alg: 'ES256', kid: key.key_id, typ: 'JWT' })
    .sign(createPrivateKey(key.private_key))
}

export const PROVIDERS = ['idp_a', 'idp_b'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** What names no issuer: documents themselves, and Microsoft's common addresses, behind which each tenant has its own. */
const NAMELESS = /\/\.well-known\/|\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\//

/** Whether what a provider called itself is whom an IDP_x_ISSUER names; where that names nobody, it may be. */
export function isIssuer(configured: string, issuer: string): boolean {
  if (NAMELESS.test(configured)) return true
  return URL.canParse(issuer) && new URL(configured).href === new URL(issuer).href
}

/** How a provider's answer comes back (OAuth 2.0 Form Post Response Mode; decisions §1). */
const RESPONSE_MODE: Readonly<Record<ProviderName, string>> = { idp_a: 'query', idp_b: 'form_post' }

/** What discovery said is asked again after this many milliseconds. */
const METADATA_LIFE = 60 * 60 * 1000
/** Seconds until a provider that does not answer counts as down. */
const TIMEOUT = 10

const openid = () => import('openid-client')

/** What a sign-in that has left for a provider must still know when it comes back. */
export interface LoginChecks {
  state: string
  nonce: string
  code_verifier: string
}

/** Whom the provider says it was. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  email: string | null
  email_verified: boolean
  /** What its role map gives; null: nothing fits. Without a map there is none. */
  role?: Role | null
}

/** One OpenID Connect provider, found by discovery on first use. Its tokens are judged by real time. */
export class IdentityProvider {
  readonly name: ProviderName
  private readonly config: IdentityProviderConfig
  private readonly redirect_uri: string
  private readonly clock: () => number
  private discovered: { at: number; client: Promise<Configuration> } | undefined

  constructor(
    name: ProviderName,
    config: IdentityProviderConfig,
    { public_url, clock }: { public_url: string; clock: () => number },
  ) {
    this.name = name
    this.config = config
    this.redirect_uri = `${public_url}/api/auth/oauth/${name}/callback`
    this.clock = clock
  }

  /** Where to send the browser. @throws ServiceUnavailable where the provider cannot be reached or understood. */
  async authorizationUrl({ state, nonce, code_verifier }: LoginChecks): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openid()
    const client = await this.client()
    const url = buildAuthorizationUrl(client, {
      redirect_uri: this.redirect_uri,
      response_mode: RESPONSE_MODE[this.name],
      scope: this.config.scopes,
      code_challenge: await calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return url.href
  }

  /** Redeems the code of a callback (`code`, `state`, `iss`). @throws BadRequest where anything does not fit. */
  async identify(answer: URLSearchParams, checks: LoginChecks): Promise<ProviderIdentity> {
    const { authorizationCodeGrant, fetchUserInfo } = await openid()
    try {
      const client = await this.client()
      const tokens = await authorizationCodeGrant(
        client,
        new URL(`${this.redirect_uri}?${answer.toString()}`),
        {
          pkceCodeVerifier: checks.code_verifier,
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          idTokenExpected: true,
        },
      )
      const { iss: issuer, sub: subject, ...claims } = tokens.claims()!
      const { role_map } = this.config
      const lacks = claims.email === undefined || (role_map && claims[role_map.claim] === undefined)
      const asked = lacks && client.serverMetadata().userinfo_endpoint !== undefined
      const info = asked ? await fetchUserInfo(client, tokens.access_token, subject) : {}
      const email = this.email(claims.email === undefined ? info : claims)
      return { issuer, subject, ...email, ...this.role({ ...info, ...claims }) }
    } catch (error) {
      throw authFault('exchange_failed', { reason: reasonOf(error) })
    }
  }

  private role(claims: Record<string, unknown>): { role?: Role | null } {
    const { role_map } = this.config
    return role_map ? { role: roleOf(claims[role_map.claim], role_map.roles) } : {}
  }

  private email({ email, email_verified }: Record<string, unknown>) {
    const address = typeof email === 'string' ? trimEmail(email) : ''
    // Some providers send the claim as text.
    const verified = this.config.trust_email || email_verified === true || email_verified === 'true'
    return isEmail(address)
      ? { email: address, email_verified: verified }
      : { email: null, email_verified: false }
  }

  private client(): Promise<Configuration> {
    const now = this.clock()
    if (!this.discovered || now - this.discovered.at >= METADATA_LIFE) {
      const client = this.discover()
      const discovered = { at: now, client }
      this.discovered = discovered
      client.catch(() => {
        if (this.discovered === discovered) this.discovered = undefined // the next one tries again
      })
    }
    return this.discovered.client
  }

  private async discover(): Promise<Configuration> {
    const {
      allowInsecureRequests,
      ClientSecretBasic,
      ClientSecretPost,
      discovery,
      enableNonRepudiationChecks,
    } = await openid()
    const { issuer, client_id, client_secret, signing_key } = this.config
    const url = new URL(issuer)
    // RFC 8414 §2: a provider that lists no methods takes Basic.
    // eslint-disable-next-line typescript/no-misused-promises -- it is awaited; the library's own PrivateKeyJwt is alike
    const auth: ClientAuth = async (server: ServerMetadata, ...rest) => {
      const secret = signing_key
        ? await appleSecret(signing_key, client_id, server.issuer, new Date(this.clock()))
        : client_secret!
      const post = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      return (post ? ClientSecretPost : ClientSecretBasic)(secret)(server, ...rest)
    }
    try {
      return await discovery(url, client_id, undefined, auth, {
        timeout: TIMEOUT,
        execute: [
          // Without it the library takes TLS for the signature of an ID token.
          enableNonRepudiationChecks,
          // The configuration lets http pass for loopback addresses only.
          ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      })
    } catch (error) {
      throw authFault('provider_unavailable', { reason: reasonOf(error) })
    }
  }
}

/** Which check failed, for operators: the library's code or message, never what a provider sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message
}

export type IdentityProviders = Readonly<Record<ProviderName, IdentityProvider | null>>

/** Those that the configuration names. */
export function identityProviders(config: Config, clock: () => number): IdentityProviders {
  const make = (name: ProviderName) => {
    const own = config[name]
    return own && new IdentityProvider(name, own, { public_url: config.public_url, clock })
  }
  return { idp_a: make('idp_a'), idp_b: make('idp_b') }
}
