import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOBODY } from '#src/domain/caller.ts'
import type { Step } from '#src/runtime/operation.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { openBase } from '#test/support/base.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { holdWriter } from '#test/support/hold-writer.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

const PASSWORD = 'correct horse'

let service: Service
let owner: Client
let receiver: WebhookReceiver
const clock = new TestClock()

beforeAll(async () => {
  receiver = new WebhookReceiver()
  await receiver.listen()
  service = await startService({ env: { WEBHOOK_PRIVATE: 'true' }, clock: clock.now })
  owner = await service.user('owner@example.org')
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const idOf = async (client: Client): Promise<string> => (await client.ok('GET', '/api/auth/me')).user_id
const tokenOf = ({ url }: { url: string }) => new URL(url).searchParams.get('invitation')!
let names = 0

/** A second owner, who has made an invitation, a webhook, and one that is disabled. */
async function second() {
  const email = `second${++names}@example.org`
  const client = await service.user(email, PASSWORD)
  const user_id = await idOf(client)
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'owner' })
  const invitation = await client.ok('POST', '/api/invitations', { role: 'owner', expires_in_days: 90 })
  const hook = await client.ok('POST', '/api/webhooks', { url: receiver.url })
  const waiting = await client.ok('POST', '/api/webhooks', { url: receiver.url })
  await client.ok('PUT', `/api/webhooks/${waiting.webhook_id}`, { enabled: false })
  return { email, client, user_id, invitation, hook, waiting }
}
type Second = Awaited<ReturnType<typeof second>>

const hookOf = ({ webhook_id }: { webhook_id: string }) => owner.ok('GET', `/api/webhooks/${webhook_id}`)
const register = (invitation: string) =>
  service
    .client()
    .post('/api/auth/register', { email: `new${++names}@example.org`, password: PASSWORD, invitation })

async function expectEnded({ user_id, invitation, hook, waiting }: Second, loss: string) {
  expect(await register(tokenOf(invitation))).toMatchObject({ status: 403 })
  const open = await owner.ok('GET', '/api/invitations')
  expect(open.map((each: { invitation_id: string }) => each.invitation_id)).not.toContain(
    invitation.invitation_id,
  )
  expect(await hookOf(hook)).toMatchObject({
    suspended: true,
    enabled: false,
    created_by: user_id,
    disabled_reason: expect.stringContaining(loss),
  })
  expect(await hookOf(waiting)).toMatchObject({ suspended: true, enabled: false })
  const log = await owner.ok('GET', '/api/security-log?limit=50')
  const types = log.map((each: { event_type: string }) => each.event_type)
  expect(types).toEqual(expect.arrayContaining(['invitation_revoked', 'webhook_disabled']))
  receiver.forget()
  await owner.ok('POST', '/api/items', { name: 'A secret' })
}

