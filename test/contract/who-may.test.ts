import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#src/operations/index.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { chat } from '#test/support/events.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'
import { totpCode } from '#test/support/totp-codes.ts'

/**
 * What an operation is, by the documents alone (specification, additions §1 to §3 and §11): a change is one of the base,
 * `own` what belongs to the caller, `owner` what owners do. `closed`: keys and apps do not reach it. `fresh`: it asks
 * for a session that has proved itself lately. `part`: keys and apps that see a part reach it (further §17);
 * `as ever`: keys and apps that only propose do it, too (further §16).
 */
type Kind =
  | 'anybody'
  | 'half signed in'
  | 'read'
  | 'change'
  | 'proposing'
  | 'own'
  | 'own change'
  | 'owner'
  | 'owner change'
type Row = readonly [kind: Kind, ...marks: ('closed' | 'fresh' | 'part' | 'never proposed' | 'as ever')[]]

const TABLE: Readonly<Record<string, Row>> = {
  // Items, tags, filters, logs: one base for everybody.
  aggregateItems: ['read', 'part'],
  applyTag: ['change', 'part'],
  batch: ['change', 'part'],
  useTemplate: ['change', 'closed'],
  getTemplate: ['read', 'closed'],
  bulkApplyTag: ['change', 'part'],
  bulkCreate: ['change', 'part'],
  bulkDelete: ['change', 'part'],
  bulkRemoveTag: ['change', 'part'],
  bulkRestore: ['change'],
  bulkUpdateFields: ['change', 'part'],
  createItem: ['change', 'part'],
  createTag: ['change'],
  deleteItem: ['change', 'part'],
  deleteTag: ['change'],
  explainQuery: ['read', 'part'],
  getFile: ['read', 'part'],
  prepareExport: ['read', 'part'],
  prepareUpload: ['own change', 'part', 'as ever'],
  filterDefaults: ['read'],
  getAuditHead: ['read'],
  getBacklinks: ['read', 'part'],
  getItem: ['read', 'part'],
  getItemHistory: ['read'],
  getTag: ['read', 'part'],
  listDeleted: ['read'],
  listDeletedItems: ['read'],
  listDeletedTags: ['read'],
  listItems: ['read', 'part'],
  listOutdatedItems: ['read'],
  listTags: ['read', 'part'],
  mergeItems: ['change'],
  migrateTagValues: ['change'],
  previewTagUpdate: ['read'],
  purgeDeleted: ['change', 'never proposed'],
  removeTag: ['change', 'part'],
  renderReact: ['read'],
  restore: ['change'],
  restoreItem: ['change'],
  restoreTag: ['change'],
  searchAuditLog: ['read'],
  searchChanges: ['read'],
  searchDeletedItems: ['read'],
  searchItems: ['read', 'part'],
  searchTags: ['read', 'part'],
  undoChanges: ['change', 'never proposed'],
  createImport: ['change', 'never proposed'],
  mapImport: ['change', 'never proposed'],
  runImport: ['change', 'never proposed'],
  stopImport: ['change', 'never proposed'],
  undoImport: ['change', 'never proposed'],
  deleteImport: ['change', 'never proposed'],
  getImport: ['own'],
  listImports: ['own'],
  updateItem: ['change', 'part'],
  updateTag: ['change'],
  updateTagValues: ['change', 'part'],
  upsertItem: ['change', 'part'],
  upsertItems: ['change', 'part'],
  validateFilter: ['read', 'part'],
  getService: ['anybody'],
  // Proposals: whoever may change anything may propose; editors and owners decide.
  acceptProposal: ['change', 'never proposed'],
  getProposal: ['read', 'part'],
  listProposals: ['read', 'part'],
  proposeChanges: ['proposing', 'part'],
  refuseProposal: ['change', 'never proposed'],
  withdrawProposal: ['proposing', 'part'],
  // What is one's own.
  createChat: ['own change'],
  createView: ['own change'],
  deleteChat: ['own change'],
  deleteView: ['own change'],
  getChat: ['own'],
  getPreferences: ['own'],
  getView: ['own'],
  listChats: ['own'],
  listMessages: ['own'],
  listViews: ['own'],
  putPreferences: ['own change'],
  updateChat: ['own change'],
  updateView: ['own change'],
  watchView: ['own change'],
  // The account, its ways in, keys and apps.
  beginPasskeyLogin: ['anybody', 'closed'],
  beginPasskeyRegistration: ['own change', 'closed'],
  changeEmail: ['own change', 'closed'],
  changePassword: ['own change', 'closed'],
  completePasskeyLogin: ['anybody', 'closed'],
  completePasskeyRegistration: ['own change', 'closed'],
  confirm: ['own change', 'closed'],
  confirmTotp: ['own change', 'closed'],
  countRecoveryCodes: ['own', 'closed'],
  createKey: ['own change', 'closed', 'fresh'],
  createRecoveryCodes: ['own change', 'closed'],
  deleteApp: ['own change', 'closed'],
  deleteKey: ['own change', 'closed'],
  deleteMe: ['own change', 'closed'],
  deleteOtherSessions: ['own change', 'closed'],
  deletePasskey: ['own change', 'closed'],
  deleteSession: ['own change', 'closed'],
  disableTotp: ['own change', 'closed'],
  getMe: ['own'],
  listActivity: ['own', 'closed'],
  listApps: ['own', 'closed'],
  listKeys: ['own', 'closed'],
  listNotifications: ['own', 'closed'],
  readNotifications: ['own change', 'closed'],
  listPasskeys: ['own', 'closed'],
  listSessions: ['own', 'closed'],
  login: ['anybody', 'closed'],
  logout: ['own change', 'closed'],
  register: ['anybody', 'closed'],
  setupTotp: ['own change', 'closed'],
  unlinkProvider: ['own change', 'closed'],
  updateProfile: ['own change', 'closed'],
  setPasswordByLink: ['anybody', 'closed'],
  verifyTotp: ['half signed in', 'closed'],
  // What owners do.
  backUpNow: ['owner change', 'closed', 'fresh'],
  getBackups: ['owner', 'closed'],
  createInvitation: ['owner change', 'closed', 'fresh'],
  createResetLink: ['owner change', 'closed', 'fresh'],
  createWebhook: ['owner change', 'closed', 'fresh'],
  deleteInvitation: ['owner change', 'closed', 'fresh'],
  deleteUser: ['owner change', 'closed', 'fresh'],
  deleteWebhook: ['owner change', 'closed', 'fresh'],
  getWebhook: ['owner', 'closed'],
  listDeliveries: ['owner', 'closed'],
  listInvitations: ['owner', 'closed'],
  listSecurityLog: ['owner', 'closed'],
  listUsers: ['read', 'closed'],
  listWebhooks: ['owner', 'closed'],
  retryDelivery: ['owner change', 'closed', 'fresh'],
  testWebhook: ['owner change', 'closed', 'fresh'],
  updateUser: ['owner change', 'closed', 'fresh'],
  updateWebhook: ['owner change', 'closed', 'fresh'],
}

