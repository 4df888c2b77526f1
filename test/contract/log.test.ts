import { afterEach, expect, it, vi } from 'vitest'
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
  expect(of('/api/tags')[0]).not.toHaveProperty('address')
  expect(text).not.toMatch(/correct horse|wrong password|ada@example/)
})