describe('what somebody made with rights that they lost', () => {
  const losses: [loss: string, lose: (of: Second) => Promise<unknown>][] = [
    ['lowered', ({ user_id }) => owner.ok('PUT', `/api/users/${user_id}`, { role: 'editor' })],
    ['disabled', ({ user_id }) => owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })],
    [
      'lowered',
      ({ user_id }) => owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader', disabled: true }),
    ],
    ['deleted', ({ client }) => client.ok('DELETE', '/api/auth/me', { current_password: PASSWORD })],
  ]
  for (const [i, [loss, lose]] of losses.entries())
    it(`ends when they are ${loss} (${i})`, async () => {
      const of = await second()
      await lose(of)
      await expectEnded(of, loss)
      expect(receiver.received).toEqual([])
    })

  for (const [loss, ...words] of [
    ['lowered', 'user', 'role', 'EMAIL', 'editor'],
    ['disabled', 'user', 'disable', 'EMAIL'],
  ] as const)
    it(`ends when an operator has them ${loss}`, async () => {
      const of = await second()
      const { code } = await facet(
        service.database_url,
        ...words.map((word) => (word === 'EMAIL' ? of.email : word)),
      )
      expect(code).toBe(0)
      await expectEnded(of, loss)
    })

  it('stays ended when they are enabled, and owners, again; raising somebody ends nothing', async () => {
    const of = await second()
    await owner.ok('PUT', `/api/users/${of.user_id}`, { role: 'editor', disabled: true })
    await owner.ok('PUT', `/api/users/${of.user_id}`, { role: 'owner', disabled: false })
    await expectEnded(of, 'lowered')
    const again = service.client()
    await again.ok('POST', '/api/auth/login', { email: of.email, password: PASSWORD })
    const { invitation_id, ...made } = await again.ok('POST', '/api/invitations', { role: 'reader' })
    const editor = await service.user()
    await owner.ok('PUT', `/api/users/${await idOf(editor)}`, { role: 'owner' })
    expect((await register(tokenOf(made))).status).toBe(200)
    expect(invitation_id).toBeDefined()
  })

  it('is taken over by an owner who enables it, and goes on where it stood', async () => {
    const { user_id, hook } = await second()
    const taker = await service.user()
    await owner.ok('PUT', `/api/users/${await idOf(taker)}`, { role: 'owner' })
    await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    receiver.forget()
    await owner.ok('POST', '/api/items', { name: 'Meanwhile' })
    const changed = await taker.ok('PUT', `/api/webhooks/${hook.webhook_id}`, { description: 'Whose?' })
    expect(changed).toMatchObject({ suspended: true, created_by: user_id })
    const taken = await taker.ok('PUT', `/api/webhooks/${hook.webhook_id}`, { enabled: true })
    expect(taken).toMatchObject({ suspended: false, enabled: true, created_by: await idOf(taker) })
    const [first] = await receiver.take(1)
    expect(first?.event.details).toMatchObject({ name: 'Meanwhile' })
    await owner.ok('DELETE', `/api/users/${user_id}`)
    expect(await hookOf(hook)).toMatchObject({ suspended: false, enabled: true })
    const log = await owner.ok('GET', '/api/security-log?limit=50')
    expect(log).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ taken_over_from: user_id }) }),
    )
    await owner.ok('DELETE', `/api/webhooks/${hook.webhook_id}`)
  })

  it('cannot be made by requests that came before and are carried out after', async () => {
    const { client, user_id } = await second()
    const role = () => client.put(`/api/users/${user_id}`, { role: 'owner' })
    const all = [
      ...Array.from({ length: 20 }, role),
      owner.put(`/api/users/${user_id}`, { role: 'editor' }),
      ...Array.from({ length: 40 }, role),
      ...Array.from({ length: 10 }, () => client.post('/api/invitations', { role: 'owner' })),
    ]
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses[20]).toBe(200)
    expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([])
    const users = await owner.ok('GET', '/api/users')
    expect(users.find((each: { user_id: string }) => each.user_id === user_id).role).toBe('editor')
    const open = await owner.ok('GET', '/api/invitations')
    expect(open.filter((each: { created_by: string }) => each.created_by === user_id)).toEqual([])
  })

  it('is no key that is made while the account is disabled', async () => {
    const { client, user_id } = await second()
    const key = () => client.post('/api/keys', { name: 'k', scope: 'read' })
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, key),
      owner.put(`/api/users/${user_id}`, { disabled: true }),
      ...Array.from({ length: 40 }, key),
    ])
    await owner.ok('PUT', `/api/users/${user_id}`, { disabled: false })
    const keys = answers.flatMap(({ body }) => (body.key ? [body.key as string] : []))
    for (const each of keys)
      expect((await service.client().get('/api/items', { authorization: `Bearer ${each}` })).status).toBe(401)
  })
})

describe('a way in that a session asked for before it ended', () => {
  const NEW = 'staple 9 correct'
  const ends: [how: string, end: (of: { victim: Client; user_id: string }) => Promise<{ status: number }>][] =
    [
      ['by another session', ({ victim }) => victim.send('DELETE', '/api/auth/sessions')],
      ['as its account is disabled', ({ user_id }) => owner.put(`/api/users/${user_id}`, { disabled: true })],
    ]
  for (const [how, end] of ends)
    it(`is none where it ended ${how}`, async () => {
      const email = `victim${++names}@example.org`
      const victim = await service.user(email, PASSWORD)
      const logIn = async (password: string) => {
        const client = service.client()
        return { client, status: (await client.post('/api/auth/login', { email, password })).status }
      }
      const { client: thief } = await logIn(PASSWORD)
      const user_id = await idOf(victim)
      // Both wait for the writer: the session ends, and then the turn of what it has asked for comes.
      const release = await holdWriter(service.database_url)
      const ending = end({ victim, user_id })
      await new Promise((resume) => setTimeout(resume, 300))
      const asked = [
        thief.post('/api/auth/password', { current_password: PASSWORD, new_password: NEW }),
        thief.put('/api/auth/email', { email: `thief-${email}`, current_password: PASSWORD }),
        thief.post('/api/auth/2fa/totp/setup', {}),
        thief.post('/api/auth/passkey/register/begin', {}),
        thief.send('DELETE', '/api/auth/me', { current_password: PASSWORD }),
      ]
      await new Promise((resume) => setTimeout(resume, 700))
      await release()
      expect((await ending).status).toBe(200)
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
      await owner.ok('PUT', `/api/users/${user_id}`, { disabled: false })
      expect((await logIn(NEW)).status).toBe(401)
      expect((await logIn(PASSWORD)).status).toBe(200)
    })

  /** Changes of accounts that do not ask whether their caller still may, and why they need not. */
  const UNASKED: Readonly<Record<string, string[]>> = {
    'whoever signs in or registers has no session yet': [
      'beginAssertion',
      'beginLogin',
      'countRegistration',
      'createAccount',
      'finishAssertion',
      'recordFailure',
      'recordSignInFailed',
      'storeDiscovery',
      'takeAssertion',
      'takeResetLink',
    ],
    'they look at the session by themselves': ['finishLogin', 'signInByIdentity', 'storeOauthFlow'],
    'they use up, count or end, and let nobody in': [
      'endApp',
      'endSession',
      'takeCode',
      'takeOauthFlow',
      'takeRegistration',
    ],
    'the service itself': ['makeSetupToken', 'sweepExpired', 'sweepSecurityLog', 'touchApp', 'touchKey'],
    'the service, for a live session': ['touchSession'],
    'of an app, whose grant is asked about where it is opened': [
      'addAppClient',
      'dropAppRecord',
      'keepAppRecord',
      'keepConsent',
      'useAppRecord',
    ],
    'an operator': ['endAllSessions', 'giveViews', 'makeAccount', 'removeSecondFactor', 'resetPassword'],
  }

  it('is refused by each step that changes what lets somebody in, within the change itself', async () => {
    const folder = new URL('../../src/operations/account/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const modules = await Promise.all(
      files.filter((file) => file.endsWith('-steps.ts')).map((file) => import(new URL(file, folder).href)),
    )
    const steps = modules
      .flatMap((each) => Object.values(each as object) as Step[])
      .filter(({ effect }) => effect === 'write')
    const asking = steps.filter(({ still }) => still)
    const others = steps.filter(({ still }) => !still)
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.values(UNASKED).flat().toSorted())
    expect(asking.length).toBeGreaterThan(15)
    const base = await openBase()
    const caller = { ...NOBODY, user_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', token_hash: 'ended' }
    for (const step of asking) {
      const call = { db: base.db, caller, now: new Date(clock.now()), time_zone: 'UTC', newId: () => '' }
      await expect(runSql(step, call, {}), step.name).rejects.toMatchObject({ code: 'Unauthorized' })
    }
    base.close()
  })
})