/** Tools that the assistant has not (decisions §10). */
const NOT_IN_CHAT = ['purge_deleted_items']

interface Who {
  role: 'none' | 'reader' | 'editor' | 'owner'
  by:
    | 'nothing'
    | 'half a session'
    | 'session'
    | 'stale session'
    | 'key'
    | 'app'
    | 'a session that is over'
    | 'a token that is over'
  scope?: 'read' | 'propose' | 'write'
  /** It sees a part of the base. */
  limited?: boolean
}

/** 200 stands for: it is let in. */
function expected(
  [kind, ...marks]: Row,
  { role, by, scope = 'write', limited = false }: Who,
): 200 | 401 | 403 {
  const token = by === 'key' || by === 'app'
  if (by === 'a token that is over') return 401
  if (token && marks.includes('closed')) return 403
  if (limited && !marks.includes('part')) return 403
  if (kind === 'anybody') return 200
  if (by === 'nothing' || by === 'a session that is over') return 401
  if (kind === 'half signed in') return 200
  if (by === 'half a session') return 401
  const changes = ['change', 'proposing', 'own change', 'owner change'].includes(kind)
  if ((kind === 'owner' || kind === 'owner change') && role !== 'owner') return 403
  if (scope === 'propose' && changes && !marks.includes('as ever'))
    return (kind === 'change' && !marks.includes('never proposed')) || kind === 'proposing' ? 200 : 403
  if (kind === 'change' && role === 'reader') return 403
  if (changes && scope === 'read') return 403
  return (by === 'stale session' || token) && marks.includes('fresh') ? 403 : 200
}

