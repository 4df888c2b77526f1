import { existsSync, readdirSync, rmSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { type Service, startService } from '#test/support/service.ts'
import { postgresDatabase, TEST_ENGINE } from '#test/support/test-database.ts'

const TIMEOUT = 120_000
const SETTLED = { timeout: 40_000, interval: 50 }
const PASSWORD = 'correct horse battery'
const SETUP = { env: { BACKUP_AT: '0 3 * * *' } }

let folder: string
let to: string
let service: Service
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-backups-'))
  to = join(folder, 'copies')
  service = await startService({ env: { ...SETUP.env, BACKUP_TO: to } })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const copies = (of = to) =>
  readdirSync(of).filter((name) => /^facet-[0-9a-f]{12}-.*Z\.(?:db|jsonl)$/.test(name))
const last = (client: Client) =>
  vi.waitUntil(async () => {
    const found = await client.ok('GET', '/api/backups')
    return found.running ? null : found.last
  }, SETTLED)

const run = (database: string, ...words: string[]) =>
  runFacet(database, words, { BACKUP_TO: to, BACKUP_KEEP: '1d' })

describe('copies of the base', { timeout: TIMEOUT }, () => {
  it('are made at the start where one was missed, and when an owner asks; nothing else is touched', async () => {
    const owner = await service.user('ada@example.org', PASSWORD)
    const first = await last(owner)
    expect(copies()).toEqual([first.name])
    expect(statSync(join(to, first.name)).mode & 0o777).toBe(0o600)
    const strange = ['notes.db', 'facet-2026.db', first.name.replace(/^facet-..../, 'facet-ffff')]
    for (const name of strange) writeFileSync(join(to, name), 'mine')
    symlinkSync(join(to, 'notes.db'), join(to, first.name.replace(/\d{8}T/, '20010101T')))
    const asked = await owner.ok('POST', '/api/backups', {})
    expect(asked).toMatchObject({ running: true, to, keep: { days: 7, weeks: 4, months: 12 } })
    const second = await vi.waitUntil(async () => {
      const found = await last(owner)
      return found.name !== first.name && found
    }, SETTLED)
    expect(readdirSync(to)).toHaveLength(3 + 2) // the first is of the same day
    expect(copies()).toContain(second.name)
    for (const name of strange) expect(statSync(join(to, name)).size).toBe(4)
    expect(await owner.ok('GET', '/api/backups')).toMatchObject({
      failed: null,
      next_at: expect.stringMatching(/T03:00:00/),
    })
  })

  it('are for owners, and closed to keys', async () => {
    const owner = await service.user('ada@example.org', PASSWORD)
    const reader = await service.user('eve@example.org', PASSWORD)
    for (const method of ['GET', 'POST'] as const)
      expect((await reader.send(method, '/api/backups', method === 'POST' ? {} : undefined)).status).toBe(403)
    const { key } = await owner.ok('POST', '/api/keys', { name: 'k', scope: 'write' })
    const answer = await fetch(`${service.url}/api/backups`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(403)
  })

  it('come back into an empty base alone, with all but what was open', async () => {
    const owner = await service.user('ada@example.org', PASSWORD)
    await last(owner)
    await owner.ok('POST', '/api/tags', { name: 'Book', fields: { pages: 'Number' } })
    for (const name of ['Emma', 'Ulysses'])
      await owner.ok('POST', '/api/items', {
        name,
        tags: [{ tag_ref: { Existing: 'Book' }, field_values: { pages: 7 } }],
      })
    await owner.ok('POST', '/api/keys', { name: 'nightly', scope: 'read' })
    await owner.ok('POST', '/api/invitations', { role: 'owner' })
    const url = 'https://example.org/told'
    const { webhook_id } = await owner.ok('POST', '/api/webhooks', { url, event_types: ['tag_deleted'] })
    const before = await owner.ok('POST', '/api/items/search', {})
    const head = await owner.ok('GET', '/api/audit-log/head')
    const made = await run(service.database_url, 'backup', '--json')
    expect(made).toMatchObject({ code: 0, err: '' })
    const { file } = JSON.parse(made.out)
    expect(copies()).toHaveLength(1)
    expect(await run(service.database_url, 'restore', file)).toMatchObject({ code: 1 })

    const checked = await run(service.database_url, 'restore', file, '--check', '--json')
    expect(JSON.parse(checked.out)).toMatchObject({
      head: head.hash,
      counts: { item: 2, tag: 1, account: 1, api_key: 1, audit_event: head.count },
    })

    const other =
      TEST_ENGINE === 'postgres'
        ? await postgresDatabase()
        : { url: `file:${join(folder, 'other/facet.db')}`, async drop() {} }
    const restored = await run(other.url, 'restore', file)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toMatch(/account {2}ada@example\.org {2}owner/)
    expect(restored.out).toMatch(/key .*nightly, read, of ada@example\.org/)
    expect(restored.out).toContain(`  webhook  ${url}, disabled\nWebhooks send nothing from here until`)
    const again = await startService({ env: { DATABASE_URL: other.url } })
    try {
      const client = again.client()
      await client.ok('POST', '/api/auth/login', { email: 'ada@example.org', password: PASSWORD })
      const hook = await client.ok('GET', `/api/webhooks/${webhook_id}`)
      expect(hook).toMatchObject({ url, enabled: false, disabled_reason: expect.stringMatching(/enable it/) })
      expect(await client.ok('POST', '/api/items/search', {})).toEqual(before)
      expect(await client.ok('GET', '/api/audit-log/head')).toEqual(head)
      expect(await client.ok('GET', '/api/auth/sessions')).toHaveLength(1)
      expect(await client.ok('GET', '/api/invitations')).toEqual([])
    } finally {
      await again.close()
      await other.drop()
    }
  })

  it.runIf(existsSync('/proc/self'))('say that their folder cannot be made', async () => {
    const made = await runFacet(service.database_url, ['backup'], { BACKUP_TO: '/proc/facet/copies' })
    expect(made).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The folder \/proc\/facet\/copies for copies cannot be made: ENOENT/),
    })
  })

  it('are made by the plan where the clock was ahead when the last was, and the right ones stay', async () => {
    const clock = new TestClock()
    const env = { ...SETUP.env, BACKUP_TO: join(folder, 'ahead'), BACKUP_KEEP: '1d' }
    const other = await startService({ env, clock: clock.now })
    try {
      const owner = await other.user('ada@example.org', PASSWORD)
      const ahead = await last(owner)
      clock.move({ days: -40 })
      const right = await vi.waitUntil(async () => {
        const found = await last(owner)
        return found.name !== ahead.name && found
      }, SETTLED)
      expect(right.made_at).toBe(clock.date.toISOString())
      clock.move({ days: 1 })
      await owner.ok('POST', '/api/backups', {})
      const next = await vi.waitUntil(async () => {
        const found = await last(owner)
        return found.name !== right.name && found
      }, SETTLED)
      expect(copies(env.BACKUP_TO)).toEqual([next.name, ahead.name])
    } finally {
      await other.close()
    }
  })

  it('are made by one process of several, and not again where none was missed', async () => {
    const owner = await service.user('ada@example.org', PASSWORD)
    await last(owner)
    const begun = copies()
    const url = TEST_ENGINE === 'postgres' ? service.database_url : undefined
    const others = await Promise.all(
      Array.from({ length: url ? 2 : 0 }, () =>
        startService({ env: { DATABASE_URL: url!, BACKUP_TO: to, BACKUP_AT: '0 3 * * *' } }),
      ),
    )
    await new Promise((resume) => setTimeout(resume, 1500))
    expect(copies()).toEqual(begun)
    await Promise.all(others.map((each) => each.close()))
  })
})
