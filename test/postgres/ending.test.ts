import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { eventsOf, openChat } from '#test/support/events.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { type OauthApp, registeredApp, type Tokens } from '#test/support/oauth-app.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'
import { TokenClient } from '#test/support/token-client.ts'

/** Within a second; the rest is for a machine that has other things to do. */
const SOON = 1000 + 1000
const START_TIMEOUT = 120_000
const PASSWORD = 'correct horse'

let database: TestDatabase
let provider: ModelProvider
let processes: ServiceProcess[]
/** Where it is ended, and where the streams are held. */
let here: string
let there: string
let owner: Client
/** After which others were recorded. */
let first_event: string

beforeAll(async () => {
  provider = await startModelProvider()
  database = await testDatabase(tmpdir())
  const env = {
    DATABASE_URL: database.url,
    TEST_ENGINE: '',
    LOG_LEVEL: 'warn',
    LLM_PROVIDER: 'openai-compatible',
    LLM_MODEL: 'scripted',
    LLM_BASE_URL: provider.url,
    SECRET_KEY: '0f'.repeat(32),
    PUBLIC_URL: 'http://localhost:3999',
  }
  processes = [new ServiceProcess({ env }), new ServiceProcess({ env })]
  ;[here, there] = (await Promise.all(processes.map((each) => each.url()))) as [string, string]
  owner = await account('owner@example.org')
  for (const name of ['One', 'Two']) await owner.ok('POST', '/api/items', { name })
  first_event = (await owner.ok('POST', '/api/audit-log/search', {})).at(-1).event_id
}, START_TIMEOUT)
afterAll(async () => {
  await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
  await provider.close()
  await database.drop()
})

async function account(email: string): Promise<Client> {
  const client = new Client(here)
  await client.ok('POST', '/api/auth/register', { email, password: PASSWORD })
  return client
}

/** The same token at the other process. */
function at(url: string, client: Client): Client {
  if (client instanceof TokenClient) return new TokenClient(url, client.token)
  const other = new Client(url)
  for (const [name, value] of client.cookies) other.cookies.set(name, value)
  return other
}

/** What can be held open: its response, once it has said something. */
const STREAMS: Readonly<Record<string, (client: Client) => Promise<Response>>> = {
  'an MCP event stream': (client) => client.fetch('/api/mcp/sse'),
  'a stream of changes': (client) => client.fetch(`/api/changes/stream?after=${first_event}`),
  'an answer of the assistant': (client) => {
    provider.say({ text: ['I begin'], ending: 'stall' })
    return openChat(client, { message: 'Hello' })
  },
}

interface Held {
  client: Client
  /** Of its account. */
  session: Client
  user_id: string
  app?: OauthApp & { given?: Tokens }
}

let accounts = 0
const withSession = async (): Promise<Held> => {
  const session = await account(`somebody-${++accounts}@example.org`)
  return { client: session, session, user_id: (await session.ok('GET', '/api/auth/me')).user_id }
}
const withKey = async (): Promise<Held> => {
  const held = await withSession()
  const { key } = await held.session.ok('POST', '/api/keys', { name: 'x', scope: 'write' })
  return { ...held, client: new TokenClient(here, key) }
}
const withApp = async (): Promise<Held> => {
  const held = await withSession()
  const app: Held['app'] = await registeredApp(here)
  app.given = await app.tokens(held.session, { scope: 'write' })
  return { ...held, app, client: new TokenClient(here, app.given.access_token) }
}

const disable = ({ user_id }: Held) => owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
const ENDS: readonly [what: string, open: () => Promise<Held>, end: (held: Held) => Promise<unknown>][] = [
  ['a session that signs out', withSession, ({ session }) => session.ok('POST', '/api/auth/logout')],
  [
    'a session that another one ends',
    withSession,
    async ({ user_id, session }) => {
      const { email } = await session.ok('GET', '/api/auth/me')
      const other = new Client(here)
      await other.ok('POST', '/api/auth/login', { email, password: PASSWORD })
      expect(user_id).toBeTruthy()
      return other.ok('DELETE', '/api/auth/sessions')
    },
  ],
  [
    'a key that is revoked',
    withKey,
    async ({ session }) => {
      const [key] = await session.ok('GET', '/api/keys')
      return session.ok('DELETE', `/api/keys/${key.key_id}`)
    },
  ],
  [
    'an app that is ended',
    withApp,
    async ({ session }) => {
      const [app] = await session.ok('GET', '/api/auth/apps')
      return session.ok('DELETE', `/api/auth/apps/${app.app_id}`)
    },
  ],
  ['an app that gives its token back', withApp, ({ app }) => app!.revoke(app!.given!.access_token)],
  ['an account that is disabled, by session', withSession, disable],
  ['an account that is disabled, by key', withKey, disable],
  ['an account that is disabled, by app', withApp, disable],
  [
    'an account that deletes itself',
    withKey,
    ({ session }) => session.ok('DELETE', '/api/auth/me', { current_password: PASSWORD }),
  ],
]

describe('what one process ends', () => {
  for (const [what, open, end] of ENDS)
    for (const [stream, hold] of Object.entries(STREAMS))
      it(`${what}: ${stream} that another process holds ends within a second`, async () => {
        const held = await open()
        const response = await hold(at(there, held.client))
        expect(response.status).toBe(200)
        const events = eventsOf(response)
        expect((await events.next()).done).toBe(false)
        await end(held)
        const ended = performance.now()
        for (;;) if ((await events.next().catch(() => ({ done: true }))).done) break
        expect(performance.now() - ended).toBeLessThan(SOON)
        expect((await at(there, held.client).get('/api/tags')).status).toBe(401)
      })
})