/** Lets texts that wait for the index of searches wait on, until what it gives is called. */
async function holdWaitingTexts(): Promise<() => Promise<unknown>> {
  const [hold, release] =
    TEST_ENGINE === 'postgres'
      ? ['create rule hold as on delete to waiting_text do instead nothing', 'drop rule hold on waiting_text']
      : [
          'create trigger hold before delete on waiting_text begin select raise(ignore); end',
          'drop trigger hold',
        ]
  await queryDatabase(service, hold)
  return () => queryDatabase(service, release)
}

it('a change that waits for room in the index is made only while its caller may make it', async () => {
  const description = 'ab cd '.repeat(166_000)
  const editors = await Promise.all(
    [1, 2, 3].map(() => service.user(`editor${++names}@example.org`, PASSWORD)),
  )
  const [leaving, lowered, staying] = editors as [Client, Client, Client]
  const { key, key_id } = await staying.ok('POST', '/api/keys', { name: 'k', scope: 'write' })
  const user_id = await idOf(lowered)
  // There is room when the rights have ended, however long that takes.
  const makeRoom = await holdWaitingTexts()
  // More than may wait: the next change of a long text has to.
  for (let i = 0; i < 2; i++)
    await owner.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 18 }, (_, n) => ({ name: `Long ${i} ${n}`, description })),
    })
  const create = (client: Client, name: string, headers = {}) =>
    client.send('POST', '/api/items', { name, description }, headers)
  const all = [
    create(leaving, 'of a session'),
    create(lowered, 'of a role'),
    create(service.client(), 'of a key', { authorization: `Bearer ${key}` }),
    create(staying, 'of who stays'),
  ]
  await new Promise((resume) => setTimeout(resume, 1000))
  await leaving.ok('POST', '/api/auth/logout')
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
  await staying.ok('DELETE', `/api/keys/${key_id}`)
  await makeRoom()
  const answers = await Promise.all(all)
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 401, 200])
  expect(await owner.ok('POST', '/api/items/search', { filter: { name: { starts_with: 'of ' } } })).toEqual([
    expect.objectContaining({ name: 'of who stays' }),
  ])
})

it('a disabled account is turned away with the bytes of an unknown one', async () => {
  const { email, client, user_id } = await second()
  const { key } = await client.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
  await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
  const bytesOf = async (of: Client, path: string, headers?: Record<string, string>) => {
    const answer = await of.get(path, headers)
    return [answer.status, JSON.stringify(answer.body), answer.headers.get('www-authenticate')]
  }
  const stranger = service.client()
  stranger.cookies.set('__Host-session', 'x'.repeat(43))
  expect(await bytesOf(client, '/api/items')).toEqual(await bytesOf(stranger, '/api/items'))
  const gone = await (async () => {
    const other = await service.user()
    const made = await other.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
    await other.ok('DELETE', `/api/keys/${made.key_id}`)
    return made.key as string
  })()
  const byKey = (given: string) =>
    bytesOf(service.client(), '/api/items', { authorization: `Bearer ${given}` })
  expect(await byKey(key)).toEqual(await byKey(gone))
  const logIn = async (as: string) => {
    const answer = await service.client().post('/api/auth/login', { email: as, password: PASSWORD })
    return [answer.status, JSON.stringify(answer.body)]
  }
  expect(await logIn(email)).toEqual(await logIn('nobody-at-all@example.org'))
})
