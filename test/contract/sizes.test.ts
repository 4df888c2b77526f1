import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { lookAt } from '#test/support/imports.ts'
import { openLive } from '#test/support/live-stream.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

const KIB = 1024

let service: Service
let owner: Client
let reader: Client

beforeAll(async () => {
  service = await startService()
  owner = await service.user()
  reader = await service.user()
  const { user_id } = await reader.ok('GET', '/api/auth/me')
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
})
afterAll(() => service.close())

const view = (body: object = {}) => ({ name: 'A view', filter: { has_tag: null }, ...body })
/** Of n texts of 10 kB. */
const longLimit = (n: number) => ({
  filter: { name: { in: Array.from({ length: n }, () => 'x'.repeat(9_990)) } },
})
const bytes = (n: number) => ({ x: 'y'.repeat(n - '{"x":""}'.length) })

describe('what a view keeps', () => {
  it('has settings of up to 64 KiB as JSON, in bytes', async () => {
    const made = await reader.ok('POST', '/api/views', view({ settings: bytes(64 * KIB) }))
    for (const settings of [bytes(64 * KIB + 1), { x: 'é'.repeat(33 * KIB) }])
      for (const answer of [
        await reader.post('/api/views', view({ settings })),
        await reader.put(`/api/views/${made.view_id}`, { ...made, settings }),
      ])
        expect(answer).toMatchObject({
          status: 400,
          body: { details: { errors: [{ path: 'settings', message: expect.stringContaining('65536') }] } },
        })
  })

  it('has a filter of up to 512 KiB, ten thousand ids among it', async () => {
    const ids = (n: number) =>
      Array.from({ length: n }, (_, i) => `01JJXZ5T7GQ3M8K4B9R${String(i).padStart(7, '0')}`)
    expect((await reader.post('/api/views', view({ filter: { id: { in: ids(10_000) } } }))).status).toBe(200)
    const filter = { name: { in: Array.from({ length: 60 }, () => 'x'.repeat(9_990)) } }
    expect(await reader.post('/api/views', view({ filter }))).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^filter: .*524288/) },
    })
  })

  it('stays, and can be sent back, where it is longer from before there was a limit', async () => {
    const made = await reader.ok('POST', '/api/views', view())
    const settings = bytes(100 * KIB)
    await queryDatabase(
      service,
      `update view set settings = '${JSON.stringify(settings)}' where view_id = '${made.view_id}'`.replace(
        'update view',
        'update "view"',
      ),
    )
    const path = `/api/views/${made.view_id}`
    const read = await reader.ok('GET', path)
    expect(read.settings).toEqual(settings)
    expect(await reader.ok('PUT', path, { ...read, name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      settings,
    })
  })
})

describe('the list of views', () => {
  it('comes in pages that end by their length, whole without a limit', async () => {
    const carl = await service.user()
    for (let n = 0; n < 150; n++) await carl.ok('POST', '/api/views', view({ settings: bytes(64 * KIB) }))
    const page = await carl.get('/api/views?limit=1000')
    expect(page.body.length).toBeLessThan(140)
    const rest = await carl.get(`/api/views?limit=1000&after=${page.headers.get('x-next-cursor')}`)
    expect(rest.headers.get('x-next-cursor')).toBeNull()
    const whole = await carl.ok('GET', '/api/views')
    expect(whole).toEqual([...page.body, ...rest.body])
    expect(whole).toHaveLength(150)
    expect(await carl.ok('GET', '/api/views?sort=position')).toEqual(whole)
  })

  it('has at most a thousand of an account: 409', async () => {
    const dora = await service.user()
    const { user_id } = await dora.ok('GET', '/api/auth/me')
    const made = await dora.ok('POST', '/api/views', view())
    await copyRow('view', 'view_id', made.view_id, 998)
    expect((await dora.post('/api/views', view())).status).toBe(200)
    expect(await dora.post('/api/views', view())).toMatchObject({
      status: 409,
      body: { message: 'An account has at most 1000 views', suggestion: expect.stringContaining('DELETE') },
    })
    await copyRow('view', 'view_id', made.view_id, 5, 'M')
    expect(await dora.ok('GET', '/api/views')).toHaveLength(1005)
    expect((await reader.post('/api/views', view())).status).toBe(200)
    expect(user_id).toBe(made.user_id)
  })

  it('has filters of at most 8 MiB of an account, all together: 409', async () => {
    const emma = await service.user()
    const wide = (n: number) => ({ name: { in: Array.from({ length: n }, (_, i) => `${i}`.padStart(48)) } })
    const TAKEN = { status: 409, body: { message: expect.stringContaining('8388608 bytes together') } }
    let made: { view_id: string } & Record<string, unknown>
    for (let n = 0; n < 16; n++) made = await emma.ok('POST', '/api/views', view({ filter: wide(10_000) }))
    expect(await emma.post('/api/views', view({ filter: wide(10_000) }))).toMatchObject(TAKEN)
    await emma.ok('POST', '/api/views', view())
    // One that is there may become smaller, and no greater than there is room for.
    const path = `/api/views/${made!.view_id}`
    await emma.ok('PUT', path, { ...made!, filter: wide(9000) })
    await emma.ok('PUT', path, { ...made!, filter: wide(10_000) })
    const { view_id: small } = await emma.ok('POST', '/api/views', view())
    expect(
      await emma.send('PUT', `/api/views/${small}`, { ...view({ filter: wide(10_000) }), icon: '✅' }),
    ).toMatchObject(TAKEN)
  })
})

