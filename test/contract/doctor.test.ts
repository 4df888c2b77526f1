import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startFacet } from '#test/support/facet-command.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TEST_ENGINE, testDatabase } from '#test/support/test-database.ts'

interface Finding {
  check: string
  state: string
  says: string
  do: string | null
}

const CHECKS = [
  'address',
  'metrics',
  'cookies',
  'TLS',
  'proxy',
  'database',
  'disk',
  'files',
  'secrets',
  'clock',
  'sign-in',
  'providers',
  'model',
  'backups',
  'version',
]
const folder = mkdtempSync(join(tmpdir(), 'facet-doctor-'))
/** Answers as no Facet does; and refuses every key. */
let other: Server
let other_port: number
beforeAll(async () => {
  other = createServer((_, answer) => answer.writeHead(401).end('{}'))
  await new Promise<void>((listens) => other.listen(0, '127.0.0.1', () => listens()))
  other_port = (other.address() as AddressInfo).port
})
afterAll(() => {
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

async function doctor(database: string, settings: Record<string, string> = {}) {
  const { out, err, code } = await startFacet(database, ['doctor', '--json'], settings).done
  const findings: Finding[] = JSON.parse(out)
  const of = (check: string) => findings.find((each) => each.check === check)
  return { findings, of, err, code }
}

describe('npm run facet -- doctor', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { METRICS_PORT: '0' } })
    await (await service.user()).ok('POST', '/api/items', { name: 'One' })
  })
  afterAll(() => service.close())

  it('looks at every part of a setup, and finds a good one good', async () => {
    const PORT = new URL(service.url).port
    const METRICS_PORT = new URL(service.metrics_url!).port
    const settings = { HOST: '127.0.0.1', PORT, METRICS_PORT, BACKUP_TO: folder }
    const { findings, of, err, code } = await doctor(service.database_url, settings)
    expect({ err, code }).toEqual({ err: '', code: 0 })
    expect(findings.map(({ check }) => check)).toEqual(CHECKS)
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([])
    for (const check of ['address', 'metrics']) expect(of(check)!.says).toContain('Facet answers')
    expect(of('database')!.says).toContain('1 item,')
    for (const { state, do: what } of findings) expect(what === null).toBe(state === 'ok')
  })

  it.runIf(TEST_ENGINE === 'sqlite')(
    'says of a folder in place of the file that it is one, as commands do',
    async () => {
      const { of, code } = await doctor(`file:${folder}`)
      expect({ code, found: of('database') }).toMatchObject({
        code: 1,
        found: {
          state: 'fail',
          says: `The database ${folder} is a folder`,
          do: 'Set DATABASE_URL to a file',
        },
      })
      const { err } = await startFacet(`file:${folder}`, ['user', 'list']).done
      expect(err).toBe(`The database ${folder} is a folder\nSet DATABASE_URL to a file\n`)
    },
  )

  it('names what is wrong and what to do, and ends with 1', async () => {
    const { of, code } = await doctor(service.database_url, {
      PORT: String(other_port),
      METRICS_PORT: new URL(service.metrics_url!).port,
      PUBLIC_URL: 'http://facet.example.org',
      IDP_A_ISSUER: `http://127.0.0.1:${other_port}`,
      IDP_A_CLIENT_ID: 'x',
      IDP_A_CLIENT_SECRET: 'y',
      LLM_PROVIDER: 'openai-compatible',
      LLM_BASE_URL: `http://127.0.0.1:${other_port}/v1`,
      LLM_MODEL: 'x',
      LLM_API_KEY: 'z',
      BACKUP_TOO: folder,
    })
    expect(code).toBe(1)
    expect(of('settings')).toMatchObject({ state: 'warn', says: expect.stringContaining('mean BACKUP_TO?') })
    expect(of('address')).toMatchObject({ state: 'fail', says: expect.stringContaining('in use by another') })
    // Of a Facet that is not the one of these settings.
    expect(of('metrics')).toMatchObject({
      state: 'fail',
      says: expect.stringMatching(/^Metrics cannot be served on 127\.0\.0\.1:\d+ \(EADDRINUSE\)$/),
      do: 'Set another METRICS_PORT or METRICS_HOST',
    })
    expect(of('cookies')).toMatchObject({ state: 'fail', do: expect.stringContaining('HTTPS') })
    expect(of('TLS')).toMatchObject({ state: 'warn', says: expect.stringContaining('others are served') })
    expect(of('providers')).toMatchObject({ state: 'fail', says: expect.stringContaining('answers 401') })
    expect(of('model')).toMatchObject({ state: 'fail', says: expect.stringContaining('refuses the key') })
    expect(of('backups')).toMatchObject({ state: 'warn', do: expect.stringContaining('BACKUP_TO') })
  })

  it('refuses a base that is newer than the program, as every command does', async () => {
    const database = await testDatabase(mkdtempSync(join(folder, 'newer-')))
    try {
      const later = "insert into schema_migration values ('9001-later', '2026-01-01') returning name"
      await queryDatabase({ database_url: database.url }, later)
      const says = /^The database is of a newer version: this one does not know its migration 9001-later/
      const { of, code } = await doctor(database.url)
      expect({ code, found: of('database') }).toMatchObject({
        code: 1,
        found: { state: 'fail', says: expect.stringMatching(says) },
      })
      const listed = await startFacet(database.url, ['user', 'list']).done
      expect(listed).toMatchObject({ code: 1, out: '', err: expect.stringMatching(says) })
      const started = await startFacet(database.url, ['start'], { PORT: '0' }).done
      expect(started).toMatchObject({ code: 1, err: expect.stringMatching(says) })
    } finally {
      await database.drop()
    }
  })

  it('refuses a base whose import was interrupted, as every command does', async () => {
    const database = await testDatabase(mkdtempSync(join(folder, 'half-')))
    try {
      await queryDatabase(
        { database_url: database.url },
        "insert into import_state (lines, sha256) values (3, 'x')",
      )
      const { of, code } = await doctor(database.url)
      const found = of('database')!
      expect({ code, found }).toMatchObject({
        code: 1,
        found: { state: 'fail', says: 'An import into this database is not finished' },
      })
      expect(found.do).toContain('it goes on where it was interrupted')
      const words = `${found.says}\n${found.do}\n`
      expect(await startFacet(database.url, ['user', 'list']).done).toEqual({ code: 1, out: '', err: words })
      expect((await startFacet(database.url, ['start'], { PORT: '0' }).done).err).toContain(found.says)
    } finally {
      await database.drop()
    }
  })

  it('fails where nobody could sign in, with a base and before there is one', async () => {
    const OFF = { PASSWORDS: 'off' }
    for (const database of [service.database_url, `file:${join(folder, 'to-be', 'facet.db')}`]) {
      const { of, code } = await doctor(database, OFF)
      expect({ code, found: of('sign-in') }).toMatchObject({
        code: 1,
        found: { state: 'fail', says: expect.stringContaining('nobody could sign in') },
      })
    }
    const { of } = await doctor(service.database_url)
    expect(of('sign-in')).toMatchObject({ state: 'ok', says: 'By passwords, passkeys' })
  })

  it('names HOST where this machine has no such address', async () => {
    const { of, code } = await doctor(service.database_url, { HOST: '192.0.2.1', PORT: '3000' })
    const [says, what] = ['192.0.2.1 is no address of this machine', 'Set HOST']
    expect({ code, found: of('address') }).toMatchObject({
      code: 1,
      found: { state: 'fail', says, do: what },
    })
  })

  it('fails where FILES leads to a place that has not the files of the base', async () => {
    const user = await service.user()
    expect((await user.exchange('POST', '/api/files?name=kept.txt', { body: 'kept' })).status).toBe(200)
    const FILES = mkdtempSync(join(folder, 'files-'))
    const { of, code } = await doctor(service.database_url, { FILES })
    expect({ code, found: of('files') }).toMatchObject({
      code: 1,
      found: {
        state: 'fail',
        says: `The newest file of the base is not in ${FILES}`,
        do: expect.stringContaining('Set FILES'),
      },
    })
    expect(
      (await doctor(service.database_url, { FILES: join(service.folder, 'files') })).of('files'),
    ).toMatchObject({
      state: 'ok',
    })
  })

  it('fails where no copy can be written to the folder of BACKUP_TO', async () => {
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    const { of } = await doctor(service.database_url, { BACKUP_TO: join(file, 'copies') })
    expect(of('backups')).toMatchObject({
      state: 'fail',
      says: `${file} is no folder`,
      do: 'Set BACKUP_TO to a folder',
    })
  })

  it('warns of a newest copy whose time has not come', async () => {
    const database = await testDatabase(mkdtempSync(join(folder, 'ahead-')))
    try {
      const made_at = new Date(Date.now() + 86_400_000).toISOString()
      const made = JSON.stringify({ made_at, name: 'facet-ahead.db', bytes: 1, items: 0 })
      const state = `insert into backup_state (id, made) values (1, '${made}')`
      await queryDatabase({ database_url: database.url }, state)
      const { of } = await doctor(database.url, { BACKUP_TO: folder })
      expect(of('backups')).toMatchObject({
        state: 'warn',
        says: expect.stringContaining(`of ${made_at}, and this machine says `),
        do: expect.stringContaining('NTP'),
      })
    } finally {
      await database.drop()
    }
  })

  it('warns of a newest copy that is not where BACKUP_TO leads', async () => {
    const database = await testDatabase(mkdtempSync(join(folder, 'elsewhere-')))
    const [copies, unmounted] = [join(folder, 'copies'), join(folder, 'unmounted')]
    try {
      expect(await startFacet(database.url, ['backup'], { BACKUP_TO: copies }).done).toMatchObject({
        code: 0,
      })
      const [name] = readdirSync(copies)
      const there = await doctor(database.url, { BACKUP_TO: copies })
      expect(there.of('backups')).toMatchObject({ state: 'ok' })
      mkdirSync(unmounted)
      for (const to of [unmounted, join(unmounted, 'not-made')])
        expect((await doctor(database.url, { BACKUP_TO: to })).of('backups')).toMatchObject({
          state: 'warn',
          says: expect.stringMatching(
            new RegExp(`^The newest copy is ${name} of .*, and it is not in ${to}$`),
          ),
          do: expect.stringContaining('mounted'),
        })
    } finally {
      await database.drop()
    }
  })

  it('warns of a copy that is missing by the plan, however old the newest is', async () => {
    const database = await testDatabase(mkdtempSync(join(folder, 'plan-')))
    try {
      const day = 86_400_000
      const at = (ago: number) => new Date(Date.now() - ago).toISOString()
      const insert = (ago: number) =>
        `insert into backup_state (id, made) values (1, '${JSON.stringify({ made_at: at(ago), name: 'x', bytes: 1, items: 0 })}')`
      writeFileSync(join(folder, 'x'), '')
      await queryDatabase({ database_url: database.url }, insert(4 * day))
      const state = async (plan: string) =>
        (await doctor(database.url, { BACKUP_TO: folder, BACKUP_AT: plan })).of('backups')!.state
      expect(await state('0 3 * * *')).toBe('warn')
      // Three weeks ago it was due, and in a week it is again.
      const date = Math.min(new Date(Date.now() + 8 * day).getUTCDate(), 28)
      expect(await state(`0 3 ${date} * *`)).toBe('ok')
      await queryDatabase({ database_url: database.url }, 'delete from backup_state')
      await queryDatabase({ database_url: database.url }, insert(2 * day))
      expect(await state('0 3 * * *')).toBe('warn')
    } finally {
      await database.drop()
    }
  })

  it('makes nothing where there is no base yet', async () => {
    const file = join(folder, 'none', 'facet.db')
    const { of, code } = await doctor(`file:${file}`)
    expect(of('database')).toMatchObject({ state: 'warn', says: expect.stringContaining('no base at') })
    expect({ code, made: existsSync(join(folder, 'none')) }).toEqual({ code: 0, made: false })
  })

  it('fails where a start refuses to make a base', async () => {
    const lone = join(mkdtempSync(join(folder, 'lone-')), 'facet.db')
    writeFileSync(`${lone}-wal`, 'what was written last')
    const { of, code } = await doctor(`file:${lone}`)
    expect({ code, found: of('database') }).toMatchObject({
      code: 1,
      found: {
        state: 'fail',
        says: `${lone}-wal holds what was written last to a base that is not there any more`,
      },
    })
    const started = await startFacet(`file:${lone}`, ['start'], { PORT: '0' }).done
    expect(started.err).toContain(of('database')!.says)

    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const below = await doctor(`file:${join(file, 'facet.db')}`)
    expect(below.of('database')).toMatchObject({
      state: 'fail',
      says: expect.stringContaining('a part of its path is no folder (ENOTDIR)'),
    })
  })

  it('says which setting cannot be read', async () => {
    const { findings, code } = await doctor(service.database_url, { PORT: 'eighty' })
    expect(code).toBe(1)
    expect(findings[0]).toMatchObject({ check: 'settings', says: expect.stringContaining('PORT') })
  })

  if (TEST_ENGINE === 'sqlite')
    it('finds a base that others on the machine may read', async () => {
      const file = service.database_url.slice('file:'.length)
      chmodSync(file, 0o644)
      const { of, code } = await doctor(service.database_url)
      chmodSync(file, 0o600)
      expect({ code, found: of('files') }).toMatchObject({ code: 1, found: { do: `chmod 600 ${file}` } })
    })
})