const CALLERS: Readonly<Record<string, Who>> = {
  nobody: { role: 'none', by: 'nothing' },
  partial: { role: 'owner', by: 'half a session' },
  reader: { role: 'reader', by: 'session' },
  editor: { role: 'editor', by: 'session' },
  owner: { role: 'owner', by: 'session' },
  'owner, not fresh': { role: 'owner', by: 'stale session' },
  'read key': { role: 'owner', by: 'key', scope: 'read' },
  'propose key': { role: 'owner', by: 'key', scope: 'propose' },
  'propose key of a reader': { role: 'reader', by: 'key', scope: 'propose' },
  'write key': { role: 'owner', by: 'key', scope: 'write' },
  'write key of a reader': { role: 'reader', by: 'key', scope: 'write' },
  'read app': { role: 'owner', by: 'app', scope: 'read' },
  'propose app': { role: 'owner', by: 'app', scope: 'propose' },
  'propose app of a reader': { role: 'reader', by: 'app', scope: 'propose' },
  'write app': { role: 'owner', by: 'app', scope: 'write' },
  'write app of a reader': { role: 'reader', by: 'app', scope: 'write' },
  'limited read key': { role: 'owner', by: 'key', scope: 'read', limited: true },
  'limited key': { role: 'owner', by: 'key', limited: true },
  'limited app': { role: 'owner', by: 'app', limited: true },
  'session of a disabled account': { role: 'editor', by: 'a session that is over' },
  'key of a disabled account': { role: 'editor', by: 'a token that is over' },
  'app of a disabled account': { role: 'editor', by: 'a token that is over' },
  'expired session': { role: 'editor', by: 'a session that is over' },
  'expired key': { role: 'editor', by: 'a token that is over' },
  'expired app': { role: 'editor', by: 'a token that is over' },
}

const PASSWORD = 'correct horse'
/** Nothing takes it, so anyone who is let in gets 400 and changes nothing. */
const WRONG = { no_such_property: 1 }

let service: Service
let provider: ModelProvider
const clock = new TestClock()
const clients = new Map<string, Client>()

const keyOf = async (client: Client, scope: string, expires_in_days?: number, limit?: object) => {
  const { key } = await client.ok('POST', '/api/keys', {
    name: scope,
    scope,
    ...(expires_in_days && { expires_in_days }),
    ...(limit && { limit }),
  })
  return new TokenClient(service.url, key)
}
const appOf = async (client: Client, scope: string, fields: Record<string, string> = {}) =>
  new TokenClient(
    service.url,
    (await (await registeredApp(service.url)).tokens(client, { scope, ...fields })).access_token,
  )
const idOf = async (client: Client): Promise<string> => (await client.ok('GET', '/api/auth/me')).user_id

beforeAll(async () => {
  provider = await startModelProvider()
  service = await startService({
    clock: clock.now,
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
  const set = (name: string, client: Client) => clients.set(name, client)
  const signIn = async (email: string) => {
    const client = service.client()
    await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
    return client
  }
  await service.user('owner@example.org', PASSWORD)
  const late = await service.user('late@example.org', PASSWORD)
  set('expired key', await keyOf(late, 'write', 1))
  set('expired app', await appOf(late, 'write'))
  set('expired session', late)
  clock.move({ days: 8 })

  const stale = await signIn('owner@example.org')
  const secret = (await stale.ok('POST', '/api/auth/2fa/totp/setup')).secret
  await stale.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, clock.now()) })
  set('owner, not fresh', stale)
  clock.move({ minutes: 11 })

  const owner = await signIn('owner@example.org')
  await owner.ok('POST', '/api/auth/2fa/totp/verify', { code: totpCode(secret, clock.now()) })
  set('owner', owner)
  set('partial', await signIn('owner@example.org'))
  set('read key', await keyOf(owner, 'read'))
  set('propose key', await keyOf(owner, 'propose'))
  set('write key', await keyOf(owner, 'write'))
  set('read app', await appOf(owner, 'read'))
  set('propose app', await appOf(owner, 'propose'))
  set('write app', await appOf(owner, 'write'))
  const { tag_id } = await owner.ok('POST', '/api/tags', { name: 'Task', fields: {} })
  set('limited read key', await keyOf(owner, 'read', undefined, { tag_ids: [tag_id] }))
  set('limited key', await keyOf(owner, 'write', undefined, { tag_ids: [tag_id] }))
  set('limited app', await appOf(owner, 'write', { tag_id }))
  set('editor', await service.user())
  const reader = await service.user()
  await owner.ok('PUT', `/api/users/${await idOf(reader)}`, { role: 'reader' })
  set('reader', reader)
  set('propose key of a reader', await keyOf(reader, 'propose'))
  set('propose app of a reader', await appOf(reader, 'propose'))
  set('write key of a reader', await keyOf(reader, 'write'))
  set('write app of a reader', await appOf(reader, 'write'))
  const gone = await service.user()
  set('key of a disabled account', await keyOf(gone, 'write'))
  set('app of a disabled account', await appOf(gone, 'write'))
  set('session of a disabled account', gone)
  await owner.ok('PUT', `/api/users/${await idOf(gone)}`, { disabled: true })
  set('nobody', service.client())
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

it('has every operation of the registry, and no other', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(
    operations
      .filter(({ rest, tool }) => rest || tool)
      .map(({ name }) => name)
      .toSorted(),
  )
})