/** More rows like one, past the service. */
async function copyRow(table: string, key: string, id: string, count: number, letter = 'N') {
  const [row] = await queryDatabase(service, `select * from "${table}" where ${key} = '${id}'`)
  const { id: _, ...columns } = row!
  const names = Object.keys(columns)
  const text = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
  for (let n = 0; n < count; n += 500) {
    const rows = Array.from({ length: Math.min(500, count - n) }, (_, i) => {
      const copy: Record<string, unknown> = {
        ...columns,
        [key]: `${id.slice(0, 18)}${letter}${String(n + i).padStart(7, '0')}`,
      }
      // A session is found by its token, which is its key.
      if ('token_hash' in copy) copy.token_hash = String(n + i).padStart(64, '0')
      return `(${names.map((name) => text(copy[name])).join()})`
    })
    await queryDatabase(service, `insert into "${table}" (${names.join()}) values ${rows.join()}`)
  }
}

describe('sharing', () => {
  it('is ended by an owner, who changes nothing else', async () => {
    const shared = await reader.ok('POST', '/api/views', view({ shared: true }))
    const path = `/api/views/${shared.view_id}`
    for (const body of [
      { ...shared, shared: true },
      { ...shared, name: 'Mine', shared: false },
    ])
      expect(await owner.put(path, body)).toMatchObject({
        status: 403,
        body: { error: 'Forbidden', suggestion: expect.stringContaining('"shared": false') },
      })
    expect((await owner.delete(path)).status).toBe(403)
    const editor = await service.user()
    expect((await editor.put(path, { ...shared, shared: false })).status).toBe(403)
    expect(
      (
        await owner.send(
          'PUT',
          path,
          { ...shared, shared: false },
          { 'if-match': '"2020-01-01T00:00:00.000Z"' },
        )
      ).status,
    ).toBe(412)
    const { name, icon, filter } = shared
    const ended = await owner.ok('PUT', path, { name, icon, filter, shared: false })
    expect(ended).toEqual({ ...shared, shared: false, updated_at: ended.updated_at })
    expect((await owner.get(path)).status).toBe(404)
    expect(await reader.ok('GET', path)).toEqual(ended)
  })
})

/** All elements of a list, from pages of that many. */
async function inPages(
  client: Client,
  path: string,
  limit: number,
): Promise<{ pages: number; all: unknown[] }> {
  const all: unknown[] = []
  let pages = 0
  for (let next: string | null = ''; next !== null; pages++) {
    const page = await client.get(`${path}?limit=${limit}${next && `&after=${next}`}`)
    expect(page.status).toBe(200)
    all.push(...page.body)
    next = page.headers.get('x-next-cursor')
  }
  return { pages, all }
}

