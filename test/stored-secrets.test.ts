import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { facet } from '#test/support/facet-command.ts'
import { SealedBase } from '#test/support/sealed-base.ts'
import { startService, type Service } from '#test/support/service.ts'

/** Every byte of the database, its log and its backups; not the key. */
const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('facet.db'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')

describe('the files of a database', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('hold neither a password nor a session token nor a TOTP secret', async () => {
    const password = 'a very secret password'
    const client = await service.user('ada@example.org', password)
    await client.post('/api/auth/login', { email: password, password })
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    const stored = bytesIn(service.folder)
    expect(stored).toContain('ada@example.org')
    expect(stored).not.toContain(password)
    expect(stored).not.toContain(client.cookies.get('__Host-session'))
    expect(stored).not.toContain(secret)
  })

  it('hold nothing of an item that was purged and redacted', async () => {
    const client = await service.user()
    const marks = ['Whispered-name', 'muttered-description', 'murmured-value', 'renamed-whisper']
    const [name, description, word, renamed] = marks as [string, string, string, string]
    const file_name = 'sighed-file'
    marks.push(file_name)
    const uploaded = await client.exchange('POST', `/api/files?name=${file_name}`, { body: 'x' })
    const { file_id } = JSON.parse(uploaded.text)
    const { item_id } = await client.ok('POST', '/api/items', {
      name,
      description,
      tags: [
        {
          tag_ref: { New: { name: 'Word', fields: { word: 'String', files: 'File' } } },
          field_values: { word, files: [{ file_id }] },
        },
      ],
    })
    await client.ok('PUT', `/api/items/${item_id}`, { name: renamed })
    await client.ok('DELETE', `/api/items/${item_id}`)
    for (const mark of marks) expect(bytesIn(service.folder)).toContain(mark)
    await client.ok('POST', '/api/items/purge', { item_ids: [item_id] })
    const redacted = await facet(service.database_url, 'audit', 'redact', '--item', item_id)
    expect(redacted).toMatchObject({ code: 0 })
    // What the write-ahead log had goes when it is written back, as a stop does.
    const file = new Database(join(service.folder, 'facet.db'))
    file.pragma('wal_checkpoint(TRUNCATE)')
    file.close()
    for (const mark of marks) expect(bytesIn(service.folder)).not.toContain(mark)
  })

  it('have the key beside them, in a file of its owner alone', () => {
    const key = join(service.folder, 'facet.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(readFileSync(key, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
    expect(bytesIn(service.folder)).not.toContain(readFileSync(key, 'utf8').trim())
  })
})

describe('the key file', () => {
  const base = new SealedBase()
  const key = join(base.folder, 'facet.key')
  afterAll(() => base.close())
  let secret: string

  it('is kept from one start to the next', async () => {
    secret = (await base.serve('', (service) => base.enrol(service, 'ada@example.org'))).secret
    const before = readFileSync(key, 'utf8')
    await base.serve('', async (service) => {
      expect(await base.signIn(service, 'ada@example.org', { secret })).toMatchObject({ status: 200 })
    })
    expect(readFileSync(key, 'utf8')).toBe(before)
  })

  it('leaves no byte of a secret that an older version kept as it was', async () => {
    await base.query(`update totp set secret = '${secret}'`)
    expect(bytesIn(base.folder)).toContain(secret)
    await base.serve('', async () => expect(bytesIn(base.folder)).not.toContain(secret))
  })

  it('goes on opening what it sealed when SECRET_KEY comes, and may go then', async () => {
    const SECRET_KEY = 'c'.repeat(64)
    const signIn = (service: Service) => base.signIn(service, 'ada@example.org', { secret })
    await base.serve(SECRET_KEY, async (service) =>
      expect(await signIn(service)).toMatchObject({ status: 200 }),
    )
    renameSync(key, `${key}.aside`)
    await base.serve(SECRET_KEY, async (service) =>
      expect(await signIn(service)).toMatchObject({ status: 200 }),
    )
    await base.serve('', async (service) => expect(await signIn(service)).toMatchObject({ status: 503 }))
  })

  it('that holds no key keeps the service from starting, in a sentence', async () => {
    writeFileSync(key, 'nothing\n')
    const start = base.serve('', async () => {})
    await expect(start).rejects.toBeInstanceOf(ServiceError)
    await expect(start).rejects.toThrow(`The key file ${key} cannot be used`)
  })

  it('that cannot be read is to be made readable: another key would open nothing', async () => {
    rmSync(key)
    mkdirSync(key)
    await expect(base.serve('', async () => {})).rejects.toMatchObject({
      message: `The key file ${key} cannot be used: EISDIR`,
      suggestion: 'Make it a file that the user that runs Facet can read',
    })
    rmSync(key, { recursive: true })
  })
})