const routes = operations.flatMap((operation) =>
  [operation.rest ?? []].flat().map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return { operation, method, path: path.replaceAll(/\{\w+\}/g, 'x') }
  }),
)

/** Anyone who is let in is told that the input is wrong. */
const outcome = (status: number) => (status === 400 ? 200 : status)

for (const [name, who] of Object.entries(CALLERS)) {
  const wanted = (operation: string) => expected(TABLE[operation]!, who)

  describe(name, () => {
    it('over REST gets in where the table says, and nowhere else', async () => {
      const client = clients.get(name)!
      const answers = await Promise.all(
        routes.map(async ({ operation, method, path }) => {
          const wants = wanted(operation.name)
          const { status, body } =
            method === 'GET'
              ? await client.get(`${path}?no_such_property=1`)
              : await client.send(method, path, WRONG)
          return outcome(status) === wants
            ? []
            : [`${method} ${path}: ${status}, not ${wants}: ${JSON.stringify(body)}`]
        }),
      )
      expect(answers.flat()).toEqual([])
    })

    it('over MCP is offered and may call what the table says', async () => {
      const client = clients.get(name)!
      const call = (method: string, params: object = {}) =>
        client.post('/api/mcp/message', { jsonrpc: '2.0', id: 1, method, params })
      const list = await call('tools/list')
      if (wanted('searchItems') === 401) {
        expect(list.status).toBe(401)
        expect((await call('tools/call', { name: 'get_items', arguments: {} })).status).toBe(401)
        expect((await client.post('/api/mcp', {})).status).toBe(401)
        return
      }
      const tools = operations.filter(({ tool }) => tool)
      const allowed = tools.filter((each) => wanted(each.name) === 200).map(({ tool }) => tool)
      expect(list.body.result.tools.map((each: { name: string }) => each.name).toSorted()).toEqual(
        allowed.map(String).toSorted(),
      )
      const answers = await Promise.all(
        tools.map(({ tool }) => call('tools/call', { name: tool, arguments: WRONG })),
      )
      for (const [i, { name: operation, tool }] of tools.entries()) {
        const { status, body } = answers[i]!
        const isIn = wanted(operation) === 200
        expect(JSON.stringify(body), tool).toMatch(
          isIn
            ? 'unknown property'
            : /Your role is reader|may only read|may only propose|insufficient_scope|sees a part/,
        )
        expect(status, tool).toBe(!isIn && who.by === 'app' && (who.scope ?? 'write') !== 'write' ? 403 : 200)
      }
    })

    it('in the chat has the tools that the table says', async () => {
      const client = clients.get(name)!
      const may = expected(['own change'], who)
      if (may !== 200) {
        expect((await client.post('/api/chat', { message: 'Hello' })).status).toBe(may)
        return
      }
      const tools = operations.filter(({ tool }) => tool)
      const calls = tools.map(({ tool }) => ({ name: tool!, arguments: WRONG }))
      provider.say({ text: ['I try.'], calls }, { text: ['Done.'] })
      const events = await chat(client, 'Try everything')
      const results = new Map(
        events.filter(({ type }) => type === 'tool_call').map((each) => [each.name, JSON.stringify(each)]),
      )
      for (const { name: operation, tool } of tools) {
        const offered = wanted(operation) === 200 && !NOT_IN_CHAT.includes(tool!)
        expect(results.get(tool), tool).toContain(
          offered ? 'unknown property' : `There is no tool '${tool}' here`,
        )
      }
    })
  })
}

it('nothing was changed by all that', async () => {
  const owner = clients.get('owner')!
  expect(await owner.ok('POST', '/api/items/search', {})).toEqual([])
  // The tag of the limits.
  expect(await owner.ok('GET', '/api/tags')).toMatchObject([{ name: 'Task' }])
  expect(await owner.ok('POST', '/api/audit-log/search', {})).toMatchObject([{ event_type: 'tag_created' }])
})
