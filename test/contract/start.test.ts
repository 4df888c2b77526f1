import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const refusal = async (file: string): Promise<string> => {
  await using service = new ServiceProcess({ env: { DATABASE_URL: `file:${file}` } })
  expect(await service.ended).toBe(1)
  return service.stderr
}
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('a start', () => {
  it('that cannot use its file says why in a sentence', async () => {
    const garbage = join(folder, 'garbage.db')
    writeFileSync(garbage, 'no database at all '.repeat(1000))
    const asFolder = join(folder, 'folder.db')
    mkdirSync(asFolder)
    const cases: [file: string, sentence: RegExp][] = [
      [garbage, /^The database \S+garbage\.db is no SQLite database \(SQLITE_NOTADB\)\. Set DATABASE_URL/],
      [join(garbage, 'facet.db'), /^The database \S+ cannot be reached: a part of its path is no folder/],
      [asFolder, /^The database \S+folder\.db is a folder\. Set DATABASE_URL to a file/],
    ]
    for (const [file, sentence] of cases) {
      const said = await refusal(file)
      expect(said).toMatch(sentence)
      expect(said).not.toContain('    at ')
    }
  })

  it('names HOST where that is no name of this machine', async () => {
    await using service = new ServiceProcess({ env: { HOST: 'nonsense.invalid' } })
    expect(await service.ended).toBe(1)
    expect(service.stderr).toMatch(/^nonsense\.invalid is no name of this machine: set HOST\b.*\n$/)
  })

  it('whose FILES is no folder says so, and makes no base', async () => {
    const file = join(folder, 'files-here')
    writeFileSync(file, '')
    for (const FILES of [file, join(file, 'deeper')]) {
      await using service = new ServiceProcess({ env: { FILES } })
      expect(await service.ended).toBe(1)
      expect(service.stderr).toMatch(
        /not valid:\n  FILES: \S+files-here is no folder\. Set FILES to a folder\n$/,
      )
      expect(readdirSync(service.folder)).toEqual([])
    }
  })

  it('without FILES serves where no file can be kept, warns, and refuses files with a sentence', async () => {
    const data = join(folder, 'no-files')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(join(data, 'files'), '')
    await using service = new ServiceProcess({
      env: {
        DATABASE_URL: `file:${join(data, 'facet.db')}`,
        BACKUP_TO: join(data, 'files/copies'),
        LOG_LEVEL: 'warn',
      },
    })
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    expect(service.stderr).toMatch(/No file can be kept: \S+files is no folder/)
    expect(service.stderr).toMatch(/No copy of the base can be made: \S+files is no folder\. Set BACKUP_TO/)
    const { status, text } = await user.exchange('POST', '/api/files?name=x', { body: 'x' })
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { message: 'No file can be kept: the place of files (FILES) cannot be written' },
    ])
    expect(text).not.toContain(data)
    rmSync(join(data, 'files'))
    const { file_id } = JSON.parse((await user.exchange('POST', '/api/files?name=x', { body: 'x' })).text)
    rmSync(join(data, 'files'), { recursive: true })
    writeFileSync(join(data, 'files'), '')
    const read = await user.get(`/api/files/${file_id}`)
    expect([read.status, read.body.message]).toEqual([503, expect.stringContaining('cannot be read')])
  })

  it('leaves what it makes to its own user, also what was there before', async () => {
    const data = join(folder, 'open')
    mkdirSync(data, { mode: 0o755 })
    writeFileSync(join(data, 'facet.db'), '', { mode: 0o644 })
    chmodSync(data, 0o755)
    await using service = new ServiceProcess({ env: { DATABASE_URL: `file:${join(data, 'facet.db')}` } })
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    expect(mode(data)).toBe('700')
    const modes = readdirSync(data).map((name) => [name, mode(join(data, name))])
    expect(modes).toContainEqual(['facet.db-wal', '600'])
    expect(modes.filter(([, each]) => each !== '600')).toEqual([['files', '700']])
  })

  it('takes a file that has two names for one', async () => {
    const data = join(folder, 'named')
    mkdirSync(data)
    await using service = new ServiceProcess({ env: { DATABASE_URL: `file:${join(data, 'facet.db')}` } })
    await service.url()
    symlinkSync('facet.db', join(data, 'link.db'))
    expect(await refusal(join(data, 'link.db'))).toMatch(/is in use by another Facet process/)
    linkSync(join(data, 'facet.db'), join(data, 'hard.db'))
    expect(await refusal(join(data, 'hard.db'))).toMatch(/hard\.db has 2 names \(hard links\)/)
  })

  it('warns of what will not work as it is meant', async () => {
    await using service = new ServiceProcess({
      env: { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.0.2.2:3000', LOG_LEVEL: 'warn', REGISTRATON: 'closed' },
    })
    const url = await service.url()
    expect(service.stdout).toContain('and at every other address of this machine')
    expect(service.stderr).toContain(
      'REGISTRATON is no setting, and has no effect. Did you mean REGISTRATION?',
    )
    expect(service.stderr).toContain('browsers do not keep the session cookie over http')
    expect(service.stderr).toContain('REGISTRATION is open: everybody who reaches http://192.0.2.2:3000')
    for (let i = 0; i < 3; i++)
      await fetch(`${url}/api/health`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    await expect.poll(() => service.stderr.split('TRUST_PROXY is off').length - 1).toBe(1)
  })

  it('warns of a clock that is behind what the database knows', async () => {
    const env = { DATABASE_URL: `file:${join(folder, 'clock', 'facet.db')}`, LOG_LEVEL: 'warn' }
    const ahead = 'data:text/javascript,const now=Date.now;Date.now=()=>now()%2B400*864e5'
    {
      await using service = new ServiceProcess({
        env,
        command: [process.execPath, '--import', ahead, 'scripts/start.js'],
      })
      const user = new Client(await service.url())
      await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
      await user.ok('POST', '/api/items', { name: 'of the future' })
    }
    await using service = new ServiceProcess({ env })
    await service.url()
    expect(service.stderr).toMatch(
      /The clock of this machine says .*, but the newest entry of the database is of /,
    )
  })
})