describe('lists that were whole', () => {
  let base: Service
  let keeper: Client
  beforeAll(async () => {
    base = await startService()
    keeper = await base.user()
  })
  afterAll(() => base.close())

  it('of accounts come in pages too, deleted ones among them', async () => {
    const gone = await base.user()
    const { user_id } = await gone.ok('GET', '/api/auth/me')
    await keeper.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    await keeper.ok('DELETE', `/api/users/${user_id}`)
    const other = await base.user()
    for (const client of [keeper, other]) {
      const whole = await client.ok('GET', '/api/users')
      expect(whole).toContainEqual({ user_id, display_name: '(deleted)', disabled: true })
      expect(await inPages(client, '/api/users', 1)).toEqual({ pages: whole.length, all: whole })
    }
    expect((await keeper.get('/api/users?after=x')).status).toBe(400)
  })

  it('of deleted tags end their pages by their length, for tools too', async () => {
    const description = 'x'.repeat(500_000)
    for (let i = 0; i < 18; i++) {
      const tag = await keeper.ok('POST', '/api/tags', { name: `Gone ${i}`, description, fields: {} })
      await keeper.ok('DELETE', `/api/tags/${tag.tag_id}`)
    }
    const whole = await keeper.ok('GET', '/api/tags/deleted')
    const { pages, all } = await inPages(keeper, '/api/tags/deleted', 1000)
    expect(all).toEqual(whole)
    expect(pages).toBeGreaterThan(1)
    const mcp = await connectMcp(keeper, 'streamable-http')
    const found: { tag_id: string }[] = []
    for (let after: string | undefined; ;) {
      const page = { search: 'xxx', ...(after !== undefined && { after }) }
      const { value, beside } = await callTool(mcp, 'list_deleted_items', page)
      const { tags } = value as { tags: { tag_id: string }[] }
      expect(tags).toHaveLength(1)
      found.push(...tags)
      after = (beside as { next?: { after: string } } | undefined)?.next?.after
      if (after === undefined) break
    }
    const idsOf = (tags: { tag_id: string }[]) => tags.map(({ tag_id }) => tag_id)
    expect(idsOf(found)).toEqual(idsOf(whole).toReversed())
    await mcp.close()
  })

  it('of webhooks end their pages by their length', async () => {
    const filter = { name: { in: Array.from({ length: 40 }, (_, i) => `${i} ${'x'.repeat(9_900)}`) } }
    for (let i = 0; i < 25; i++)
      await keeper.ok('POST', '/api/webhooks', { url: `https://example.org/${i}`, filter })
    const whole = await keeper.ok('GET', '/api/webhooks')
    expect(whole).toHaveLength(25)
    const { pages, all } = await inPages(keeper, '/api/webhooks', 100)
    expect(all).toEqual(whole)
    expect(pages).toBeGreaterThan(1)
  })
})

describe('what an account makes for itself alone', () => {
  it('is in the security log up to 64 KiB, which ends its pages by their length', async () => {
    const limit = longLimit(6)
    for (let i = 0; i < 140; i++) {
      const { key_id } = await reader.ok('POST', '/api/keys', { name: `Key ${i}`, scope: 'read', limit })
      await reader.ok('DELETE', `/api/keys/${key_id}`)
    }
    for (const [client, path] of [
      [owner, '/api/security-log'],
      [reader, '/api/auth/activity'],
    ] as const) {
      const first = await client.get(`${path}?limit=280`)
      expect(first.body.length).toBeLessThan(280)
      expect(JSON.stringify(first.body).length).toBeLessThan(9_000_000)
      const rest = await client.ok('GET', `${path}?limit=280&after=${first.headers.get('x-next-cursor')}`)
      const made = [...first.body, ...rest].filter(({ event_type }) => event_type === 'key_created')
      expect(made.map(({ details }) => details.name)).toEqual(
        Array.from({ length: 140 }, (_, i) => `Key ${139 - i}`),
      )
    }
    const key = { name: 'Long', scope: 'read', limit: longLimit(50) }
    const { key_id } = await reader.ok('POST', '/api/keys', key)
    const [event] = await reader.ok('GET', '/api/auth/activity?limit=1')
    expect(event.details.limit).toEqual({ filter_bytes: expect.any(Number) })
    await reader.ok('DELETE', `/api/keys/${key_id}`)
  })

  it('takes at most 4 MiB of the limits of an account: 409', async () => {
    const make = () => reader.post('/api/keys', { name: 'Long', scope: 'read', limit: longLimit(50) })
    const made: { status: number; body: { key_id: string } }[] = []
    for (let i = 0; i < 9; i++) made.push(await make())
    const kept = made.filter(({ status }) => status === 200)
    expect(kept.length).toBe(8)
    expect(made.at(-1)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('4194304'), suggestion: expect.stringContaining('tag_ids') },
    })
    expect(JSON.stringify(await reader.ok('GET', '/api/keys')).length).toBeLessThan(4.3 * 2 ** 20)
    for (const { body } of kept) await reader.ok('DELETE', `/api/keys/${body.key_id}`)
    const again = await make()
    expect(again.status).toBe(200)
    await reader.ok('DELETE', `/api/keys/${again.body.key_id}`)
  })

  it('takes at most 8 MiB of the filters of what an account watches, or follows', async () => {
    const long = longLimit(50).filter
    const views: string[] = []
    const [watched, followed]: number[][] = [[], []]
    for (const client of [owner, reader])
      for (let i = 0; i < 10; i++)
        views.push((await client.ok('POST', '/api/views', view({ filter: long, shared: true }))).view_id)
    for (const id of views) watched!.push((await owner.put(`/api/views/${id}/watch`, { enter: true })).status)
    const fit = Math.floor((8 * 2 ** 20) / Buffer.byteLength(JSON.stringify(long)))
    expect(watched).toEqual(views.map((_, i) => (i < fit ? 200 : 409)))
    const streams: Awaited<ReturnType<typeof openLive>>[] = []
    for (let i = 0; i <= fit; i++)
      try {
        streams.push(await openLive(owner, { filter: long }))
      } catch (error) {
        followed!.push(i)
        expect((error as Error).message).toMatch(/429.*8388608.*close one first/)
      }
    expect(followed).toEqual([fit])
    streams[0]!.leave()
    await expect
      .poll(async () => {
        const one = await openLive(owner, { filter: long }).catch(() => null)
        one?.leave()
        return one !== null
      })
      .toBe(true)
    for (const stream of streams) stream.leave()
    for (const [i, id] of views.entries()) await (i < 10 ? owner : reader).ok('DELETE', `/api/views/${id}`)
  })

  it('are imports, whose list ends its pages by their length, and mappings of up to 4 MiB', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++)
      ids.unshift((await lookAt(owner, `small ${i}.csv`, 'Name\nOne\n')).body.import_id)
    const long = JSON.stringify({ tables: [{ name: 'x'.repeat(3_500_000) }] })
    await queryDatabase(service, `update import set mapping = '${long}'`)
    const first = await owner.get('/api/imports?limit=20')
    expect(first.body.length).toBeLessThan(4)
    const after = first.headers.get('x-next-cursor')
    const rest = await owner.ok('GET', `/api/imports?limit=20&after=${after}`)
    const listed = [...first.body, ...rest].map(({ import_id }) => import_id)
    expect(listed).toEqual(ids)
    const variants = Array.from({ length: 1000 }, () => 'x'.repeat(1000))
    const columns = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`${i}`, { field: 'f', variants }]),
    )
    const mapped = (body: object) => owner.put(`/api/imports/${ids[0]}`, body)
    expect(await mapped({ tables: [{ name: 'small 3', columns }] })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ path: 'tables', message: expect.stringContaining('4194304') }] } },
    })
    expect(await mapped({})).toMatchObject({ status: 200, body: { created: 1 } })
  })

  it('has a filter of up to 512 KiB where it is followed', async () => {
    const filter = { name: { in: Array.from({ length: 60 }, () => 'x'.repeat(9_990)) } }
    expect(await reader.post('/api/items/search/stream', { filter })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^filter: .*524288/) },
    })
  })
})

