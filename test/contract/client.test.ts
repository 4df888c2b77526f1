import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  BEGINNING,
  type ClientOptions,
  Conflict,
  facet,
  type Facet,
  FacetError,
  type FileBytes,
  NotFound,
  PreconditionFailed,
  RateLimited,
} from '#client/index.ts'
import { installClient, oldestNode, readmeProgram } from '#test/support/client-package.ts'
import { type Service, startService } from '#test/support/service.ts'
import { startTcpProxy, type TcpProxy, type Verdict } from '#test/support/tcp-proxy.ts'

const run = promisify(execFile)
const KEYS = ['read', 'write'] as const

/** A service, and a key of its owner. */
async function keyed(env: Record<string, string> = {}) {
  const service = await startService({ env })
  const owner = await service.user()
  const key = async (scope: (typeof KEYS)[number]) =>
    (await owner.ok('POST', '/api/keys', { name: 'client', scope })) as { key: string; key_id: string }
  return { service, owner, newKey: key, ...(await key('write')) }
}

describe('the client', () => {
  let service: Service
  let proxy: TcpProxy
  let key: string
  let owner: Awaited<ReturnType<Service['user']>>
  let newKey: Awaited<ReturnType<typeof keyed>>['newKey']
  let base: Facet
  beforeAll(async () => {
    ;({ service, key, owner, newKey } = await keyed())
    proxy = await startTcpProxy(service.url)
    base = facet({ url: service.url, key })
  })
  afterAll(async () => {
    await proxy.close()
    await service.close()
  })
  const through = (more: object = {}) => facet({ url: proxy.through(service.url), key, ...more })
  /** What becomes of the first requests to a path; how many came in all. */
  function judge(start: string, ...verdicts: Verdict[]) {
    const counted = { requests: 0 }
    proxy.judge = (chunk) =>
      chunk.toString('latin1').startsWith(start) ? (verdicts[counted.requests++] ?? 'pass') : 'pass'
    return counted
  }
  const named = async (name: string) => (await base.searchItems({ filter: { name } })).length

  it('has a method for each operation, but for what a browser follows and the transports of MCP', async () => {
    const { paths } = (await base.getOpenApi()) as unknown as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.entries(paths)
      .filter(([path]) => !/^\/api\/(mcp|auth\/oauth|swagger-ui)/.test(path))
      .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
    expect(ids.length).toBeGreaterThan(100)
    const methods = base as unknown as Record<string, unknown>
    expect(ids.filter((id) => typeof methods[id] !== 'function')).toEqual([])
  })

  it('takes path, query and body as one input, and answers what the headers say with it', async () => {
    const { tag_id } = await base.createTag({ name: 'Plant', fields: { height: 'Number' } })
    const { item_id } = await base.createItem({ name: 'Fern', tags: [base.tag('Plant', { height: 1 })] })
    await base.updateTagValues({ item_id, tag_id, field_values: { height: 2 } })
    const item = await base.getItem({ item_id, expand: true })
    expect([base.values(item, 'Plant'), item.references, base.values(item, 'Other')]).toEqual([
      { height: 2 },
      {},
      undefined,
    ])
    const found = await base.call('searchItems', { filter: { 'Plant.height': 2 }, count: true, limit: 1 })
    expect(found).toMatchObject({ data: [{ item_id }], total: 1, next: undefined })
    expect((await base.listItems({ limit: 1, fields: ['name', 'item_id'] }))[0]).toEqual({
      name: 'Fern',
      item_id,
    })
    const { change_id } = await base.call('deleteItem', { item_id })
    expect((await base.undoChanges({ change_ids: [change_id!] })).affected_item_ids).toEqual([item_id])
    await expect(base.call('noSuch' as 'getMe')).rejects.toThrow(TypeError)
  })

  it('takes items out as a file', async () => {
    const { item_id } = await base.createItem({ name: 'To take out' })
    const file = await base.exportItems({ format: 'csv', filter: { id: item_id } })
    expect(await new Response(file).text()).toContain(`${item_id},To take out`)
    await expect(base.exportItems({ format: 'xml' as 'csv' })).rejects.toMatchObject({ status: 400 })
  })

  it('uploads files and downloads them', async () => {
    const text = 'Read the prelude twice'
    const bytes = new TextEncoder().encode(text)
    for (const given of [text, bytes, bytes.buffer, new Blob([bytes]), new Blob([bytes]).stream()]) {
      const file = await base.uploadFile({ name: 'a & b.txt', bytes: given })
      expect(file).toMatchObject({ name: 'a & b.txt', size: bytes.length, type: 'text/plain' })
      expect(await new Response(await base.downloadFile({ file_id: file.file_id })).text()).toBe(text)
    }
    await expect(base.uploadFile({ name: ' ', bytes })).rejects.toMatchObject({ status: 400 })
    await expect(base.downloadFile({ file_id: 'none' })).rejects.toThrow(NotFound)
  })

  it('says what is wrong with a stream that it is to upload', async () => {
    const upload = (bytes: ReadableStream<Uint8Array>) => base.uploadFile({ name: 'a.txt', bytes })
    let pieces = 3
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (!pieces--) throw new Error('the disk is gone')
        controller.enqueue(new Uint8Array(100_000))
      },
    })
    await expect(upload(broken)).rejects.toThrow('the disk is gone')
    const used = new Blob(['once']).stream()
    expect(await upload(used)).toMatchObject({ size: 4 })
    await expect(upload(used)).rejects.toThrow("'bytes' is a stream that has been read")
    const read = new Blob(['']).stream()
    const reader = read.getReader()
    await reader.read()
    reader.releaseLock()
    await expect(upload(read)).rejects.toBeInstanceOf(TypeError)
    const cancelled = vi.fn<(reason: unknown) => void>()
    const endless = new ReadableStream<Uint8Array>({ cancel: cancelled })
    const signal = AbortSignal.timeout(100)
    await expect(base.uploadFile({ name: 'a.txt', bytes: endless }, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(cancelled).toHaveBeenCalledOnce()
  })

  it('uploads no stream where the platform would send its name', async () => {
    // As browsers do that know no streams as bodies.
    class Textual extends Request {
      constructor(url: string, words: RequestInit) {
        super(url, { ...words, body: '[object ReadableStream]' })
      }
    }
    vi.stubGlobal('Request', Textual)
    try {
      const bytes = new Blob(['text']).stream()
      await expect(base.uploadFile({ name: 'a.txt', bytes })).rejects.toThrow('give a Blob')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('uploads and downloads by URLs of one use, and gets the faulty rows of an import', async () => {
    const tokenOf = (url: string) => new URL(url).searchParams.get('token')!
    const { file_id, upload_url } = await base.prepareUpload({ name: 'people.csv' })
    const bytes = 'Name,Born\nAda,soon\n'
    expect(await base.uploadByUrl({ token: tokenOf(upload_url), bytes })).toMatchObject({ file_id })
    const { download_url } = await base.getFile({ file_id })
    const file = await base.downloadByUrl({ token: tokenOf(download_url) })
    expect(await new Response(file).text()).toBe(bytes)
    const { import_id } = await base.createImport({ file_id })
    const columns = { Born: { field: 'born', type: 'Date' as const } }
    const tables = [{ name: 'people', tag: { new: { name: 'Born Once' } }, columns }]
    await base.mapImport({ import_id, tables })
    expect(await new Response(await base.listImportFaults({ import_id })).text()).toContain('Ada,soon,2')
  })

  it.each(['', '.', '..', undefined])('sends nothing where the id is %j', async (session_id) => {
    await expect(base.deleteSession({ session_id: session_id! })).rejects.toThrow("'session_id' is missing")
  })

  it.each<[call: string, send: (client: Facet) => Promise<unknown>, message: string]>([
    ['uploadFile', (c) => c.uploadFile({ name: 'x', content: 'y' } as never), "'bytes' is missing, or none"],
    ['uploadFile', (c) => c.uploadFile({ name: 'x', bytes: null as never }), "'bytes' is missing, or none"],
    ['uploadFile', (c) => c.uploadFile({ name: 'x', bytes: { a: 1 } as never }), 'expected a Blob'],
    ['uploadFile', (c) => c.uploadFile({ bytes: 'y' } as never), "'name' is missing, or no text"],
    ['uploadFile', (c) => c.uploadFile(undefined as never), "'name' is missing, or no text"],
    ['uploadByUrl', (c) => c.uploadByUrl({ bytes: 'y' } as never), "'token' is missing, or no text"],
    ['uploadByUrl', (c) => c.uploadByUrl({ token: 'x' } as never), "'bytes' is missing, or none"],
    ['downloadByUrl', (c) => c.downloadByUrl({} as never), "'token' is missing, or no text"],
    ['getItem', (c) => c.getItem({ item_id: {} as never }), "'item_id' is no text"],
    ['createItem', (c) => c.createItem({ name: 'x', idempotency_key: {} as never }), 'is no text'],
  ])('%s sends nothing where its input is not what it takes', async (call, send, message) => {
    let sent = 0
    const counted = ((...words: Parameters<typeof fetch>) => {
      sent++
      return fetch(...words)
    }) as typeof fetch
    const failed = send(facet({ url: service.url, key, fetch: counted }))
    await expect(failed).rejects.toThrow(TypeError)
    await expect(failed).rejects.toThrow(`${call}: `)
    await expect(failed).rejects.toThrow(message)
    expect(sent).toBe(0)
  })

  it.each<[kind: string, bytes: () => FileBytes]>([
    ['Blob', () => new Blob(['abc'])],
    ['ArrayBuffer', () => new TextEncoder().encode('abc').buffer],
    ['Uint8Array', () => new TextEncoder().encode('abc')],
    ['Buffer', () => Buffer.from('abc')],
    ['text', () => 'abc'],
    ['ReadableStream', () => new Blob(['abc']).stream()],
  ])('uploads a %s', async (kind, bytes) => {
    expect(await base.uploadFile({ name: kind, bytes: bytes() })).toMatchObject({ name: kind, size: 3 })
  })

  it('goes through a list page by page, and through the log either way', async () => {
    for (const n of [1, 2, 3, 4, 5]) await base.createItem({ name: `page ${n}` })
    const filter = { name: { starts_with: 'page' } }
    const names: string[] = []
    for await (const { name } of base.pages('searchItems', { filter, limit: 2 })) names.push(name)
    expect(names).toEqual(['page 1', 'page 2', 'page 3', 'page 4', 'page 5'])
    const log = async (input: object) => {
      const ids: string[] = []
      for await (const { event_id } of base.pages('searchAuditLog', { limit: 3, ...input }))
        ids.push(event_id)
      return ids
    }
    const oldestFirst = await log({ after_event: BEGINNING })
    expect(oldestFirst.length).toBeGreaterThan(6)
    expect(await log({})).toEqual(oldestFirst.toReversed())
    for (const after_event of [undefined, null])
      expect(await log({ after_event })).toEqual(oldestFirst.toReversed())
    await expect(base.pages('getMe' as 'listTags').next()).rejects.toThrow('no list that comes in pages')
  })

  it('reads by pages too where the limit is undefined', async () => {
    await base.bulkCreate({ items: Array.from({ length: 201 }, (_, i) => ({ name: `many ${i}` })) })
    let requests = 0
    const counted = ((...words: Parameters<typeof fetch>) => {
      requests++
      return fetch(...words)
    }) as typeof fetch
    const filter = { name: { starts_with: 'many' } }
    const input = { filter, limit: undefined as unknown as number }
    let items = 0
    for await (const _ of facet({ url: service.url, key, fetch: counted }).pages('searchItems', input))
      items++
    expect([items, requests]).toEqual([201, 2])
  })

  it.each([NaN, Infinity, -Infinity])('sends no %d, which JSON would make null of', async (n) => {
    const fields = { n: 'Number' } as const
    await base.createTag({ name: `Measured ${n}`, fields })
    const tags = [base.tag(`Measured ${n}`, { n })]
    await expect(base.createItem({ name: 'x', tags })).rejects.toThrow(
      `'n' is ${n}, which is no number of JSON`,
    )
  })

  it.each([
    ['a Date that is none', { at: new Date(NaN) }, "'at' is a Date that is none"],
    ['undefined in a list', { among: ['a', undefined] }, "'1' is undefined, which no list of JSON holds"],
  ])('sends no %s, which JSON would make null of', async (_, values, message) => {
    const { tag_id } = await base.createTag({
      name: message,
      fields: { at: 'DateTime', among: { type: 'MultiSelect', variants: ['a'] } },
    })
    const before = { at: '2026-01-31T09:30:00.000Z', among: ['a'] }
    const { item_id } = await base.createItem({ name: 'dated', tags: [base.tag(message, before)] })
    // As a program without types calls it.
    const write = (field_values: object) =>
      base.updateTagValues({ item_id, tag_id, field_values: field_values as Record<string, never> })
    const writing = write(values)
    await expect(writing).rejects.toThrow(message)
    await expect(writing).rejects.toBeInstanceOf(TypeError)
    expect(base.values(await base.getItem({ item_id }), message)).toEqual(before)
    await write({ at: new Date(0), among: undefined })
    expect(base.values(await base.getItem({ item_id }), message)).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
    })
  })

  it('throws what was refused, by its kind', async () => {
    const { item_id } = await base.createItem({ name: 'one' })
    const { updated_at } = await base.getItem({ item_id })
    await base.updateItem({ item_id, name: 'two' })
    const failed = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      )
    const absent = await failed(base.getItem({ item_id: BEGINNING }))
    expect(absent).toBeInstanceOf(NotFound)
    expect(absent).toBeInstanceOf(FacetError)
    expect(absent).toMatchObject({ status: 404, error: 'NotFound', details: {}, name: 'NotFound' })
    const moved = await failed(base.updateItem({ item_id, name: 'three', if_updated_at: updated_at }))
    expect(moved).toBeInstanceOf(PreconditionFailed)
    expect((moved as FacetError).details['current']).toMatchObject({ name: 'two' })
    const { tag_id } = await base.createTag({ name: 'Twice', fields: {} })
    expect(await failed(base.createTag({ name: 'Twice', fields: {} }))).toBeInstanceOf(Conflict)
    const { updated_at: state } = await base.getTag({ tag_id })
    await base.updateTag({ tag_id, description: 'x', if_updated_at: state })
    expect(await failed(base.deleteTag({ tag_id, if_updated_at: state }))).toBeInstanceOf(PreconditionFailed)
    expect(await failed(base.createItem({ name: '' }))).toMatchObject({
      status: 400,
      details: { errors: [{ path: 'name' }] },
    })
    expect(await failed(facet({ url: service.url, key: 'facet_wrong' }).listItems())).toMatchObject({
      status: 401,
    })
    const { url } = await startTcpProxy('http://127.0.0.1:1').then(async (closed) => {
      await closed.close()
      return { url: closed.through('http://127.0.0.1:1') }
    })
    const gone = await failed(facet({ url, key, retries: 1 }).getMe())
    expect(gone).toMatchObject({ status: 0, error: 'Unreachable' })
    expect((gone as FacetError).cause).toBeDefined()
  })

  it('says what is wrong with an address or a key before it sends anything', () => {
    for (const options of [
      { url: 'nowhere' },
      { url: 'ftp://x' },
      { url: 'http://a:b@x' },
      { url: 'http://x', key: 'a b' },
      { url: 'http://x', key: 5 },
      { url: 'http://x', fetch: 5 },
    ])
      expect(() => facet(options as ClientOptions)).toThrow(TypeError)
    for (const retries of [-1, NaN, '4', null])
      expect(() => facet({ url: 'http://x', retries } as ClientOptions)).toThrow(
        'retries: expected a number from 0 on',
      )
  })

  it('sends a change again whose answer was lost, which is carried out once', async () => {
    const sent = judge('POST /api/items ', 'pass', 'cut')
    let answers = 0
    const losing = (async (...words: Parameters<typeof fetch>) => {
      const response = await fetch(...words)
      if (answers++) return response
      await response.arrayBuffer()
      throw new TypeError('lost on the way')
    }) as typeof fetch
    const { data, replayed } = await through({ fetch: losing }).call('createItem', { name: 'once' })
    expect([sent.requests, replayed, await named('once')]).toEqual([3, true, 1])
    expect((await base.getItem(data)).name).toBe('once')
  })

  it('sends a read again, a change without a key of its own never, and nothing at all with retries: 0', async () => {
    const reads = judge('POST /api/items/search', 'cut', 'pass then cut')
    await through().searchItems({ filter: { name: 'x' } })
    expect(reads.requests).toBe(3)
    const views = judge('POST /api/views', 'pass then cut')
    const view = { name: 'lost', filter: { name: 'x' } }
    await expect(through().createView(view)).rejects.toMatchObject({ status: 0 })
    expect(views.requests).toBe(1)
    const items = judge('POST /api/items ', 'cut')
    await expect(through({ retries: 0 }).createItem({ name: 'none' })).rejects.toMatchObject({ status: 0 })
    expect([items.requests, await named('none')]).toEqual([1, 0])
  })

  it('takes a key that the caller gives', async () => {
    const input = { name: 'by key', idempotency_key: 'mine' }
    const { item_id } = await base.createItem(input)
    expect(await base.call('createItem', input)).toMatchObject({ data: { item_id }, replayed: true })
    await expect(base.createItem({ ...input, name: 'other' })).rejects.toMatchObject({ status: 422 })
    const sent = judge('POST /api/items ')
    const wrong = through().createItem({ name: 'by key', idempotency_key: '✓' })
    await expect(wrong).rejects.toThrow("'idempotency_key' takes 1 to 255 printable ASCII characters")
    expect(sent.requests).toBe(0)
  })

  it('waits as long as Retry-After says, if it has so much time, and ends when it is aborted', async () => {
    let refused = 1
    const asked: number[] = []
    const limited = (seconds: string) =>
      ((...words: Parameters<typeof fetch>) => {
        asked.push(Date.now())
        if (refused-- > 0)
          return Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': seconds } }))
        return fetch(...words)
      }) as typeof fetch
    await facet({ url: service.url, key, fetch: limited('1') }).createView({
      name: 'later',
      filter: { name: 'x' },
    })
    expect(asked).toHaveLength(2)
    expect(asked[1]! - asked[0]!).toBeGreaterThan(950)
    refused = 9
    const late = facet({ url: service.url, key, fetch: limited('61') }).getMe()
    await expect(late).rejects.toBeInstanceOf(RateLimited)
    await expect(late).rejects.toMatchObject({ retry_after: 61 })
    const stop = new AbortController()
    const stopped = facet({ url: service.url, key, fetch: limited('30') }).getMe({}, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 20)
    await expect(stopped).rejects.toThrow('enough')
    await expect(base.getMe({}, { signal: stop.signal })).rejects.toThrow('enough')
  })

  it.each([2 ** 31, 1e12, Infinity])(
    'waits for an answer up to %d ms, which no timer takes',
    async (timeout) => {
      const { email } = await base.getMe()
      expect(await facet({ url: service.url, key, timeout, retries: 0 }).getMe()).toMatchObject({ email })
      const away = () =>
        Promise.resolve(
          new Response('{}', { status: 503, headers: { 'retry-after': String(timeout / 1000) } }),
        )
      let asked = 0
      const counted = (() => {
        asked++
        return away()
      }) as typeof fetch
      const patient = facet({ url: service.url, key, fetch: counted, max_wait: Infinity })
      const stop = AbortSignal.timeout(100)
      await expect(patient.getMe({}, { signal: stop })).rejects.toMatchObject({ name: 'TimeoutError' })
      if (Number.isFinite(timeout)) expect(asked).toBe(1)
    },
  )

  it('reads a refusal in words of its kind by others, without details', async () => {
    const body = JSON.stringify({ error: 'Unauthorized', message: 'No', details: null })
    const gateway = (() => Promise.resolve(new Response(body, { status: 401 }))) as typeof fetch
    await expect(facet({ url: service.url, fetch: gateway }).getMe()).rejects.toMatchObject({
      status: 401,
      message: 'No',
      details: {},
    })
  })

  it('gives up what takes too long, and what is no Facet', async () => {
    judge('GET /api/auth/me', 'lose')
    const slow = through({ timeout: 200, retries: 0 }).getMe()
    await expect(slow).rejects.toMatchObject({ status: 0, cause: { message: 'no answer within 200 ms' } })
    const page = (() => Promise.resolve(new Response('<html>'))) as typeof fetch
    await expect(facet({ url: service.url, fetch: page }).getMe()).rejects.toMatchObject({ error: 'Unknown' })
    const elsewhere = (() => Promise.resolve(Response.redirect('https://x.example/', 301))) as typeof fetch
    await expect(facet({ url: service.url, fetch: elsewhere }).getMe()).rejects.toThrow(
      'to https://x.example/',
    )
  })

  it(
    'follows changes over lost connections, each once, in order, until the key ends',
    { timeout: 60_000 },
    async () => {
      proxy.judge = () => 'pass'
      const { key: other, key_id } = await newKey('read')
      const changes = through({ key: other }).changes({ event_types: ['item_created'] })
      const seen: string[] = []
      const made: string[] = []
      const first = changes.next().then(({ value }) => seen.push(value!.item_id!))
      // It begins with what happens once the first connection is there.
      while (!seen.length) {
        made.push((await base.createItem({ name: 'change' })).item_id)
        await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 300))])
      }
      made.splice(0, made.indexOf(seen[0]!))
      for (let cut = 0; cut < 3; cut++) {
        proxy.cutAll()
        made.push((await base.createItem({ name: 'change' })).item_id)
        while (seen.length < made.length) seen.push((await changes.next()).value!.item_id!)
      }
      expect(seen).toEqual(made)
      await owner.ok('DELETE', `/api/keys/${key_id}`)
      await expect(changes.next()).rejects.toMatchObject({ status: 401 })
    },
  )

  it(
    'follows a filter and a view over lost connections: what enters, changes and leaves, to its end',
    { timeout: 60_000 },
    async () => {
      proxy.judge = () => 'pass'
      await base.createTag({ name: 'Live', fields: { open: 'Boolean' } })
      const filter = { 'Live.open': true }
      const { view_id } = await base.createView({ name: 'Live', filter })
      const { event_id } = await base.call('searchItems', { filter })
      const byFilter = through().live({ filter, after: event_id!, fields: ['name'] })
      const byView = through().live({ view_id })
      const first = byView.next()
      await new Promise((resolve) => setTimeout(resolve, 500))
      const { item_id } = await base.createItem({ name: 'One', tags: [base.tag('Live', { open: true })] })
      const entered = (await byFilter.next()).value!
      expect(entered).toMatchObject({ type: 'enter', item: { name: 'One' }, id: expect.any(String) })
      expect((await first).value).toMatchObject({ type: 'enter', item: { item_id } })
      proxy.cutAll()
      await base.updateItem({ item_id, name: 'Two' })
      for (const stream of [byFilter, byView])
        expect((await stream.next()).value).toMatchObject({ type: 'change', item: { name: 'Two' } })
      proxy.cutAll()
      const { change_id } = await base.call('deleteItem', { item_id })
      for (const stream of [byFilter, byView])
        expect((await stream.next()).value).toMatchObject({ type: 'leave', item_id, change_id })
      await byFilter.return(undefined)
      await base.deleteView({ view_id })
      expect((await byView.next()).value).toMatchObject({ type: 'end', view_id, reason: 'deleted' })
      expect(await byView.next()).toEqual({ value: undefined, done: true })
      await expect(base.live({ filter: { 'No.such': 1 } }).next()).rejects.toMatchObject({ status: 400 })
    },
  )

  it('proposes, and waits for the decision', async () => {
    const { item_id } = await base.createItem({ name: 'As it is' })
    const operations = [{ operation: 'updateItem', input: { item_id, name: 'As proposed' } }]
    const { proposal_id, state } = await base.propose(operations, { message: 'Why' })
    expect([state, (await base.getItem({ item_id })).name]).toEqual(['open', 'As it is'])
    const decided = base.decision(proposal_id!, { every: 20 })
    await owner.ok('POST', `/api/proposals/${proposal_id}/accept`, {})
    expect(await decided).toMatchObject({ state: 'accepted', message: 'Why' })
    expect((await base.getItem({ item_id })).name).toBe('As proposed')
    const stop = AbortSignal.timeout(50)
    const open = await base.propose([{ operation: 'deleteItem', input: { item_id } }])
    await expect(base.decision(open.proposal_id!, { every: 10, signal: stop })).rejects.toThrow(/timeout/i)
    await expect(base.propose([{ operation: 'deleteItem', input: {} }])).rejects.toMatchObject({
      status: 400,
    })
  })

  it('follows the log from its beginning, of one item, until it is stopped', async () => {
    const { item_id } = await base.createItem({ name: 'followed' })
    await base.updateItem({ item_id, name: 'followed on' })
    const stop = new AbortController()
    const types: string[] = []
    const follow = async () => {
      for await (const { event_type } of base.followChanges({
        after: BEGINNING,
        item_ids: [item_id],
        signal: stop.signal,
      })) {
        types.push(event_type)
        if (types.length === 2) stop.abort(new Error('told'))
      }
    }
    await expect(follow()).rejects.toThrow('told')
    expect(types).toEqual(['item_created', 'item_updated'])
    await expect(base.changes({ after: 'x' }).next()).rejects.toMatchObject({ status: 400 })
  })
})

it('one that asks too often is refused by the service itself', async () => {
  const { service, key } = await keyed({ RATE_LIMIT: '3' })
  try {
    const base = facet({ url: service.url, key, max_wait: 10 })
    for (let i = 0; i < 3; i++) await base.getMe()
    const refused = await base.getMe().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RateLimited)
    expect((refused as RateLimited).retry_after).toBeGreaterThan(0)
  } finally {
    await service.close()
  }
})

const { program: node, version } = oldestNode()
it(`the README of the client runs as it is printed, in Node ${version}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-client-'))
  const { service, key } = await keyed()
  try {
    const programs = installClient(folder)
    const { program, prints } = readmeProgram(service.url, key)
    writeFileSync(join(programs, 'readme.js'), program)
    const { stdout, stderr } = await run(node, ['readme.js'], { cwd: programs, timeout: 60_000 })
    expect(prints).toHaveLength(11)
    expect([stdout.trim().split('\n'), stderr]).toEqual([prints, ''])
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
