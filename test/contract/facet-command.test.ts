import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '#test/support/authenticator.ts'
import { runFacet, startFacet } from '#test/support/facet-command.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import { VERSION } from '#src/domain/version.ts'
import { Archive } from '#src/imports/zip/archive.ts'
import { totpCode } from '#test/support/totp-codes.ts'

const COMMAND = fileURLToPath(new URL('../../scripts/facet.js', import.meta.url))
const PASSWORD = 'correct horse'
/** A user who owns nothing. */
const NOBODY = 65_534

describe('npm run facet -- user', () => {
  let service: Service
  let seq = 0
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const facet = (words: string[], { database = service.database_url } = {}) => runFacet(database, words)
  /** In a process of its own, as npm starts one. */
  const typed = async (words: string[], input: string) => {
    const env = { ...process.env, DATABASE_URL: service.database_url }
    const child = spawn(process.execPath, [COMMAND, ...words], { env, stdio: 'pipe' })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.stdin.end(input)
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
    return { out, err, code }
  }
  const json = async (...words: string[]) => JSON.parse((await facet([...words, '--json'])).out)
  const newUser = async () => {
    const email = `operator-${++seq}@example.org`
    return { email, client: await service.user(email, PASSWORD) }
  }
  const login = (email: string, password: string) =>
    service.client().post('/api/auth/login', { email, password })

  it('lists the accounts, for people and for programs', async () => {
    const { email, client } = await newUser()
    await client.ok('PUT', '/api/auth/profile', { display_name: 'Ada \u001b[31mRed' })
    const { out, code } = await facet(['user', 'list'])
    expect(code).toBe(0)
    const [head, ...lines] = out.trimEnd().split('\n')
    expect(head).toMatch(/^user_id +e-mail +name +role +signs in by +sessions +since$/)
    expect(lines.join('\n')).toMatch(
      new RegExp(`${email} +Ada .\\[31mRed +(?:owner|editor) +password +1 +\\d{4}-`),
    )
    expect(out).not.toContain('\u001b')
    const listed = (await json('user', 'list')).find((each: { email: string }) => each.email === email)
    const me = await client.ok('GET', '/api/auth/me')
    expect(listed).toEqual({ ...me, sessions: 1, disabled: false })
  })

  it('ends quietly where nobody reads what it says any more', async () => {
    for (const words of [['export'], ['export-items'], ['user', 'list']]) {
      const env = { ...process.env, DATABASE_URL: service.database_url }
      const child = spawn(process.execPath, [COMMAND, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      child.stdout.destroy()
      const exited = new Promise((resolve) => child.once('exit', resolve))
      expect({ words, err: await text(child.stderr), code: await exited }).toEqual({
        words,
        err: '',
        code: 0,
      })
    }
  })

  it('resets a password, ends the sessions and lifts the refusals of a running service', async () => {
    const { email, client } = await newUser()
    for (let i = 0; i < 10; i++) await login(email, 'wrong password')
    expect((await login(email, PASSWORD)).status).toBe(429)
    const { password, ended_sessions } = await json('user', 'reset-password', email.toUpperCase())
    expect(ended_sessions).toBe(1)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await login(email, PASSWORD)).status).toBe(401)
    expect((await login(email, password)).status).toBe(200)
  })

  it('reads the new password from standard input', async () => {
    const { email } = await newUser()
    const { out, code } = await typed(
      ['user', 'reset-password', email, '--password-stdin'],
      'a password of mine\n',
    )
    expect(code).toBe(0)
    expect(out).toBe(`New password of ${email}; 1 session ended\n`)
    expect((await login(email, 'a password of mine')).status).toBe(200)
    const short = await typed(['user', 'reset-password', email, '--password-stdin'], 'short\n')
    expect(short).toMatchObject({ code: 2, err: 'A password has 8 to 1024 characters\n' })
  })

  it('takes a lost second factor away', async () => {
    const { email, client } = await newUser()
    const { user_id } = await client.ok('GET', '/api/auth/me')
    const { secret } = await client.ok('POST', '/api/auth/2fa/totp/setup')
    await client.ok('POST', '/api/auth/2fa/totp/confirm', { code: totpCode(secret, Date.now()) })
    const { publicKey } = await client.ok('POST', '/api/auth/passkey/register/begin')
    const device = new Authenticator({ origin: service.url.replace('127.0.0.1', 'localhost') })
    const credential = device.create(publicKey)
    await client.ok('POST', '/api/auth/passkey/register/complete', { name: 'Key', credential })
    expect((await login(email, PASSWORD)).body).toEqual({ needs_2fa: true })

    expect(await json('user', 'remove-totp', user_id)).toMatchObject({ email, removed: 1 })
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await login(email, PASSWORD)).body).toMatchObject({ has_totp: false, has_passkey: true })
    expect((await facet(['user', 'remove-passkeys', email])).out).toBe(
      `1 passkey removed from ${email}; 1 session ended\n`,
    )
    expect((await login(email, PASSWORD)).body).toMatchObject({ has_passkey: false })
    expect(await json('user', 'unlink', email)).toMatchObject({ email, removed: 0, ended_sessions: 1 })
  })

  it('ends sessions, all or those that began before a time', async () => {
    const { email, client } = await newUser()
    const before = await facet(['user', 'end-sessions', email, '--before', '2020-01-01'])
    expect(before.out).toBe(`0 sessions of ${email} ended\n`)
    expect((await client.get('/api/auth/me')).status).toBe(200)
    expect(await json('user', 'end-sessions', email)).toMatchObject({ email, ended_sessions: 1 })
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  it('throws out who found a session, with all that they made', async () => {
    const { email, client } = await newUser()
    const { key } = await client.ok('POST', '/api/keys', { name: 'k', scope: 'write' })
    const byKey = async () =>
      (await service.client().get('/api/items', { authorization: `Bearer ${key}` })).status
    const app = await registeredApp(service.url)
    const { access_token, refresh_token } = await app.tokens(client, { password: PASSWORD })
    const page = readFileSync(new URL('../../docs/how-to/help-who-is-locked-out.md', import.meta.url), 'utf8')
    const [, recipe = ''] = /## Throw out who found a session\n[^`]*```\n([^`]*)```/.exec(page) ?? []
    const commands = recipe
      .trim()
      .split('\n')
      .map((line) => line.split(' -- ')[1]!.split(' '))
    expect(commands).toHaveLength(5)
    expect(await byKey()).toBe(200)
    for (const words of commands)
      expect(await facet(words.map((each) => each.replace('ada@example.org', email)))).toMatchObject({
        code: 0,
      })
    expect(await byKey()).toBe(401)
    const byApp = { authorization: `Bearer ${access_token}` }
    expect((await service.client().get('/api/items', byApp)).status).toBe(401)
    expect((await app.refresh(refresh_token)).status).toBe(400)
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  it('has ended sessions for the service, which asks all the time, once it says so', async () => {
    for (let i = 0; i < 10; i++) {
      const { email, client } = await newUser()
      const asking = { on: true }
      const asked = (async () => {
        while (asking.on) await client.get('/api/auth/me')
      })()
      await facet(['user', 'end-sessions', email])
      const { status } = await client.get('/api/auth/me')
      asking.on = false
      await asked
      expect(status).toBe(401)
    }
  })

  const mistakes: [words: string[], code: number, err: RegExp][] = [
    [['user', 'remove-totp', 'nobody@example.org'], 1, /user 'nobody@example.org' not found/],
    [['user', 'lst'], 2, /Did you mean 'user list'\?/],
    [['user'], 2, /user needs a command/],
    [['user', 'end-sessions'], 2, /needs an e-mail address or a user id/],
    [['user', 'list', 'x'], 2, /does not take 'x'/],
    [['user', 'end-sessions', 'a@b', '--before', 'tomorrow'], 2, /'tomorrow' is no time/],
    [['user', 'end-sessions', 'a@b', '--before', '2026-02-30'], 2, /'2026-02-30' is no time/],
    [['user', 'end-sessions', 'a@b', '--before', '1.2.2026'], 2, /'1.2.2026' is no time/],
    [['users', 'list'], 2, /Unknown command 'users'/],
    [
      ['user', 'list', '--jsn'],
      2,
      /^Unknown option '--jsn'\n\nnpm run facet -- --help says what there is\n$/,
    ],
    [['exprt'], 2, /^Unknown command 'exprt'\nDid you mean 'export'\?\n$/],
    [['export', '--head', 'x'], 2, /^export does not take --head\nIt takes --json, --accounts, --out\n$/],
    [['start', 'now'], 2, /^start does not take 'now'/],
    [['export', '--json'], 2, /needs --out FILE/],
    [['export-items', '--json'], 2, /needs --out FILE/],
    [
      ['export-items', '--format', 'xml'],
      2,
      /^There is no format 'xml'\n--format is one of csv, jsonl, markdown\n$/,
    ],
    [['export-items', '--filter', '{x'], 2, /^--filter is not valid JSON: line 1, column 2: /],
    [
      ['export-items', '--filter', '{"name": "a", "name": "b"}'],
      2,
      /^name: appears twice in the same object\n$/,
    ],
    [['export-items', '--filter', '{"has_tag": "Nobody"}'], 2, /Nobody/],
    [['export-items', '--fields', 'Nobody.due'], 2, /Nobody/],
    [['export-items', '--view', '01JJXZ5T7GQ3M8K4B9R2C6D0EF'], 1, /^View '01JJXZ5T7GQ3M8K4B9R2C6D0EF' /],
    [['user', 'remove-totp', 'x', 'y'], 2, /does not take 'y'/],
    [['export', '--out', ''], 2, /^--out is empty\n/],
    [['backup', ''], 2, /^An argument is empty\n/],
    [['restore', '', '--check'], 2, /^An argument is empty\n/],
    [['export-items', '--filter', '{}', '--filter', '{}'], 2, /^--filter is given twice\n/],
    [['export-items', '--out', 'a.pdf'], 2, /^No format goes by the name 'a\.pdf'\nIt ends with \.csv, /],
    [['import', '/nope'], 1, /^There is no \/nope\n$/],
    [['import'], 2, /^import needs a file\n/],
    [['export', '--out', '/nope/x.jsonl'], 1, /^There is no \/nope\n$/],
    [['user', 'create'], 2, /^user create needs an e-mail address\n$/],
    [['user', 'list', '--role', 'reader'], 2, /^user list does not take --role\nIt takes --json\n$/],
    [
      ['user', 'end-sessions', 'x', '--role', 'owner'],
      2,
      /does not take --role\nIt takes --json, --before, --everything\n/,
    ],
    [['files', 'verify', '--unused-for', '90d'], 2, /^files verify does not take --unused-for\n/],
    [['template', 'save', 'x', '--user', 'y'], 2, /^template save does not take --user\n/],
    [['audit', 'verify', '--item', 'x'], 2, /^audit verify does not take --item\n/],
    [
      ['key', 'create', '--user', 'x', '--scope', 'all', '--name', 'y'],
      2,
      /^There is no scope 'all'\n--scope is one of read, propose, write\n$/,
    ],
    ...(TEST_ENGINE === 'sqlite'
      ? [[['backup', '/nope/x.db'], 1, /^There is no \/nope\n$/] as [string[], number, RegExp]]
      : []),
  ]
  for (const [words, code, err] of mistakes)
    it(`answers ${code} to ${words.join(' ')}`, async () => {
      const done = await facet(words)
      expect(done).toMatchObject({ code, out: '' })
      expect(done.err).toMatch(err)
    })

  it('ends as a process of its own with the same words and code', async () => {
    for (const words of [
      ['user', 'list', '--json'],
      ['user', 'lst'],
      ['import', '/nope'],
      ['export', '--head', 'x'],
    ])
      expect(await typed(words, ''), words.join(' ')).toEqual(await facet(words))
  })

  it('helps', async () => {
    for (const words of [[], ['--help'], ['help'], ['-h']]) {
      const { out, err, code } = await facet(words)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(/^Usage: npm run facet -- /)
      expect(out).toContain('reset-password WHO')
      expect(out).toContain('Examples:')
    }
    expect(await facet(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it('helps with each command, by examples', async () => {
    for (const name of ['start', 'user', 'export', 'export-items', 'restore', 'audit', 'doctor', 'version']) {
      const { out, err, code } = await facet([name, '--help'])
      expect({ name, code, err }).toEqual({ name, code: 0, err: '' })
      expect(out).toMatch(new RegExp(`^Usage: npm run facet -- ${name}`))
      expect(out).toMatch(new RegExp(`Examples:\n  npm run facet -- ${name}`))
      expect(await facet(['help', name])).toMatchObject({ out })
    }
    expect((await facet(['help', 'exprt'])).code).toBe(2)
  })

  it('says its version, and what an export wrote, as JSON alone', async () => {
    expect(await json('version')).toEqual({ version: VERSION, node: process.versions.node })
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const file = join(folder, 'base.jsonl')
    const told = await json('export', '--out', file)
    const files = { contents: 0, copied: 0, missing: [], damaged: [] }
    expect(told).toEqual({ file, accounts: false, bytes: statSync(file).size, files })
    rmSync(folder, { recursive: true })
  })

  it('exports items: by a filter, a view of anybody, with fields, in each format', async () => {
    const { client } = await newUser()
    await client.ok('POST', '/api/tags', {
      name: 'Errand',
      fields: { due: 'Date' },
    })
    const add = (name: string, due: string) =>
      client.ok('POST', '/api/items', {
        name,
        tags: [{ tag_ref: { Existing: 'Errand' }, field_values: { due } }],
      })
    await add('Bread', '2026-02-01')
    await add('=Milk', '2026-03-01')
    const late = { 'Errand.due': { gte: '2026-03-01' } }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Late', filter: late })
    const filter = JSON.stringify({ has_tag: 'Errand' })
    const rows = async (...words: string[]) => {
      const { out, err, code } = await facet(['export-items', '--fields', 'name, Errand.due', ...words])
      expect([err, code]).toEqual(['', 0])
      return out
        .replaceAll(/^[\dA-Z]{26}(?=,)/gm, 'id')
        .trimEnd()
        .split('\r\n')
    }
    const head = 'item_id,name,description,Errand.due'

    expect(await rows('--filter', filter)).toEqual([head, 'id,Bread,,2026-02-01', "id,'=Milk,,2026-03-01"])
    expect(await rows('--view', view_id)).toEqual([head, "id,'=Milk,,2026-03-01"])
    const sorted = [head, "id,'=Milk,,2026-03-01", 'id,Bread,,2026-02-01']
    expect(await rows('--filter', filter, '--sort=-Errand.due,name')).toEqual(sorted)
    expect(await rows('--sort', '-Errand.due,name', '--filter', filter)).toEqual(sorted)
    const then = ['--as-of', '2020-01-01T00:00:00Z', '--filter', '{"name": "Bread"}']
    expect(await facet(['export-items', ...then])).toMatchObject({
      code: 0,
      out: 'item_id,name,description\r\n',
    })
    expect(await rows('--view', view_id, '--filter', '{"name": {"eq": "Bread"}}')).toEqual([head])
    const [first] = await rows('--filter', filter, '--format', 'jsonl')
    expect(JSON.parse(first!.split('\n')[0]!)).toMatchObject({ name: 'Bread', 'Errand.due': '2026-02-01' })

    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const file = join(folder, 'errands.zip')
    const zip = ['export-items', '--filter', filter, '--out', file]
    expect(await json(...zip)).toEqual({ file, format: 'markdown', bytes: statSync(file).size })
    const archive = await Archive.open({ path: file, name: 'errands.zip', size: statSync(file).size })
    expect([...archive.files.keys()].toSorted()).toEqual(['Errand/=Milk.md', 'Errand/Bread.md', 'facet.json'])
    await archive.close()
    expect(await facet(zip)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('exists already'),
    })
    rmSync(folder, { recursive: true })
  })

  it('says what of a filter can never match, beside the export', async () => {
    const { client } = await newUser()
    const priority = { type: 'Select', variants: ['high', 'low'] }
    await client.ok('POST', '/api/tags', { name: 'Chore', fields: { priority } })
    const { out, err, code } = await facet(['export-items', '--filter', '{"Chore.priority":{"eq":"hugh"}}'])
    expect({ out, code }).toMatchObject({ out: expect.stringMatching(/^item_id,name,/), code: 0 })
    expect(err).toMatch(/^warning: .*hugh.*\n$/)
  })

  const disk = existsSync('/dev/full')
  it('says in a sentence that standard output is full, and ends with 1', { skip: !disk }, async () => {
    for (const words of [['export'], ['export-items'], ['user', 'list']]) {
      const env = { ...process.env, DATABASE_URL: service.database_url }
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [COMMAND, ...words], { env, stdio: ['ignore', full, 'pipe'] })
      closeSync(full)
      const exited = new Promise((resolve) => child.once('exit', resolve))
      expect({ words, err: await text(child.stderr!), code: await exited }).toEqual({
        words,
        err: 'Standard output cannot be written: the disk is full\n',
        code: 1,
      })
    }
  })

  const noRoom = process.platform === 'win32' || TEST_ENGINE !== 'sqlite'
  it('says in a sentence that a disk takes no more, and ends with 1', { skip: noRoom }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const { client } = await newUser()
    await client.ok('POST', '/api/items', { name: 'long', description: `<p>${'x'.repeat(5000)}</p>` })
    const start = 'ulimit -f 1; exec "$0" "$@"'
    for (const [words, said] of [
      [['export', '--out', join(folder, 'base.jsonl')], /^The disk is full: it was not written\n$/],
      [['export-items', '--out', join(folder, 'items.csv')], /^The disk is full: it was not written\n$/],
      [
        ['user', 'create', 'late@example.org'],
        /^The database \S+ cannot be (?:read or )?written: the disk .*\n.*\n$/,
      ],
    ] as const) {
      const env = { ...process.env, DATABASE_URL: service.database_url }
      const child = spawn('sh', ['-c', start, process.execPath, COMMAND, ...words], { env, stdio: 'pipe' })
      const exited = new Promise((resolve) => child.once('exit', resolve))
      const err = await text(child.stderr)
      expect({ words, err, code: await exited }).toEqual({
        words,
        err: expect.stringMatching(said),
        code: 1,
      })
    }
    rmSync(folder, { recursive: true })
  })

  it('says so as well of an import, in its first step and half-way', { skip: noRoom }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const { client } = await newUser()
    const description = `<p>${'x'.repeat(5000)}</p>`
    const items = Array.from({ length: 600 }, (_, i) => ({ name: `long ${i}`, description }))
    await client.ok('POST', '/api/items/bulk', { items })
    const file = join(folder, 'base.jsonl')
    await facet(['export', '--out', file])
    for (const halfKiB of [100, 4000]) {
      const env = { ...process.env, DATABASE_URL: `file:${join(folder, `of-${halfKiB}.db`)}` }
      const start = `ulimit -f ${halfKiB}; exec "$0" "$@"`
      const words = ['-c', start, process.execPath, COMMAND, 'import', file]
      const child = spawn('sh', words, { env, stdio: 'pipe' })
      const exited = new Promise((resolve) => child.once('exit', resolve))
      const err = await text(child.stderr)
      expect({ halfKiB, err, code: await exited }).toEqual({
        halfKiB,
        err: expect.stringMatching(
          / lines\n(?:\d+ of .*\s)*The database \S+ cannot be .*: the disk .*\n.*\n$/,
        ),
        code: 1,
      })
    }
    rmSync(folder, { recursive: true })
  })

  it('goes on where nobody reads how far it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const file = join(folder, 'base.jsonl')
    const env = { ...process.env, DATABASE_URL: service.database_url }
    const child = spawn(process.execPath, [COMMAND, 'export', '--out', file], { env, stdio: 'pipe' })
    child.stderr.destroy()
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(statSync(file).size).toBeGreaterThan(0)
    rmSync(folder, { recursive: true })
  })

  it('ends quietly when the one who reads has read enough, as head does', async () => {
    const child = spawn(process.execPath, [COMMAND, 'export'], {
      env: { ...process.env, DATABASE_URL: service.database_url },
      stdio: 'pipe',
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.stdout.destroy()
    expect(await text(child.stderr)).toBe('')
    expect(await exited).toBe(0)
  })

  it('makes no database where there is none', async () => {
    const done = await facet(['user', 'list'], { database: 'file:./no/such/facet.db' })
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('There is no database at ./no/such') })
  })

  it('names a database that it may not read, and whose command it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const data = join(folder, 'data')
    mkdirSync(data)
    const file = join(data, 'facet.db')
    writeFileSync(file, '')
    chmodSync(folder, 0o755)
    // Root may enter any folder.
    const isRoot = process.getuid?.() === 0
    chmodSync(data, isRoot ? 0o700 : 0)
    const said = `The database ${file} may not be read (EACCES)`
    for (const words of [['user', 'list'], ['export'], ['doctor']]) {
      const started = startFacet(`file:${file}`, words, {}, isRoot ? { uid: NOBODY, gid: NOBODY } : {})
      const { out, err, code } = await started.done
      expect({ words, code }).toEqual({ words, code: 1 })
      expect(out + err).toContain(said)
      expect(out + err).toContain('Run it as the user of the service')
    }
    chmodSync(data, 0o700)
    rmSync(folder, { recursive: true })
  })

  it('says of a file that is none that it is no database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const file = join(folder, 'list.csv')
    writeFileSync(file, 'name,due\nBread,2026-02-01\n')
    const said = `The database ${file} is no SQLite database (SQLITE_NOTADB)\nSet DATABASE_URL to another file, or move this one away\n`
    for (const words of [
      ['user', 'list'],
      ['types'],
      ['export'],
      ['export-items'],
      ['audit', 'verify'],
      ['backup'],
    ])
      expect(await facet(words, { database: `file:${file}` }), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: said,
      })
    rmSync(folder, { recursive: true })
  })

  it('names a folder that is given as a file, and every fault of a file, and ends with 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    const list = join(folder, 'list.csv')
    mkdirSync(list)
    for (const words of [
      ['types', '--check'],
      ['import'],
      ['import-items'],
      ['restore'],
      ['template', 'use'],
    ])
      expect(await facet([...words, list]), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: `${list} is a folder\nName a file\n`,
      })
    const long = join(folder, 'x'.repeat(300))
    expect((await facet(['types', '--check', long])).err).toBe(`${long} is too long a name\n`)
    const circle = join(folder, 'circle')
    symlinkSync(circle, circle)
    expect((await facet(['types', '--check', circle])).err).toBe(
      `${circle} cannot be reached: its links lead in a circle\n`,
    )
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const words of [
      ['import', pipe],
      ['import-items', pipe],
      ['import-items', pipe, '--format', 'csv'],
      ['restore', pipe],
      ['restore', pipe, '--check'],
    ])
      expect(await facet(words), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: `${pipe} is no file\nIt is read more than once: write it to a file, and name that\n`,
      })
    // Its name says no format, which is not what is wrong.
    expect((await facet(['import-items', folder])).err).toBe(`${folder} is a folder\nName a file\n`)
    const holding = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const use = (content: string) => facet(['template', 'use', holding('template.json', content)])
    const empty = await use('{}')
    expect(empty.code).toBe(1)
    expect(empty.err).toMatch(/^template\.format: is required\ntemplate\.\w+: is required\n/)
    expect(empty.err).not.toContain('details.errors')
    expect(empty.err).toContain('is no template: `template save` makes one')
    expect(await use('a\nb')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^\S+ is not valid JSON: line 1, column 1: .*\nMend \S+\n$/),
    })
    expect(await facet(['import-items', holding('half.json', '[{"a":')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('half.json, line 1'),
    })
    rmSync(folder, { recursive: true })
  })

  it('says what is missing in a file without tables', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-'))
    writeFileSync(join(folder, 'empty.db'), '')
    for (const words of [
      ['user', 'list'],
      ['export', '--out', join(folder, 'none')],
    ]) {
      const done = await facet(words, { database: `file:${join(folder, 'empty.db')}` })
      expect(done).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The database has no tables of Facet\n/),
      })
    }
    rmSync(folder, { recursive: true })
  })
})