describe('chats', () => {
  it('are ten thousand of an account: 409', async () => {
    const eve = await service.user()
    const chat = await eve.ok('POST', '/api/chats', { title: 'One' })
    await copyRow('chat', 'chat_id', chat.chat_id, 9_998)
    expect((await eve.post('/api/chats', { title: 'Two' })).status).toBe(200)
    const refused = { message: 'An account has at most 10000 chats', suggestion: expect.any(String) }
    expect(await eve.post('/api/chats', { title: 'Three' })).toMatchObject({ status: 409, body: refused })
    expect(await eve.post('/api/chat', { message: 'Hello' })).toMatchObject({ status: 409, body: refused })
    expect(await eve.ok('GET', '/api/chats')).toHaveLength(10_000)
  })

  it('come in pages, last updated first, and whole without a limit', async () => {
    const fay = await service.user()
    const made: { chat_id: string; updated_at: string }[] = []
    for (let n = 0; n < 5; n++) made.push(await fay.ok('POST', '/api/chats', { title: `Chat ${n}` }))
    // Of two in the same millisecond none is later.
    const last = Date.parse(made.at(-1)!.updated_at)
    while (Date.now() <= last) await new Promise((resume) => setTimeout(resume, 1))
    await fay.ok('PUT', `/api/chats/${made[1]!.chat_id}`, { title: 'Newest' })
    const whole = await fay.ok('GET', '/api/chats')
    expect(whole.map(({ title }: { title: string }) => title)).toEqual([
      'Newest',
      'Chat 4',
      'Chat 3',
      'Chat 2',
      'Chat 0',
    ])
    const paged = []
    for (let next: string | null = ''; next !== null;) {
      const page = await fay.get(`/api/chats?limit=2${next && `&after=${encodeURIComponent(next)}`}`)
      paged.push(...page.body)
      next = page.headers.get('x-next-cursor')
    }
    expect(paged).toEqual(whole)
    expect((await fay.get('/api/chats?after=x')).status).toBe(400)
  })

  it('have messages in pages, oldest first, ten thousand at most', async () => {
    const gina = await service.user()
    await gina.post('/api/chat', { message: 'Hello' })
    const [{ chat_id }] = await gina.ok('GET', '/api/chats')
    const path = `/api/chats/${chat_id}/messages`
    const [first] = await gina.ok('GET', path)
    await copyRow('chat_message', 'message_id', first.message_id, 600)
    const whole = await gina.ok('GET', path)
    expect(whole.length).toBeGreaterThan(600)
    const page = await gina.get(`${path}?limit=3`)
    const rest = await gina.get(`${path}?limit=1000&after=${page.headers.get('x-next-cursor')}`)
    expect([...page.body, ...rest.body]).toEqual(whole)
    expect((await gina.get(`${path}?after=x`)).status).toBe(400)
    await copyRow('chat_message', 'message_id', first.message_id, 9_400, 'M')
    expect(await gina.post('/api/chat', { message: 'More', chat_id })).toMatchObject({
      status: 409,
      body: { message: 'A chat has at most 10000 messages' },
    })
  })
})

