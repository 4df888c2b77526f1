import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('the database holds neither a password nor a session token', async () => {
  const password = 'a very secret password'
  const client = await service.user('ada@example.org', password)
  await client.post('/api/auth/login', { email: password, password })
  const files = readdirSync(service.folder).filter((name) => name.startsWith('facet.db'))
  const stored = files.map((name) => readFileSync(`${service.folder}/${name}`, 'latin1')).join('')
  expect(stored).toContain('ada@example.org')
  expect(stored).not.toContain(password)
  expect(stored).not.toContain(client.cookies.get('__Host-session'))
})
