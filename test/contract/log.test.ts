import { afterEach, expect, it, vi } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { startService } from '#test/support/service.ts'

afterEach(() => vi.restoreAllMocks())

it('the log names the account and the address of a sign-in, and the address alone of one that failed', async () => {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    text += String(piece)
    return true
  })
  const service = await startService({ env: { LOG_LEVEL: 'info' } })
  const ada = await service.user('ada@example.org')
  const { user_id } = await ada.ok('GET', '/api/auth/me')
  await ada.ok('GET', '/api/tags')
  const login = (password: string) =>
    service.client().post('/api/auth/login', { email: 'ada@example.org', password })
  await login('correct horse')
  await login('wrong password')
  const { key } = await ada.ok('POST', '/api/keys', { name: 'leaked', scope: 'read' })
  expect((await ada.fetch(`/api/keys/${key}`, { method: 'DELETE' })).status).toBe(404)
  await service.close()
  const lines = text
    .split('\n')
    .filter((line) => line.includes('"answered"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const of = (path: string) => lines.filter((line) => line.path === path)
  expect(of('/api/auth/login')).toMatchObject([
    { status: 200, user_id, address: '127.0.0.1' },
    { status: 401, address: '127.0.0.1' },
  ])
  expect(of('/api/auth/login')[1]).not.toHaveProperty('user_id')
  expect(text).not.toContain(key)
  expect(of(`/api/keys/${key.slice(0, 12)}…`)).toMatchObject([{ method: 'DELETE', status: 404 }])
  expect(of('/api/tags')[0]).not.toHaveProperty('address')
  expect(text).not.toMatch(/correct horse|wrong password|ada@example/)
})

it('a request keeps the id that it came with, in its answer and in the log; another gets one', async () => {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    text += String(piece)
    return true
  })
  const service = await startService({ env: { LOG_LEVEL: 'info' } })
  const ask = async (id?: string, path = '/api/health') => {
    const headers = id === undefined ? {} : { 'x-request-id': id }
    return (await service.client().get(path, headers)).headers.get('x-request-id')!
  }
  const longest = `Trace-1.${'a'.repeat(120)}`
  expect(await ask(longest)).toBe(longest)
  expect(await ask('gone_1', '/api/nothing')).toBe('gone_1')
  const made = await ask()
  const others = [await ask(`${longest}a`), await ask('with blank'), await ask('a,b'), await ask()]
  for (const id of [made, ...others]) expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(new Set([made, ...others]).size).toBe(5)
  await service.close()
  for (const id of [longest, 'gone_1', made, ...others]) expect(text).toContain(`"reqId":"${id}"`)
})

it('URLs that send or fetch a file stand in no log, whether they still do or not', async () => {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    text += String(piece)
    return true
  })
  const service = await startService({ env: { LOG_LEVEL: 'trace' } })
  const user = await service.user()
  const { upload_url, file_id } = await user.ok('POST', '/api/files/prepare', { name: 'a.txt' })
  const use = (url: string, init?: RequestInit) =>
    fetch(service.url + url.slice(new URL(url).origin.length), init).then(({ status }) => status)
  const put = { method: 'PUT', body: 'x' }
  expect([await use(upload_url, put), await use(upload_url, put)]).toEqual([200, 404])
  const { download_url } = await user.ok('POST', `/api/files/${file_id}/open`)
  expect(await use(download_url)).toBe(200)
  await service.close()
  expect(text).toContain('/api/file-urls')
  for (const url of [upload_url, download_url])
    expect(text).not.toContain(new URL(url).searchParams.get('token')!)
})

const STARTS = { 'npm start': ['scripts/start.js'], 'facet start': ['scripts/facet.js', 'start'] }
for (const [name, words] of Object.entries(STARTS)) {
  it(`${name} serves where its log finds no room`, { skip: process.platform !== 'linux' }, async () => {
    await using service = new ServiceProcess({
      command: ['sh', '-c', 'exec "$0" "$@" 2>/dev/full', process.execPath, ...words],
    })
    const client = new Client(await service.url())
    await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
    for (let i = 0; i < 3; i++) await client.ok('POST', '/api/items', { name: 'kept' })
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it(`${name} goes on when whoever reads its log has ended`, async () => {
    await using service = new ServiceProcess({ command: [process.execPath, ...words] })
    const client = new Client(await service.url())
    await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
    service.child.stderr!.destroy()
    service.child.stdout!.destroy()
    for (let i = 0; i < 3; i++) await client.ok('POST', '/api/items', { name: 'kept' })
    expect(service.child.exitCode).toBeNull()
  })
}
