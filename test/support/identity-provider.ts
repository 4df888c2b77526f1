import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'

/** Who is at the provider's login page, and what the provider says of them. */
export interface Person {
  subject: string
  claims: Record<string, unknown>
}

export interface IdentityProviderOptions {
  /** Host name under which browsers and the service reach it; always this machine. */
  host?: string
  /** `userinfo`: the e-mail is there only; default the ID token. */
  emailIn?: 'id_token' | 'userinfo'
  client_id?: string
  client_secret?: string
  /** What its ID tokens are signed by. */
  alg?: 'ES256' | 'RS256' | 'EdDSA'
}

/** A real OpenID Connect provider (oidc-provider) that signs in whoever `person` is without asking. */
export async function startIdentityProvider({
  host = '127.0.0.1',
  emailIn = 'id_token',
  client_id = 'facet',
  client_secret = 'a-secret-of-the-test-provider-0123456789',
  alg = 'ES256',
}: IdentityProviderOptions = {}) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const redirect_uris: string[] = []
  const state = {
    person: { subject: 'alice', claims: { email: 'alice@example.org', email_verified: true } } as Person,
    /** Answers each request before the provider does; true: it has. */
    intercept: undefined as undefined | ((request: IncomingMessage, response: ServerResponse) => boolean),
  }
  let provider: Provider
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (state.intercept?.(request, response)) return
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: state.person.subject } }
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    } else await provider.callback()(request, response)
  }
  server.on('request', (request, response) => void handle(request, response))
  return {
    issuer,
    client_id,
    client_secret,
    state,
    /** What the service's environment must say. */
    env: (prefix: 'IDP_A' | 'IDP_B') => ({
      [`${prefix}_ISSUER`]: issuer,
      [`${prefix}_CLIENT_ID`]: client_id,
      [`${prefix}_CLIENT_SECRET`]: client_secret,
    }),
    /** The service's callbacks, which are known only once it listens. Each time the provider has a new key. */
    register(...uris: string[]) {
      redirect_uris.push(...uris)
      provider = makeProvider({ issuer, client_id, client_secret, redirect_uris, emailIn, alg, state })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

interface ProviderParts {
  issuer: string
  client_id: string
  client_secret: string
  redirect_uris: string[]
  emailIn: 'id_token' | 'userinfo'
  alg: 'ES256' | 'RS256' | 'EdDSA'
  state: { person: Person }
}

const KEYS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

function makeProvider({
  issuer,
  client_id,
  client_secret,
  redirect_uris,
  emailIn,
  alg,
  state,
}: ProviderParts) {
  const { privateKey } = KEYS[alg]()
  const store = new Map<string, AdapterPayload>()
  return new Provider(issuer, {
    adapter: (kind) => new MemoryAdapter(store, kind),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    clients: [
      {
        client_id,
        client_secret,
        redirect_uris,
        id_token_signed_response_alg: alg,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: emailIn === 'userinfo',
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Each visit is a new person's, whoever was there before.
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...state.person.claims }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

/** What the provider remembers, by kind and id. */
class MemoryAdapter implements Adapter {
  private readonly store: Map<string, AdapterPayload>
  private readonly kind: string

  constructor(store: Map<string, AdapterPayload>, kind: string) {
    this.store = store
    this.kind = kind
  }

  private key = (id: string) => `${this.kind}:${id}`

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.store.set(this.key(id), payload)
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.store.get(this.key(id))
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const own = [...this.store].filter(([key]) => key.startsWith(this.key('')))
    return own.find(([, payload]) => payload.uid === uid)?.[1]
  }
  async findByUserCode(): Promise<undefined> {}
  async consume(id: string): Promise<void> {
    const payload = this.store.get(this.key(id))
    if (payload) payload.consumed = Math.floor(Date.now() / 1000)
  }
  async destroy(id: string): Promise<void> {
    this.store.delete(this.key(id))
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.store) if (payload.grantId === grantId) this.store.delete(key)
  }
}
