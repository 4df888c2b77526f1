import { generateKeyPairSync } from 'node:crypto'
import type { Configuration, errors as Errors, interactionPolicy, Provider } from 'oidc-provider'
import { checkClientMetadata } from '#src/api/apps/client-metadata.ts'
import { noticePage } from '#src/api/apps/consent-page.ts'
import { FetchBudget } from '#src/api/apps/fetch-budget.ts'
import type { WebLook } from '#src/api/web/web-files.ts'
import { guardedFetch, namesPrivateAddress } from '#src/auth/guarded-fetch.ts'
import { SCOPES } from '#src/domain/caller.ts'
import { isClientLetIn } from '#src/operations/account/app/app-record-steps.ts'
import { mcpResource } from '#src/operations/account/app/open-app.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

/** Milliseconds in which a document that could not be fetched is not asked for again. */
const PAUSE = 5000
const MAX_KEPT = 1000

/** The library asks for a document twice in a request; one that does not answer would be waited for twice. */
class FailedDocuments {
  private readonly clock: () => number
  private readonly failures = new Map<string, { at: number; error: unknown }>()

  constructor(clock: () => number) {
    this.clock = clock
  }

  /** What it failed with a moment ago. */
  recent(url: string): { error: unknown } | undefined {
    const failure = this.failures.get(url)
    return failure && Math.abs(this.clock() - failure.at) < PAUSE ? failure : undefined
  }

  /** @throws what `fetch` throws, or threw a moment ago */
  async unlessFailed<T>(url: string, fetch: () => Promise<T>): Promise<T> {
    const failure = this.recent(url)
    if (failure) throw failure.error
    this.failures.delete(url)
    try {
      return await fetch()
    } catch (error) {
      if (this.failures.size >= MAX_KEPT) this.failures.clear()
      this.failures.set(url, { at: this.clock(), error })
      throw error
    }
  }
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Seconds. A consent itself does not expire: it goes with its last token. */
const TTL = {
  AccessToken: HOUR,
  AuthorizationCode: MINUTE,
  RefreshToken: 30 * DAY,
  Grant: 36_500 * DAY,
  Interaction: 30 * MINUTE,
  Session: 30 * MINUTE,
  IdToken: MINUTE,
}
/** Of a metadata document (additions §3). */
const DOCUMENT = { timeout: 5000, limit: 64 * 1024 }

/** What is used of the package, which is loaded when it is first needed. */
export interface Library {
  Provider: typeof Provider
  errors: typeof Errors
  interactionPolicy: typeof interactionPolicy
}

/** null where the application could not be built. */
export type Look = () => Promise<WebLook | null>

/** What is the same for every request and client. */
const FIXED: Configuration = {
  ttl: TTL,
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    registration: '/oauth/register',
    revocation: '/oauth/revoke',
  },
  scopes: ['offline_access'],
  responseTypes: ['code'],
  clientAuthMethods: ['none'],
  clientDefaults: {
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'ES256',
  },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: async () => false,
  revokeGrantPolicy: () => true,
  clientBasedCORS: () => true,
  formats: { bitsOfOpaqueRandomness: 256 },
  cookies: {
    names: { session: 'oauth-session', interaction: 'oauth-request', resume: 'oauth-resume' },
    long: { path: '/oauth', httpOnly: true, sameSite: 'lax' },
    short: { httpOnly: true, sameSite: 'lax' },
  },
  findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  loadExistingGrant: async ({ oidc }) => {
    const id = oidc.result?.consent?.grantId
    return id ? oidc.provider.Grant.find(id) : undefined
  },
}

/** The settings of oidc-provider. `address`: of the client that is being served; empty where it is not the library that serves. */
export function providerConfiguration(
  runtime: Runtime,
  library: Library,
  look: Look,
  address: () => string,
): Configuration {
  const { config } = runtime.services
  const failing = new FailedDocuments(runtime.clock)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    ...FIXED,
    // Nothing is ever signed by it: there are no ID tokens, and access tokens are random.
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    interactions: { url: (_, { uid }) => `/authorize/${uid}`, policy: alwaysAsk(library) },
    extraClientMetadata: {
      properties: ['application_type'],
      validator: (_ctx, _key, _value, metadata) =>
        checkClientMetadata(metadata, (message) => new library.errors.InvalidClientMetadata(message)),
    },
    fetch: (url, { headers } = {}) =>
      failing.unlessFailed(url as string, () =>
        fetchDocument(url as string, headers, config.app_fetch_private),
      ),
    renderError: async (ctx, { error, error_description }) => {
      const words = error_description ?? error
      const { html, headers } = noticePage('This request cannot be answered', words, await look())
      ctx.set(headers)
      ctx.type = 'html'
      ctx.body = html
    },
    features: features(runtime, library, mayFetchFor(runtime, failing, address)),
  }
}

function features(
  { services: { config } }: Runtime,
  { errors }: Library,
  mayFetch: (client_id: string) => Promise<boolean>,
): NonNullable<Configuration['features']> {
  const resource = mcpResource(config)
  return {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
    },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: (_, id) => mayFetch(id) },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_, indicator) => {
        if (indicator !== resource) throw new errors.InvalidTarget(`the resource here is ${resource}`)
        return {
          scope: 'read propose write',
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: HOUR,
        }
      },
    },
  }
}

/** Our sessions alone say who the user is, and nothing is granted without a click: each request asks. */
function alwaysAsk({ errors, interactionPolicy: { base, Check } }: Library) {
  const policy = base()
  const [login, consent] = [policy.get('login')!, policy.get('consent')!]
  login.checks.add(
    new Check('sign_in', 'somebody has to be asked', ({ oidc }) => {
      const asked = [...oidc.requestParamScopes]
      if (!SCOPES.some((each) => asked.includes(each)))
        throw new errors.InvalidScope('ask for the scope read, propose or write', asked.join(' '))
      return oidc.result?.login === undefined
    }),
  )
  for (const reason of [
    'native_client_prompt',
    'op_scopes_missing',
    'op_claims_missing',
    'rs_scopes_missing',
  ])
    consent.checks.remove(reason)
  consent.checks.add(
    new Check('allowed', 'somebody has to be asked', ({ oidc }) => oidc.result?.consent === undefined),
  )
  return policy
}

async function fetchDocument(url: string, headers: unknown, anywhere: boolean): Promise<Response> {
  const given = Object.fromEntries(new Headers(headers as Headers))
  const {
    status,
    headers: answered,
    body,
  } = await guardedFetch(url, given, { ...DOCUMENT, private: anywhere })
  const kept = ['cache-control', 'expires'].flatMap((name) => {
    const value = answered.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  const none = status === 204 || status === 205 || status === 304
  return new Response(none ? null : new Uint8Array(body), { status, headers: kept })
}

/**
 * Whether a document may be fetched. What is not fetched anyway counts nothing, nor does that of an app which somebody
 * has let in: no stranger keeps it from going on.
 */
function mayFetchFor(
  runtime: Runtime,
  failing: FailedDocuments,
  address: () => string,
): (client_id: string) => Promise<boolean> {
  const budget = new FetchBudget(runtime.clock)
  const { app_fetch_private } = runtime.services.config
  return async (client_id) => {
    if (failing.recent(client_id) || (!app_fetch_private && namesPrivateAddress(client_id))) return true
    // The page that asks is shown to nobody who is not signed in.
    const from = address()
    if (from === '' || (await runStep(runtime, isClientLetIn, { client_id }))) return true
    return budget.take(from)
  }
}
