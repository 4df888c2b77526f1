import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'
import { totpCode } from '#test/support/totp-codes.ts'

/* oxlint-disable typescript/no-explicit-any -- the document is walked, not typed */
type Document = Record<string, any>

/** What earlier steps came to, for the later ones. */
type Kept = Record<string, string>
interface Step {
  /** As the document writes it; the parameters of the path come from what was kept. */
  route: string
  body?: (kept: Kept) => unknown
  status?: number
  keep?: (body: any) => Kept
}

const NOW = Date.parse('2026-01-31T09:30:00Z')
const FIELDS = {
  n: 'Number',
  files: 'File',
  to: 'Reference',
  of: { type: 'MultiSelect', variants: ['a', 'b'] },
  at: { type: 'Select', variants: ['low', { name: 'high', fields: { why: 'String' } }] },
}
const VALUES = { n: 1.5, of: ['b'], at: { variant: 'high' }, why: 'because', to: null }
const all = { filter: { search: '' } }
const WRONG = { filter: { 'Task.m': { foo: 1 }, serch: 'x' } }

const STEPS: readonly Step[] = [
  { route: 'GET /api/health' },
  { route: 'GET /api/ready' },
  { route: 'GET /api/auth/me', keep: ({ user_id }) => ({ user_id, session_id: user_id }) },
  {
    route: 'POST /api/keys',
    body: () => ({ name: 'k', scope: 'read', expires_in_days: 1 }),
    keep: ({ key_id }) => ({ key_id }),
  },
  { route: 'GET /api/keys' },
  { route: 'DELETE /api/keys/{key_id}' },
  { route: 'POST /api/auth/confirm', body: () => ({ password: 'correct horse' }) },
  { route: 'PUT /api/preferences', body: () => ({ theme: 'dark' }) },
  { route: 'GET /api/preferences' },
  {
    route: 'PUT /api/auth/email',
    body: () => ({ email: 'ada@example.org', current_password: 'correct horse' }),
  },
  { route: 'GET /api/users' },
  { route: 'PUT /api/users/{user_id}', body: () => ({ role: 'owner' }) },
  {
    route: 'POST /api/invitations',
    body: () => ({ email: 'guest@example.org' }),
    keep: ({ invitation_id }) => ({ invitation_id }),
  },
  { route: 'GET /api/invitations' },
  { route: 'DELETE /api/invitations/{invitation_id}' },
  { route: 'GET /api/auth/activity' },
  { route: 'GET /api/security-log' },
  {
    route: 'POST /api/webhooks',
    body: () => ({ url: 'https://hooks.invalid/', event_types: ['tag_purged'] }),
    keep: ({ webhook_id }) => ({ webhook_id }),
  },
  { route: 'GET /api/webhooks' },
  { route: 'GET /api/webhooks/{webhook_id}' },
  { route: 'PUT /api/webhooks/{webhook_id}', body: () => ({ filter: all.filter }) },
  { route: 'POST /api/webhooks/{webhook_id}/test' },
  { route: 'GET /api/webhooks/{webhook_id}/deliveries' },
  { route: 'DELETE /api/webhooks/{webhook_id}' },
  { route: 'GET /api/auth/sessions' },
  { route: 'DELETE /api/auth/sessions/{session_id}', status: 404 },
  { route: 'DELETE /api/auth/sessions' },
  { route: 'PUT /api/auth/profile', body: () => ({ display_name: 'Ada' }) },
  {
    route: 'POST /api/tags',
    body: () => ({ name: 'Task', fields: FIELDS }),
    keep: ({ tag_id }) => ({ tag_id }),
  },
  { route: 'POST /api/tags', body: () => ({ name: 'Task', fields: { a: 'Strin' } }), status: 400 },
  { route: 'POST /api/tags', body: () => ({ name: 'Task', fields: {} }), status: 409 },
  { route: 'GET /api/tags/{tag_id}' },
  { route: 'GET /api/tags' },
  { route: 'POST /api/tags/search' },
  {
    route: 'POST /api/items',
    body: () => ({ name: 'One', tags: [{ tag_ref: { Existing: 'Task' }, field_values: VALUES }] }),
    keep: ({ item_id }) => ({ item_id }),
  },
  { route: 'POST /api/items/bulk', body: () => ({ items: ['Two', { name: 'Three', description: '<p>x' }] }) },
  { route: 'GET /api/items/{item_id}/history' },
  { route: 'POST /api/changes/search', body: () => ({ limit: 5 }) },
  { route: 'POST /api/changes/undo', body: () => ({ filter: { after_time: '2099-01-01' } }) },
  {
    route: 'POST /api/batch',
    body: () => ({ operations: [{ operation: 'createItem', input: { name: 'Of a batch' } }] }),
    keep: ({ results }) => ({ spare: results[0].item_id }),
  },
  {
    route: 'POST /api/template',
    body: () => ({
      template: {
        format: 'facet-template',
        version: 1,
        name: 'One tag',
        tags: [{ name: 'Of a template', fields: { n: 'Number' }, look: { sign: 'box', hue: 7 } }],
        views: [{ name: 'Of a template', filter: { has_tag: 'Of a template' } }],
        items: [{ name: 'Of a template', tags: { 'Of a template': { n: 1 } } }],
      },
    }),
  },
  { route: 'GET /api/template' },
  { route: 'GET /api/items/{item_id}' },
  { route: 'PUT /api/items/{item_id}', body: () => ({ name: '' }), status: 400 },
  { route: 'PUT /api/items/{item_id}', body: () => ({ name: 'First' }) },
  { route: 'GET /api/items' },
  { route: 'POST /api/items/search', body: () => all },
  { route: 'POST /api/items/search', body: () => WRONG, status: 400 },
  { route: 'POST /api/items/search', body: () => ({ ...all, expand: true }) },
  { route: 'GET /api/items/{item_id}/backlinks' },
  {
    route: 'POST /api/items/aggregate',
    body: () => ({
      group_by: ['has_tag', { by: 'created_at', bucket: 'day' }],
      metrics: [{ sum: 'Task.n' }],
    }),
  },
  { route: 'POST /api/items/aggregate', body: () => ({ group_by: ['x'] }), status: 400 },
  {
    route: 'POST /api/items/{item_id}/tags',
    body: () => ({ tag: { tag_ref: { New: { name: 'Note', fields: {}, extends: ['Task'] } } } }),
  },
  {
    route: 'POST /api/items/{item_id}/tags',
    body: () => ({ tag: { tag_ref: { Existing: 'Task' } } }),
    status: 409,
  },
  { route: 'POST /api/tags/{tag_id}/preview', body: () => ({ fields: { ...FIELDS, extra: 'Date' } }) },
  { route: 'PUT /api/tags/{tag_id}', body: () => ({ fields: { ...FIELDS, extra: 'Date' } }) },
  { route: 'POST /api/tags/{tag_id}/migrate', body: () => ({ dry_run: true }) },
  {
    route: 'POST /api/items/{item_id}/merge',
    body: ({ spare }) => ({ from: [spare] }),
  },
  { route: 'PUT /api/items/upsert', body: () => ({ match: { name: 'Found or made' } }) },
  {
    route: 'POST /api/batch',
    body: () => ({ operations: [{ operation: 'createItem', input: { name: 'One' } }] }),
  },
  { route: 'GET /api/items/{item_id}/history' },
  { route: 'POST /api/changes/search', body: () => ({ limit: 10 }) },
  {
    route: 'POST /api/changes/undo',
    body: () => ({ filter: { after_time: '2000-01-01T00:00:00.000Z' }, on_conflict: 'skip', dry_run: true }),
  },
  { route: 'GET /api/service' },
  { route: 'GET /api/auth/apps' },
  { route: 'GET /api/items/outdated' },
  { route: 'PUT /api/items/{item_id}/tags/{tag_id}', body: () => ({ field_values: { n: 2 }, merge: true }) },
  {
    route: 'POST /api/items/bulk-apply-tag',
    body: () => ({ ...all, tag: { tag_ref: { New: { name: 'New', fields: {} } } }, dry_run: true }),
  },
  {
    route: 'POST /api/items/bulk-apply-tag',
    body: () => ({ ...all, tag: { tag_ref: { Existing: 'Task' } } }),
  },
  {
    route: 'POST /api/items/bulk-update-fields',
    body: () => ({ ...all, tag_id: 'Task', field_values: { n: 3 }, merge: true }),
  },
  { route: 'POST /api/items/bulk-remove-tag', body: () => ({ ...all, tag_id: 'Note' }) },
  { route: 'POST /api/filters/validate', body: () => WRONG },
  { route: 'POST /api/filters/validate', body: () => all },
  { route: 'POST /api/filters/explain', body: () => ({ filter: { not: { 'Task.to->name': 'x' } } }) },
  { route: 'POST /api/filters/defaults', body: () => ({ filter: { 'Task.why': 'it rains' } }) },
  {
    route: 'POST /api/views',
    body: () => ({ name: 'Tasks', filter: { has_tag: 'Task' }, settings: { sort_by: 'name' } }),
    keep: ({ view_id }) => ({ view_id }),
  },
  { route: 'GET /api/views' },
  { route: 'GET /api/views/{view_id}' },
  { route: 'PUT /api/views/{view_id}', body: () => ({ name: 'All', icon: '✅', ...all }) },
  { route: 'DELETE /api/views/{view_id}' },
  { route: 'DELETE /api/views/{view_id}', status: 404 },
  {
    route: 'POST /api/proposals',
    body: ({ item_id }) => ({
      operations: [
        { operation: 'updateItem', input: { item_id, name: 'Proposed' } },
        { operation: 'createTag', input: { name: 'Proposed', fields: { a: 'Number' } } },
      ],
      message: 'why',
    }),
    status: 201,
    keep: ({ proposal_id }) => ({ proposal_id }),
  },
  {
    route: 'POST /api/proposals',
    body: () => ({ operations: [{ operation: 'bulkDelete', input: { filter: { name: 'no such' } } }] }),
  },
  { route: 'GET /api/proposals' },
  { route: 'GET /api/proposals/{proposal_id}' },
  {
    route: 'POST /api/proposals/{proposal_id}/accept',
    body: ({ item_id }) => ({ item_ids: [item_id], on_conflict: 'skip' }),
  },
  { route: 'POST /api/proposals/{proposal_id}/refuse', body: () => ({ reason: 'no' }) },
  {
    route: 'POST /api/proposals',
    body: ({ item_id }) => ({ operations: [{ operation: 'deleteItem', input: { item_id } }] }),
    status: 201,
    keep: ({ proposal_id }) => ({ proposal_id }),
  },
  { route: 'POST /api/proposals/{proposal_id}/withdraw' },
  { route: 'POST /api/chats', keep: ({ chat_id }) => ({ chat_id }) },
  { route: 'GET /api/chats' },
  { route: 'GET /api/chats/{chat_id}' },
  { route: 'PUT /api/chats/{chat_id}', body: () => ({ title: 'Plans' }) },
  { route: 'GET /api/chats/{chat_id}/messages' },
  { route: 'DELETE /api/chats/{chat_id}' },
  { route: 'DELETE /api/items/{item_id}/tags/{tag_id}' },
  { route: 'DELETE /api/items/{item_id}' },
  { route: 'GET /api/items/deleted' },
  { route: 'POST /api/items/deleted/search', body: () => ({ search: '' }) },
  { route: 'POST /api/items/{item_id}/restore' },
  { route: 'DELETE /api/tags/{tag_id}' },
  { route: 'GET /api/tags/deleted' },
  { route: 'POST /api/tags/{tag_id}/restore' },
  { route: 'POST /api/items/bulk-delete', body: () => ({ ...all, dry_run: true }) },
  { route: 'POST /api/items/bulk-delete', body: () => all },
  { route: 'POST /api/items/restore', body: () => ({ ...all, dry_run: true }) },
  { route: 'POST /api/items/restore', body: () => all },
  { route: 'POST /api/items/bulk-delete', body: () => all },
  { route: 'POST /api/items/purge' },
  { route: 'POST /api/audit-log', body: () => ({ limit: 1000 }) },
  { route: 'POST /api/audit-log/search' },
  { route: 'GET /api/audit-log/head' },
  { route: 'POST /api/auth/passkey/register/begin' },
  { route: 'GET /api/auth/passkeys' },
  { route: 'DELETE /api/auth/passkeys/{credential_id}', status: 404 },
  { route: 'POST /api/auth/passkey/auth/begin', body: () => ({ email: 'ada@example.org' }) },
  { route: 'POST /api/auth/2fa/totp/setup', keep: ({ secret }) => ({ secret }) },
  { route: 'POST /api/auth/2fa/totp/confirm', body: ({ secret }) => ({ code: totpCode(secret!, NOW) }) },
  { route: 'POST /api/auth/login', body: () => ({ email: 'ada@example.org', password: 'correct horse' }) },
  { route: 'GET /api/auth/me', status: 401 },
  { route: 'POST /api/auth/2fa/totp/verify', body: ({ secret }) => ({ code: totpCode(secret!, NOW) }) },
  {
    route: 'POST /api/auth/2fa/recovery-codes',
    body: ({ secret }) => ({ code: totpCode(secret!, NOW) }),
  },
  { route: 'GET /api/auth/2fa/recovery-codes' },
  { route: 'POST /api/auth/2fa/totp/disable', body: ({ secret }) => ({ code: totpCode(secret!, NOW) }) },
  {
    route: 'POST /api/auth/password',
    body: () => ({ current_password: 'correct horse', new_password: 'battery staple' }),
  },
  { route: 'DELETE /api/auth/link/{provider}', status: 404 },
  { route: 'POST /api/items/export/prepare', body: () => ({ format: 'csv' }) },
  { route: 'POST /api/auth/logout' },
  { route: 'POST /api/auth/register', body: () => ({ email: 'bob@example.org', password: 'correct horse' }) },
  { route: 'POST /api/auth/logout' },
  { route: 'POST /api/auth/login', body: () => ({ email: 'bob@example.org', password: 'correct horse' }) },
]