describe('sessions', () => {
  it('are a thousand of an account: a further sign-in ends the oldest', async () => {
    const email = 'often@example.org'
    const first = await service.user(email)
    const { user_id } = await first.ok('GET', '/api/auth/me')
    const [row] = await queryDatabase(service, `select * from session where user_id = '${user_id}'`)
    await copyRow('session', 'session_id', row!.session_id as string, 999)
    const longAgo = `update session set created_at = '2020-01-01T00:00:00.000Z'`
    await queryDatabase(service, `${longAgo} where session_id = '${row!.session_id as string}'`)
    const another = service.client()
    await another.ok('POST', '/api/auth/login', { email, password: 'correct horse' })
    expect((await first.get('/api/auth/me')).status).toBe(401)
    expect(await another.ok('GET', '/api/auth/sessions')).toHaveLength(1000)
  })
})

describe('preferences', () => {
  it('are a JSON object: no body, null and a query are refused, and change nothing', async () => {
    const kept = { theme: 'dark' }
    await reader.ok('PUT', '/api/preferences', kept)
    for (const body of [undefined, null, [], 'x', 5])
      expect(await reader.put('/api/preferences', body)).toMatchObject({
        status: 400,
        body: { error: 'BadRequest' },
      })
    expect(
      (await reader.put('/api/preferences', undefined, { 'content-type': 'application/json' })).status,
    ).toBe(400)
    expect((await reader.put('/api/preferences?theme=light', {})).status).toBe(400)
    expect(await reader.ok('GET', '/api/preferences')).toEqual(kept)
    expect(await reader.ok('PUT', '/api/preferences', {})).toEqual({})
  })
})

describe('a list that a tool reads', () => {
  const MAX = 60_000

  /** Ids of the items on all pages of a tool, none of more than 60,000 characters but of one element. */
  async function itemsOf(name: string, args: object): Promise<string[]> {
    const mcp = await connectMcp(owner, 'streamable-http')
    const ids: string[] = []
    for (let more: object | undefined = {}; more;) {
      const { value, beside } = await callTool(mcp, name, { ...args, ...more })
      const lists = Array.isArray(value) ? [value] : Object.values(value as Record<string, unknown[]>)
      const elements = lists.flat() as { item_id: string }[]
      if (elements.length > 1) expect(JSON.stringify(value).length).toBeLessThanOrEqual(MAX)
      ids.push(...elements.map(({ item_id }) => item_id))
      more = (beside as { next?: object } | undefined)?.next
    }
    await mcp.close()
    return ids
  }

  it('ends early where the audit log or the deleted items are long, and says how to go on', async () => {
    const item_ids: string[] = []
    for (let n = 0; n < 40; n++) {
      const body = { name: `Long ${n}`, description: 'x'.repeat(4000) }
      item_ids.push((await owner.ok('POST', '/api/items', body)).item_id)
    }
    const log = { item_ids, limit: 1000 }
    expect(await itemsOf('query_audit_log', log)).toEqual(item_ids.toReversed())
    const oldestFirst = { ...log, after_event: '00000000000000000000000000' }
    expect(await itemsOf('query_audit_log', oldestFirst)).toEqual(item_ids)
    await owner.ok('POST', '/api/items/bulk-delete', { filter: { id: { in: item_ids } } })
    const listed = await itemsOf('list_deleted_items', { limit: 100 })
    expect(listed.toSorted()).toEqual(item_ids)
  })
})
