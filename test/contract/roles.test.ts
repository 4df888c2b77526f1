import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { operations } from '#src/operations/index.ts'
import { isChange } from '#src/runtime/may-call.ts'
import type { Client } from '#test/support/client.ts'
import { chat } from '#test/support/events.ts'
import { callTool, connectMcp, TRANSPORTS } from '#test/support/mcp.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { type Service, startService } from '#test/support/service.ts'

describe('roles', () => {
  let provider: ModelProvider
  let service: Service
  let owner: Client
  let reader: Client
  beforeAll(async () => {
    provider = await startModelProvider()
    service = await startService({
      env: {
        DEFAULT_ROLE: 'reader',
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'scripted',
        LLM_BASE_URL: provider.url,
      },
    })
    owner = await service.user()
    reader = await service.user()
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  it('the first account is the owner, later ones get DEFAULT_ROLE', async () => {
    expect((await owner.ok('GET', '/api/auth/me')).role).toBe('owner')
    expect((await reader.ok('GET', '/api/auth/me')).role).toBe('reader')
  })

  it('later ones are editors without it, and write', async () => {
    const other = await startService()
    await other.user()
    const second = await other.user()
    expect((await second.ok('GET', '/api/auth/me')).role).toBe('editor')
    await second.ok('POST', '/api/items', { name: 'Written' })
    await other.close()
  })

  /** What changes the base by itself. */
  const changes = operations.filter(
    (operation) =>
      operation.access === 'user' &&
      (operation.needs ?? 'base') === 'base' &&
      !operation.every_role &&
      isChange(operation),
  )
  for (const operation of changes)
    for (const { method, path } of routesOf(operation))
      it(`${method} ${path}: a reader may not, not even a dry run`, async () => {
        for (const body of [{}, { dry_run: true }]) {
          const answer = await reader.send(method, path.replaceAll(/\{\w+\}/g, 'x'), body)
          expect(answer).toMatchObject({ status: 403, body: { error: 'Forbidden' } })
        }
      })

  it('a reader writes what is their own', async () => {
    await reader.ok('POST', '/api/views', { name: 'Mine', filter: { search: '' } })
    await reader.ok('POST', '/api/chats', { title: 'Mine' })
    await reader.ok('PUT', '/api/auth/profile', { display_name: 'Rea' })
    expect(await reader.ok('GET', '/api/views')).toMatchObject([{ name: 'Mine' }])
    expect(await reader.ok('GET', '/api/chats')).toMatchObject([{ title: 'Mine' }])
    expect(await reader.ok('GET', '/api/auth/me')).toMatchObject({ display_name: 'Rea' })
  })

  const names = new Set(changes.flatMap(({ tool }) => tool ?? []))
  for (const transport of TRANSPORTS)
    it(`over MCP (${transport}) a reader is offered no tool that changes the base, and can call none`, async () => {
      const mcp = await connectMcp(reader, transport)
      const offered = (await mcp.listTools()).tools.map(({ name }) => name)
      expect(offered).toContain('get_items')
      expect(offered.filter((name) => names.has(name))).toEqual([])
      for (const name of names) expect((await callTool(mcp, name)).error, name).toMatch(/Your role is reader/)
      await mcp.close()
      const theirs = await connectMcp(owner, transport)
      expect((await theirs.listTools()).tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...names]),
      )
      await theirs.close()
    })

  it('in the chat a reader’s model is offered none either', async () => {
    provider.say(
      { text: ['I add it.'], calls: [{ name: 'add_item', arguments: { name: 'X' } }] },
      { text: ['No.'] },
    )
    const events = await chat(reader, 'Add X')
    const { tools } = provider.requests.at(-1)!.body as { tools: { function: { name: string } }[] }
    const offered = tools.map((each) => each.function.name)
    expect(offered).toContain('get_items')
    expect(offered.filter((name) => names.has(name))).toEqual([])
    expect(JSON.stringify(events)).toContain("There is no tool 'add_item' here")
    expect(await owner.ok('POST', '/api/items/search', {})).toEqual([])
  })
})

describe('the first account where others can reach the service', () => {
  it('needs the token that the start prints, which is then of no use', async () => {
    const service = await startService({ env: { PUBLIC_URL: 'http://facet.example.org' } })
    const client = service.client()
    const account = { email: 'ada@example.org', password: 'correct horse' }
    expect(await client.post('/api/auth/register', account)).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', message: expect.stringContaining('printed') },
    })
    for (const invitation of ['x', ''])
      expect((await client.post('/api/auth/register', { ...account, invitation })).status).toBe(403)
    const invitation = service.setup_token
    expect((await client.ok('POST', '/api/auth/register', { ...account, invitation })).role).toBe('owner')
    const bob = { ...account, email: 'bob@example.org' }
    expect((await client.post('/api/auth/register', { ...bob, invitation })).status).toBe(403)
    expect((await service.client().ok('POST', '/api/auth/register', bob)).role).toBe('editor')
    await service.close()
  })

  it('gets none by two at once', async () => {
    const service = await startService({ env: { REGISTRATION: 'closed' } })
    const invitation = service.setup_token
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        service.client().post('/api/auth/register', {
          email: `${name}@example.org`,
          password: 'correct horse',
          invitation,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
    await service.close()
  })
})