/** Answers of these are proved where their protocol is tested. */
const ELSEWHERE = [
  'DELETE /api/auth/apps/{app_id}',
  'DELETE /api/auth/me',
  'DELETE /api/imports/{import_id}',
  'DELETE /api/users/{user_id}',
  'GET /api/backups',
  'GET /api/imports',
  'GET /api/imports/{import_id}',
  'GET /api/notifications',
  'POST /api/auth/passkey/auth/complete',
  'POST /api/auth/passkey/register/complete',
  'POST /api/auth/reset',
  'POST /api/backups',
  'POST /api/files',
  'POST /api/imports',
  'POST /api/imports/{import_id}/run',
  'POST /api/imports/{import_id}/stop',
  'POST /api/imports/{import_id}/undo',
  'POST /api/files/prepare',
  'POST /api/files/{file_id}/open',
  'PUT /api/file-urls',
  'POST /api/mcp',
  'POST /api/mcp/message',
  'POST /api/notifications/read',
  'POST /api/users/{user_id}/reset-link',
  'POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  'PUT /api/imports/{import_id}',
  'PUT /api/views/{view_id}/watch',
]

describe('what the service answers', () => {
  let service: Service
  let document: Document
  let check: ReturnType<typeof answerCheck>
  beforeAll(async () => {
    service = await startService({ clock: () => NOW })
    document = (await service.client().get('/api/openapi.json')).body
    check = answerCheck(document)
  })
  afterAll(() => service.close())

  it('is what the document says, property by property', async () => {
    const client = await service.user('ada@example.org')
    const kept: Kept = { credential_id: 'none', provider: 'idp_a' }
    const faults: string[] = []
    for (const step of STEPS) {
      const answer = await take(step, client, kept)
      if (step.keep) Object.assign(kept, step.keep(answer.body))
      faults.push(...check(step, answer))
    }
    expect(faults).toEqual([])
  })

  it('is what the document says of values of files, and of what imports and redactions leave in the log', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'doc', ...document })
    const fits = (name: string, value: unknown) =>
      ajv.validate({ $ref: `doc#/components/schemas/${name}` }, value)
    const client = await service.user('dan@example.org')
    const { text } = await client.exchange('POST', '/api/files?name=a.txt', { body: 'a' })
    const { file_id } = JSON.parse(text) as { file_id: string }
    const New = { name: 'Filed', fields: { files: 'File', none: 'File' } }
    const tags = [{ tag_ref: { New }, field_values: { files: [{ file_id }], none: [] } }]
    expect(fits('GivenValues', tags[0]!.field_values)).toBe(true)
    await client.ok('POST', '/api/items', { name: 'Filed', tags })
    const [item] = await client.ok('POST', '/api/items/search', { filter: { has_tag: 'Filed' } })
    const [{ field_values }] = Object.values<any>(item.tags) as [any]
    expect([fits('FieldValues', field_values), field_values.files[0].size]).toEqual([true, 1])
    const [file] = field_values.files
    expect(fits('FieldValues', { files: [{ file_id: 'a' }] })).toBe(false)
    expect(fits('GivenValues', { files: [{ file_id: 'a' }, file] })).toBe(true)
    expect(fits('GivenValues', { files: { add: [{ file_id: 'a', name: 'b' }], remove: ['c'] } })).toBe(true)
    expect(fits('GivenValues', { files: [{ name: 'a' }] })).toBe(false)
    expect(fits('AuditDetails', { name: 'One', description: null, tags: [], import_id: 'a' })).toBe(true)
    expect(fits('AuditDetails', { events: 3 })).toBe(true)
  })

  it('is what the document says of how a tag looks, and of where the values of a bulk update come from', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'doc', ...document })
    const fits = (name: string, value: unknown) =>
      ajv.validate({ $ref: `doc#/components/schemas/${name}` }, value)
    const client = await service.user('eve@example.org')
    for (const look of [{ hue: 3 }, { sign: 'bug' }, { sign: 'bug', hue: 3 }]) {
      const fields = { from: 'String', to: 'Number' }
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Looked', fields, look })
      const [{ details }] = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag_id], limit: 1 })
      expect([details.look, fits('AuditDetails', details)]).toEqual([look, true])
      await client.ok('DELETE', `/api/tags/${tag_id}`)
    }
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Filled',
      fields: { from: 'String', to: 'Number' },
    })
    for (const to of [
      { from: 'Filled.to' },
      { from: ['Filled.from', 'name'], as: 'number' },
      { from: 'Filled.from', as: 'number', else: 5 },
    ]) {
      const field_values = { to }
      expect(fits('GivenValues', field_values)).toBe(true)
      const change = { filter: { has_tag: 'Filled' }, tag_id, field_values, merge: true, dry_run: true }
      await client.ok('POST', '/api/items/bulk-update-fields', change)
    }
    expect(fits('GivenValues', { to: { from: 'Filled.to', as: 'moment' } })).toBe(false)
    expect(fits('Filter', { changed_between: ['2026-01-01', { now: '-PT1H' }] })).toBe(true)
    expect(fits('Filter', { changed_between: ['2026-01-01'] })).toBe(false)
  })

  it('has a status that the document names, whoever asks, and whatever is sent', async () => {
    const owner = await service.user('carol@example.org')
    const { key } = await owner.ok('POST', '/api/keys', {
      name: 'limited',
      scope: 'propose',
      limit: { filter: { name: 'none' } },
    })
    const csv = { body: 'a,b', headers: { 'content-type': 'text/csv' } }
    const asks: [who: string, Client, RequestInit, query: string][] = [
      ['nobody', service.client(), {}, ''],
      ['a wrong key', new TokenClient(service.url, 'facet_wrong'), {}, ''],
      ['a key that does not reach it', new TokenClient(service.url, key), csv, ''],
      ['a body that is no JSON', owner, csv, ''],
      ['an odd query', owner, csv, '?after=zz&zz=1'],
    ]
    const faults: string[] = []
    for (const [path, methods] of Object.entries<Record<string, any>>(document.paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const [who, client, { body, headers }, query] of asks) {
          const status = await statusOf(client, path.replaceAll(/\{\w+\}/g, 'x') + query, {
            method: method.toUpperCase(),
            ...(method !== 'get' && body !== undefined && { body, headers: headers! }),
          })
          if (!responses[status]) faults.push(`${method} ${path}: ${status} for ${who}`)
        }
    expect(faults).toEqual([])
  })

  it('is 304 by the document too where an entity is as it was', async () => {
    const client = await service.user('fay@example.org')
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Known' })
    const { headers } = await client.get(`/api/items/${item_id}`)
    const init = { headers: { 'if-none-match': headers.get('etag')! } }
    expect(await statusOf(client, `/api/items/${item_id}`, init)).toBe(304)
    for (const path of ['/api/items/{item_id}', '/api/tags/{tag_id}', '/api/views/{view_id}'])
      expect(document.paths[path].get.responses).toHaveProperty('304')
  })

  it('is proved of every route that answers JSON', () => {
    const proved = new Set(
      STEPS.filter(({ status = 200 }) => status < 400 || status === 404).map(({ route }) => route),
    )
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods as object)
        .filter(([, { responses }]) => responses[200]?.content?.['application/json'])
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.filter((route) => !proved.has(route)).sort()).toEqual(
      [...ELSEWHERE, 'GET /api/openapi.json'].sort(),
    )
  })
})

