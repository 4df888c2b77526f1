import { setTimeout } from 'node:timers/promises'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { settled } from '#test/support/imports.ts'
import { openMcpStream, postMessage } from '#test/support/mcp.ts'
import { command } from '#test/support/postgres-pair.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { runs } from '#test/support/runs.ts'
import { postgresDatabase, type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const START_TIMEOUT = 120_000

const startProcess = (url: string, more: Record<string, string> = {}) =>
  new ServiceProcess({ env: { DATABASE_URL: url, LOG_LEVEL: 'warn', TEST_ENGINE: '', ...more } })

/** The same browser at another process. */
function at(url: string, client: Client): Client {
  const other = new Client(url)
  for (const [name, value] of client.cookies) other.cookies.set(name, value)
  return other
}

async function openStream(client: Client) {
  const { status, path, next, leave } = await openMcpStream(client)
  if (!path || !next || !leave) throw new Error(`no stream: ${status}`)
  return { path, next, leave }
}

let users = 0
async function newUser(url: string): Promise<Client> {
  const client = new Client(url)
  await client.ok('POST', '/api/auth/register', {
    email: `user-${++users}@example.org`,
    password: 'correct horse',
  })
  return client
}

describe('two processes at one database', () => {
  let database: TestDatabase
  let processes: ServiceProcess[]
  /** A folder that they share. */
  let files: string
  /** One user at the first process and at the second. */
  let first: Client
  let second: Client

  beforeAll(async () => {
    database = await testDatabase(tmpdir())
    files = mkdtempSync(join(tmpdir(), 'facet-shared-files-'))
    processes = [1, 2].map(() => startProcess(database.url, { FILES: files }))
    const [a, b] = await Promise.all(processes.map((each) => each.url()))
    first = await newUser(a!)
    second = at(b!, first)
  }, START_TIMEOUT)
  afterAll(async () => {
    await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
    await database.drop()
    rmSync(files, { recursive: true })
  })

  const both = () => [first, second] as const

  it('the security log is one chain, whoever appends to it', async () => {
    const [a, b] = both()
    const account = { email: 'to-and-fro@example.org', password: 'correct horse' }
    await new Client(a.url).ok('POST', '/api/auth/register', account)
    const signIn = ({ url }: Client) => new Client(url).ok('POST', '/api/auth/login', account)
    for (const client of [b, a, b, a]) await signIn(client)
    const key = ['--user', account.email, '--scope', 'read', '--name', 'by command']
    expect(await facet(database.url, 'key', 'create', ...key)).toMatchObject({ code: 0 })
    for (const client of [a, b]) await signIn(client)
    for (let i = 0; i < 5; i++) await Promise.all([a, b, a, b].map(signIn))
    expect(await facet(database.url, 'audit', 'verify')).toMatchObject({ code: 0, err: '' })
  })

  it('one of two tags with the same name is made', async () => {
    for (let i = 0; i < 10; i++) {
      const answers = await Promise.all(
        both().map((client) => client.post('/api/tags', { name: `Race ${i}`, fields: {} })),
      )
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    }
  })

  it('a request with an Idempotency-Key is under way for both, and answered once', async () => {
    const seen = new Set<string | null>()
    async function insist(client: Client, key: string, items: readonly string[]) {
      for (;;) {
        const answer = await client.fetch('/api/items/bulk', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ items }),
        })
        const body = await answer.text()
        if (answer.status !== 409) return { answer, body }
        seen.add(answer.headers.get('retry-after'))
      }
    }
    // Who comes while the other one still waits for its turn waits as well: then there is no 409 to see. So the second
    // comes later and later.
    for (let i = 0; i < 30 && !seen.size; i++) {
      const items = Array.from({ length: 5000 }, (_, n) => `Keyed ${i} ${n}`)
      const both = await Promise.all([
        insist(first, `key ${i}`, items),
        setTimeout(i * 25).then(() => insist(second, `key ${i}`, items)),
      ])
      expect(both.map(({ answer }) => answer.status)).toEqual([200, 200])
      expect(both[0].body).toBe(both[1].body)
      const replayed = both.map(({ answer }) => answer.headers.get('idempotency-replayed'))
      expect(replayed.filter((each) => each === 'true')).toHaveLength(1)
      const filter = { name: { starts_with: `Keyed ${i} ` } }
      expect(await first.ok('POST', '/api/items/search', { filter })).toHaveLength(5000)
    }
    expect([...seen]).toEqual(['1'])
  })

  it('an import with an Idempotency-Key is one for both, while it is looked at and while it begins', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `Row ${i},${i}`)
    const body = ['name,n', ...rows].join('\n')
    const { file_id } = JSON.parse((await first.exchange('POST', '/api/files?name=rows.csv', { body })).text)
    const send = (client: Client, path: string, input: object) =>
      client.post(path, input, { 'idempotency-key': path })
    const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
      for (;;) {
        const found = await look()
        if (found !== undefined) return found
      }
    }
    /** Sent to the first process, and to the second once it sees that the first is at work. */
    const twice = async (path: string, input: object, atWork: () => Promise<true | undefined>) => {
      const sent = send(first, path, input)
      await until(atWork)
      const again = await send(second, path, input)
      expect([(await sent).status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
        expect.toBeOneOf([200, 202]),
        expect.toBeOneOf([200, 202]),
        'true',
      ])
      expect(again.body.import_id).toBe((await sent).body.import_id)
      return again.body.import_id as string
    }
    const made = async () => {
      const all = await second.ok('GET', '/api/imports')
      return all.filter((each: { file_id: string }) => each.file_id === file_id)
    }
    const import_id = await twice('/api/imports', { file_id }, async () =>
      (await made()).length ? true : undefined,
    )
    expect(await made()).toHaveLength(1)
    const at = `/api/imports/${import_id}`
    await settled(first, import_id)
    await first.put(at, {})
    await settled(first, import_id)
    // All rows are checked once more before the first is written.
    await first.ok('POST', '/api/items', { name: 'meanwhile' })
    await twice(`${at}/run`, {}, async () =>
      (await second.ok('GET', at)).state === 'ready' ? undefined : true,
    )
    await first.post(`${at}/stop`)
  })

  it('merges of different fields into one item lose none', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `field_${i}`)
    const fields = Object.fromEntries(names.map((name) => [name, 'Number']))
    const { tag_id } = await first.ok('POST', '/api/tags', { name: 'Merged', fields })
    const tags = [{ tag_ref: { Existing: tag_id } }]
    const { item_id } = await second.ok('POST', '/api/items', { name: 'merged', tags })
    await Promise.all(
      names.map((name, i) =>
        both()[i % 2]!.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, {
          field_values: { [name]: i },
          merge: true,
        }),
      ),
    )
    const { data } = await first.ok('GET', `/api/items/${item_id}`)
    expect(data[tag_id].field_values).toEqual(Object.fromEntries(names.map((name, i) => [name, i])))
    const [row] = await queryDatabase(
      { database_url: database.url },
      `select count(*)::int as n from audit_event where event_type = 'tag_values_updated' and item_id = '${item_id}'`,
    )
    expect(row).toEqual({ n: names.length })
  })

  it('a file that comes to one is read at the other, while a third sweeps what nobody wants', async () => {
    const blobs = () =>
      readdirSync(files, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length
    const before = blobs()
    const upload = async (client: Client, body: string) =>
      JSON.parse((await client.exchange('POST', '/api/files?name=shared.txt', { body })).text)
        .file_id as string
    const unwanted = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(first, `unwanted ${i}`)))
    const ofThese = unwanted.map((id) => `'${id}'`).join()
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60_000).toISOString()
    await command(
      database.url,
      `update file set unused_since = '${twoDaysAgo}' where file_id in (${ofThese})`,
    )
    // A start sweeps at once; meanwhile the same bytes, and others, come to both.
    const third = startProcess(database.url, { FILES: files })
    const started = third.url()
    const written: [Client, string, string][] = []
    for (let round = 0; round < 20; round++)
      written.push(
        ...(await Promise.all(
          both().map(async (client, i): Promise<[Client, string, string]> => {
            const body = round % 2 ? `unwanted ${round}` : `new ${round}`
            return [both()[1 - i]!, await upload(client, body), body]
          }),
        )),
      )
    await started
    await expect
      .poll(async () => (await first.get(`/api/files/${unwanted[0]}`)).status, { timeout: 30_000 })
      .toBe(404)
    for (const [client, file_id, body] of written)
      expect((await client.get(`/api/files/${file_id}`)).body).toBe(body)
    await third[Symbol.asyncDispose]()
    // The same bytes once, whichever process they came to: twenty of these, and none that nobody wants.
    await expect.poll(blobs).toBe(before + 20)
  })

  it('ids go forward, whichever process makes them', async () => {
    const ids: string[] = []
    for (let i = 0; i < 20; i++)
      ids.push((await both()[i % 2]!.ok('POST', '/api/items', { name: `in turn ${i}` })).item_id)
    expect(ids).toEqual(ids.toSorted())
    const rows = await Promise.all(
      Array.from({ length: 60 }, (_, i) => both()[i % 2]!.ok('POST', '/api/items', { name: `at once ${i}` })),
    )
    expect(new Set(rows.map(({ item_id }) => item_id)).size).toBe(60)
    const stored = await queryDatabase({ database_url: database.url }, 'select item_id from item order by id')
    const inOrder = stored.map(({ item_id }) => item_id as string)
    expect(inOrder).toEqual(inOrder.toSorted())
  })

  it('a change of a tag in one is seen by searches in the other at once', async () => {
    const { tag_id } = await first.ok('POST', '/api/tags', { name: 'Told', fields: { old: 'String' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { old: 'x' } }]
    await first.ok('POST', '/api/items', { name: 'told', tags })
    const find = (client: Client, filter: object) => client.ok('POST', '/api/items/search', { filter })
    expect(await find(second, { 'Told.old': 'x' })).toHaveLength(1)
    await first.ok('PUT', `/api/tags/${tag_id}`, { name: 'Retold' })
    expect(await find(second, { 'Retold.old': 'x' })).toMatchObject([
      { tags: { [tag_id]: { tag_name: 'Retold' } } },
    ])
    await second.ok('PUT', `/api/tags/${tag_id}`, { fields: { old: 'String', fresh: 'Number' } })
    expect(
      await find(first, { and: [{ has_tag: 'Retold' }, { 'Retold.fresh': { is_null: true } }] }),
    ).toHaveLength(1)
    await second.ok('DELETE', `/api/tags/${tag_id}`)
    const gone = await first.post('/api/items/search', { filter: { has_tag: 'Retold' } })
    expect(gone.body).toMatchObject({ message: expect.stringContaining('not found') })
  })

  it('a regular expression is matched in both', async () => {
    await first.ok('POST', '/api/items', { name: 'pattern-123' })
    for (const client of both())
      expect(
        await client.ok('POST', '/api/items/search', { filter: { name: { regex: '^pattern-\\d{3}$' } } }),
      ).toHaveLength(1)
  })

  it('a session ended in one is ended in the other, and so are its streams', async () => {
    const user = await newUser(first.url)
    const there = at(second.url, user)
    const stream = await openStream(there)
    await user.ok('POST', '/api/auth/logout')
    expect((await there.get('/api/auth/me')).status).toBe(401)
    const begun = Date.now()
    expect(await stream.next()).toBeUndefined()
    expect(Date.now() - begun).toBeLessThan(5000) // not only at the next heartbeat
  })

  it('an MCP message may come in at another process than its stream', async () => {
    const stream = await openStream(first)
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
    const pong = { jsonrpc: '2.0', id: 7, result: {} }
    expect(await postMessage(second, ping, stream.path)).toEqual({ status: 200, body: pong })
    expect(await stream.next()).toEqual(pong)
    await postMessage(second, ping)
    expect(await stream.next()).toEqual(pong)
    const long = 'x'.repeat(100_000)
    const created = await postMessage(
      second,
      {
        jsonrpc: '2.0',
        id: 8,
        method: 'tools/call',
        params: { name: 'add_item', arguments: { name: 'by MCP', description: long } },
      },
      stream.path,
    )
    expect(created.body.result.isError).toBeUndefined()
    expect(await stream.next()).toEqual(created.body)
    stream.leave()
  })

  it('a stream of somebody else is as unknown at another process as a closed one', async () => {
    const stream = await openStream(first)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const stranger = at(second.url, await newUser(first.url))
    expect((await postMessage(stranger, ping, stream.path)).status).toBe(404)
    stream.leave()
    await expect
      .poll(async () => (await postMessage(second, ping, stream.path)).status, { timeout: 5000 })
      .toBe(404)
  })
})

it('many processes may start at once on an empty database', { timeout: START_TIMEOUT }, async () => {
  const database = await postgresDatabase()
  const name = new URL(database.url).pathname.slice(1)
  await command(database.url, `alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  const processes = Array.from({ length: runs(5, 10) }, () => startProcess(database.url))
  try {
    const urls = await Promise.all(processes.map((each) => each.url()))
    const answers = await Promise.all(urls.map(async (url) => (await fetch(`${url}/api/ready`)).status))
    expect(answers).toEqual(urls.map(() => 200))
  } finally {
    await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
    await database.drop()
  }
})
