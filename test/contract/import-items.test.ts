import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const count = async () =>
  (await client.ok('POST', '/api/items/search', { filter: { has_tag: 'Person' } })).length

it('facet import-items makes items of a file beside the service, and meets them by a key', async () => {
  const path = join(service.folder, 'people.csv')
  writeFileSync(path, 'Name,Email,Born\nAda,a@x.org,1815-12-10\nBob,b@x.org,1990-01-02\n')
  const words = ['import-items', path, '--tag', 'Person', '--key', 'Email']
  const dry = await facet(service.database_url, ...words, '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('2 items would be made') })
  expect((await client.post('/api/items/search', { filter: { has_tag: 'Person' } })).body).toMatchObject({
    error: 'BadRequest',
  })

  expect(await facet(service.database_url, ...words)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 items were made'),
  })
  expect(await count()).toBe(2)
  const again = await facet(service.database_url, ...words, '--json')
  expect(JSON.parse(again.out)).toMatchObject({ created: 0, unchanged: 2 })

  writeFileSync(path, 'Name,Email,Born\nCleo,c@x.org,soon\nDan,d@x.org,2001-01-01\n')
  const faulty = await facet(service.database_url, ...words)
  expect(faulty.code).not.toBe(0)
  expect(faulty.err).toContain('line 2')
  expect(await count()).toBe(2)
}, 60_000)