/** Of an answer that may be a stream. */
async function statusOf(client: Client, path: string, init: RequestInit): Promise<number> {
  const { status, body } = await client.fetch(path, { redirect: 'manual', ...init })
  await body?.cancel()
  return status
}

function take({ route, body }: Step, client: Client, kept: Kept): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  return client.send(
    method,
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => kept[name]!),
    body?.(kept),
  )
}

/** What an answer says besides its body, of what it was asked for (reference/http.md). */
const OWN_HEADERS = [
  'x-next-cursor',
  'x-total-count',
  'x-change-id',
  'x-filter-warnings',
  'x-unread-count',
  'etag',
  'idempotency-replayed',
]

/** What of an answer the document does not say; a property that it does not name is a fault. */
function answerCheck(document: Document): (step: Step, answer: Answer) => string[] {
  const closed = closedSchemas(document) as Document
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'doc', ...closed })
  return ({ route, status: expected = 200 }, { status, body, headers }) => {
    if (status !== expected) return [`${route} answered ${status}: ${JSON.stringify(body)}`]
    const [method = '', path = ''] = route.split(' ')
    const described = closed.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (!described) return [`${route}: ${status} is not documented`]
    const response = described.$ref
      ? closed.components.responses[described.$ref.split('/').at(-1)]
      : described
    const unnamed = OWN_HEADERS.filter((name) => {
      const known = Object.keys(response.headers ?? {}).map((each) => each.toLowerCase())
      return status < 300 && headers.has(name) && !known.includes(name)
    })
    if (unnamed.length) return [`${route} ${status}: the header ${unnamed.join()} is not documented`]
    const schema = response.content['application/json'].schema
    const validate: ValidateFunction = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')),
    )
    return validate(body)
      ? []
      : [`${route} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`]
  }
}

/** Objects without a word on further properties have none. */
function closedSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closedSchemas)
  if (typeof node !== 'object' || node === null) return node
  const copy: Document = Object.fromEntries(
    Object.entries(node).map(([key, each]) => [key, closedSchemas(each)]),
  )
  const isClosed = copy.type === 'object' && copy.properties && !('additionalProperties' in copy)
  return isClosed ? { ...copy, additionalProperties: false } : copy
}
