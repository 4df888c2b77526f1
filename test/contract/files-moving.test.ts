import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { lookAt, uploaded } from '#test/support/imports.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { startService } from '#test/support/service.ts'
import { testDatabase } from '#test/support/test-database.ts'

/** A busy machine is no fault. */
const TIMEOUT = 120_000
const folder = mkdtempSync(join(tmpdir(), 'facet-files-moving-'))
const drops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Base {
  url: string
  files: string
}
let count = 0
async function newBase(): Promise<Base> {
  const own = mkdtempSync(join(folder, 'base-'))
  const { url, drop } = await testDatabase(own)
  drops.push(drop)
  return { url, files: join(own, 'files') }
}
const facet = ({ url, files }: Base, words: string[], more: Record<string, string> = {}) =>
  runFacet(url, words, { FILES: files, ...more })
const blobsIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.length === 26)
    .map(({ parentPath, name }) => join(parentPath, name))
const serving = async <T>(
  { url, files }: Base,
  use: (start: { url: string }) => Promise<T>,
  clock = Date.now,
): Promise<T> => {
  const service = await startService({ env: { DATABASE_URL: url, FILES: files }, clock })
  try {
    return await use(service)
  } finally {
    await service.close()
  }
}

const LONG_AGO = () => Date.now() - 100 * 24 * 60 * 60 * 1000
let base: Base
let kept: string
let left: string
const session = { email: 'ada@example.org', password: 'correct horse' }
beforeAll(async () => {
  base = await newBase()
  await serving(
    base,
    async ({ url }) => {
      const user = new Client(url)
      await user.ok('POST', '/api/auth/register', session)
      const upload = async (name: string, body: string) =>
        JSON.parse((await user.exchange('POST', `/api/files?name=${name}`, { body })).text).file_id as string
      kept = await upload('kept.txt', 'kept')
      left = await upload('left.txt', 'left')
      await upload('kept-too.txt', 'kept')
      const tag = await user.ok('POST', '/api/tags', { name: 'Doc', fields: { files: 'File' } })
      const files = [{ file_id: kept }, { file_id: left }]
      const { item_id } = await user.ok('POST', '/api/items', {
        name: 'x',
        tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: { files } }],
      })
      await user.ok('PUT', `/api/items/${item_id}/tags/${tag.tag_id}`, {
        field_values: { files: [{ file_id: kept }] },
      })
    },
    LONG_AGO,
  )
}, TIMEOUT)

/** Whether another base serves the file. */
const reads = (other: Base, file_id: string) =>
  serving(other, async ({ url }) => {
    const user = new Client(url)
    const signed = await user.post('/api/auth/login', session)
    if (signed.status !== 200) await user.ok('POST', '/api/auth/register', session)
    const { status, body } = await user.get(`/api/files/${file_id}`)
    return [status, body]
  })

describe('files', () => {
  it('go along with an export, next to it, each once', { timeout: TIMEOUT }, async () => {
    const out = join(folder, `${++count}.jsonl`)
    const { code, err } = await facet(base, ['export', '--out', out])
    expect([code, err]).toEqual([0, expect.stringContaining('2 files are beside it, 2 of them new')])
    expect(blobsIn(`${out}.files`)).toHaveLength(2)
    const other = await newBase()
    expect(await facet(other, ['import', out])).toMatchObject({ code: 0 })
    expect(await reads(other, kept)).toEqual([200, 'kept'])
    expect(await reads(other, left)).toEqual([200, 'left'])
    // Where it is refused, none of them goes there.
    const full = await newBase()
    await serving(full, ({ url }) => new Client(url).ok('POST', '/api/auth/register', session))
    const withAccounts = join(folder, `${++count}.jsonl`)
    expect(await facet(base, ['export', '--accounts', '--out', withAccounts])).toMatchObject({ code: 0 })
    for (const command of ['import', 'restore'])
      expect(await facet(full, [command, withAccounts])).toMatchObject({
        code: 1,
        err: expect.stringContaining('The database is not empty'),
      })
    expect(blobsIn(full.files)).toEqual([])
    // Nor beside a file that is there already.
    renameSync(`${out}.files`, `${out}.kept`)
    expect(await facet(base, ['export', '--out', out])).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    })
    expect(existsSync(`${out}.files`)).toBe(false)
    renameSync(`${out}.kept`, `${out}.files`)
    rmSync(out)
    const again = await facet(base, ['export', '--out', out])
    expect(again.err).toContain('2 files are beside it, 0 of them new')
  })

  it(
    'that an open proposal refers to stay with it in the base that it is moved to',
    { timeout: TIMEOUT },
    async () => {
      const [from, to] = [await newBase(), await newBase()]
      const out = join(folder, `${++count}.jsonl`)
      let proposed = ''
      await serving(from, async ({ url }) => {
        const user = new Client(url)
        await user.ok('POST', '/api/auth/register', session)
        proposed = await uploaded(user, 'proposed.txt', 'proposed')
        await uploaded(user, 'unused.txt', 'unused')
        const input = { name: 'x', description: `<img src="/api/files/${proposed}">` }
        const { status } = await user.post('/api/proposals', {
          operations: [{ operation: 'createItem', input }],
        })
        expect(status).toBe(201)
      })
      expect(await facet(from, ['export', '--out', out])).toMatchObject({ code: 0 })
      expect(await facet(to, ['import', out])).toMatchObject({ code: 0 })
      await serving(
        to,
        async ({ url }) => {
          await expect.poll(() => blobsIn(to.files).length, { timeout: 10_000 }).toBe(1)
          const other = new Client(url)
          await other.ok('POST', '/api/auth/register', session)
          expect((await other.get(`/api/files/${proposed}`)).body).toBe('proposed')
        },
        () => Date.now() + 2 * 24 * 60 * 60_000,
      )
    },
  )

  it('go along with a copy, and come back with it', { timeout: TIMEOUT }, async () => {
    const to = mkdtempSync(join(folder, 'copies-'))
    const plan = { BACKUP_TO: to }
    for (let i = 0; i < 2; i++) expect(await facet(base, ['backup'], plan)).toMatchObject({ code: 0 })
    const copies = readdirSync(to).filter((name) => !name.endsWith('.files'))
    // The second has what the first had already, once on the disk.
    expect(readdirSync(to)).toHaveLength(2 * copies.length)
    const last = join(to, copies.toSorted().at(-1)!)
    expect(blobsIn(`${last}.files`).map((each) => statSync(each).size)).toEqual([4, 4])
    if (copies.length > 1) expect(statSync(blobsIn(`${last}.files`)[0]!).nlink).toBe(2)
    expect((await facet(base, ['restore', last, '--check'])).out).not.toContain('not where they belong')
    const own = mkdtempSync(join(folder, 'restored-'))
    const other = base.url.startsWith('file:')
      ? { url: `file:${join(own, 'facet.db')}`, files: join(own, 'files') }
      : await newBase()
    // The machine is lost: what is in the copy is all that there is, and the log ends as it did.
    const headOf = async (on: Base) =>
      JSON.parse((await facet(on, ['audit', 'verify', '--json'])).out) as { head: string; count: number }
    const head = await headOf(base)
    expect(await facet(other, ['restore', last])).toMatchObject({ code: 0 })
    expect(await headOf(other)).toEqual(head)
    expect(await reads(other, kept)).toEqual([200, 'kept'])
  })

  it(
    'that are lost are told by whoever writes a file without them, and by an import',
    async () => {
      const nowhere = { ...base, files: join(folder, 'nowhere') }
      const out = join(mkdtempSync(join(folder, 'lost-')), 'lost.jsonl')
      const told = await facet(nowhere, ['export', '--accounts', '--out', out])
      expect(told).toMatchObject({ code: 1, err: expect.stringContaining('2 of its files are not in') })
      expect(told.err).not.toContain('beside it')
      const backed = await facet(nowhere, ['backup', `${out}.copy`])
      expect(backed).toMatchObject({ code: 1, out: expect.stringContaining('sound but for its files') })
      const again = await facet(nowhere, ['backup', `${out}.again`, '--json'])
      expect([again.code, JSON.parse(again.out).missing_files.length]).toEqual([1, 2])
      const to = mkdtempSync(join(folder, 'lost-copies-'))
      expect(await facet(nowhere, ['backup'], { BACKUP_TO: to })).toMatchObject({ code: 1 })
      const doctor = await facet(nowhere, ['doctor', '--json'], { BACKUP_TO: to })
      expect(
        JSON.parse(doctor.out).find((each: { check: string }) => each.check === 'backups'),
      ).toMatchObject({
        state: 'fail',
        says: expect.stringContaining('2 of its files are not in'),
      })
      const imported = await facet(await newBase(), ['import', out, '--json'])
      expect([imported.code, JSON.parse(imported.out).missing_files.length]).toEqual([1, 2])
      // A store that has them needs none beside it.
      const there = { ...(await newBase()), files: base.files }
      expect(await facet(there, ['import', out])).toMatchObject({ code: 0 })
    },
    TIMEOUT,
  )

  describe('that are not what they were', () => {
    /** A base with four files: one is whole, one longer, one of other bytes, one gone. */
    async function withFaults() {
      const own = await newBase()
      await serving(own, async ({ url }) => {
        const user = new Client(url)
        await user.ok('POST', '/api/auth/register', session)
        for (const name of ['whole', 'longer', 'other', 'gone']) await uploaded(user, name, name)
      })
      const paths = new Map(blobsIn(own.files).map((path) => [readFileSync(path, 'utf8'), path]))
      const [longer, other, gone] = ['longer', 'other', 'gone'].map((name) => paths.get(name)!)
      appendFileSync(longer!, 'bad')
      writeFileSync(other!, 'rehto')
      rmSync(gone!)
      const mend = () => {
        for (const [text, path] of paths) writeFileSync(path, text)
      }
      return { own, damaged: [longer!, other!].map((path) => basename(path)), gone: basename(gone!), mend }
    }
    const place = () => mkdtempSync(join(folder, 'faults-'))

    it('are named by who copies them, and not copied', { timeout: TIMEOUT }, async () => {
      const { own, damaged, gone } = await withFaults()
      const [out, copy, to] = [join(place(), 'out.jsonl'), join(place(), 'copy'), place()]
      const named = [
        `1 of its files are not in ${own.files}: ${gone}. `,
        `2 of its files are damaged in ${own.files}: ${damaged.join(', ')}. `,
      ]
      const told = await facet(own, ['export', '--accounts', '--out', out])
      expect(told.code).toBe(1)
      for (const each of [...named, '1 file is beside it, 1 of them new']) expect(told.err).toContain(each)
      expect(blobsIn(`${out}.files`)).toHaveLength(1)
      const again = await facet(own, ['export', '--out', `${out}.again`, '--json'])
      expect([again.code, JSON.parse(again.out).files]).toEqual([
        1,
        { contents: 4, copied: 1, missing: [gone], damaged },
      ])

      const backed = await facet(own, ['backup', copy])
      expect(backed).toMatchObject({ code: 1, out: expect.stringContaining('sound but for its files') })
      for (const each of named) expect(backed.out).toContain(each)
      expect((await facet(own, ['restore', copy, '--check'])).code).toBe(1)

      // Of the second, too: it links what the first has.
      for (let i = 0; i < 2; i++) {
        const planned = await facet(own, ['backup', '--json'], { BACKUP_TO: to })
        expect([planned.code, JSON.parse(planned.out)]).toMatchObject([
          1,
          { missing_files: [gone], damaged_files: damaged },
        ])
      }
      const doctor = await facet(own, ['doctor', '--json'], { BACKUP_TO: to })
      const found = JSON.parse(doctor.out).find(({ check }: { check: string }) => check === 'backups')
      expect(found.state).toBe('fail')
      for (const each of named) expect(found.says).toContain(each.trim().slice(0, -1))
    })

    it('are named by who brings them in, and not brought', { timeout: TIMEOUT }, async () => {
      const { own, damaged, gone, mend } = await withFaults()
      const out = join(place(), 'out.jsonl')
      const copy = join(place(), base.url.startsWith('file:') ? 'copy.db' : 'copy.jsonl')
      expect((await facet(own, ['export', '--accounts', '--out', out])).code).toBe(1)
      expect((await facet(own, ['backup', copy])).code).toBe(1)
      // As they were copied before there was a look at them.
      for (const file of [out, copy])
        for (const blob of damaged)
          for (const path of blobsIn(own.files).filter((each) => basename(each) === blob)) {
            const target = join(`${file}.files`, blob.slice(-2), blob)
            mkdirSync(dirname(target), { recursive: true })
            copyFileSync(path, target)
          }
      for (const [command, file] of [
        ['import', out],
        ['restore', copy],
      ] as const) {
        const other = await newBase()
        const brought = await facet(other, [command, file])
        expect(brought.code, command).toBe(1)
        const said = brought.out + brought.err
        expect(said).toContain(`1 of its files are not in ${file}.files: ${gone}`)
        expect(said).toContain(`2 of its files are damaged in ${file}.files: ${damaged.join(', ')}`)
        expect(blobsIn(other.files).map((path) => readFileSync(path, 'utf8'))).toEqual(['whole'])
        const third = await newBase()
        const json = await facet(third, [command, file, '--json'])
        expect([json.code, JSON.parse(json.out)], command).toMatchObject([
          1,
          { missing_files: [gone], damaged_files: damaged },
        ])
      }
      // Where the store has them whole, the base lacks nothing.
      mend()
      const there = { ...(await newBase()), files: own.files }
      expect(await facet(there, ['restore', copy])).toMatchObject({ code: 0 })
    })

    it('are mended in a store by a copy that has them whole', { timeout: TIMEOUT }, async () => {
      const { own, mend } = await withFaults()
      const copy = join(place(), 'copy')
      mend()
      expect(await facet(own, ['backup', copy])).toMatchObject({ code: 0 })
      for (const path of blobsIn(own.files)) appendFileSync(path, 'bad')
      const back = { ...(await newBase()), files: own.files }
      expect(await facet(back, ['restore', copy])).toMatchObject({ code: 0 })
      expect(await facet(back, ['files', 'verify'])).toMatchObject({ code: 0 })
    })
  })

  it('that a killed process has left half copied are in the way of none', { timeout: TIMEOUT }, async () => {
    const [out, copy] = [mkdtempSync(join(folder, 'half-')), mkdtempSync(join(folder, 'half-'))].map((own) =>
      join(own, 'x'),
    ) as [string, string]
    const blobs = blobsIn(base.files).map((path) => basename(path))
    const leaveHalves = (place: string) => {
      mkdirSync(join(place, 'tmp'), { recursive: true })
      for (const blob of blobs) writeFileSync(join(place, 'tmp', blob), 'ha')
    }
    for (const file of [out, copy]) leaveHalves(`${file}.files`)
    expect(await facet(base, ['export', '--out', out])).toMatchObject({ code: 0 })
    expect(await facet(base, ['backup', copy])).toMatchObject({ code: 0 })
    for (const [command, file] of [
      ['import', out],
      ['restore', copy],
    ] as const) {
      expect(readdirSync(`${file}.files`)).not.toContain('tmp')
      const other = await newBase()
      leaveHalves(other.files)
      expect(await facet(other, [command, file]), command).toMatchObject({ code: 0 })
      expect(await reads(other, kept)).toEqual([200, 'kept'])
    }
  })

  it(
    'are looked for by a drill: what is missing beside a copy, or damaged, is named',
    { timeout: TIMEOUT },
    async () => {
      const copy = join(mkdtempSync(join(folder, 'drill-')), 'copy')
      expect(await facet(base, ['backup', copy])).toMatchObject({ code: 0 })
      const [first, second] = blobsIn(`${copy}.files`) as [string, string]
      expect((await facet(base, ['restore', copy, '--check', '--json'])).code).toBe(0)
      writeFileSync(first, 'xxxx')
      rmSync(second)
      const { code, out } = await facet(base, ['restore', copy, '--check', '--json'])
      expect([code, JSON.parse(out)]).toMatchObject([
        1,
        { missing_files: [basename(second)], damaged_files: [basename(first)] },
      ])
      const told = await facet(base, ['restore', copy, '--check'])
      expect(told).toMatchObject({ code: 1, out: expect.stringContaining('sound but for its files') })
      expect(told.out).toContain(`1 of its files are not where they belong: ${basename(second)}`)
      expect(told.out).toContain(`1 of its files are damaged: ${basename(first)}`)
    },
  )

  it('are swept where only the log refers to them', { timeout: TIMEOUT }, async () => {
    expect((await facet(base, ['files', 'sweep'])).code).toBe(2)
    expect((await facet(base, ['files', 'sweep', '--unused-for', '110d'])).out).toContain('Removed 0 files')
    const { out } = await facet(base, ['files', 'sweep', '--unused-for', '90d', '--json'])
    expect(JSON.parse(out)).toEqual({ removed: [{ file_id: left, name: 'left.txt', size: 4 }], bytes: 4 })
    expect(blobsIn(base.files)).toHaveLength(1)
  })

  it('go where nothing has referred to them for a day', { timeout: TIMEOUT }, async () => {
    const other = await newBase()
    const ids: Record<string, string> = {}
    const uploaded = (name: string, ago: number) =>
      serving(
        other,
        async ({ url }) => {
          const user = new Client(url)
          const signed = await user.post('/api/auth/login', session)
          if (signed.status !== 200) await user.ok('POST', '/api/auth/register', session)
          const { text } = await user.exchange('POST', `/api/files?name=${name}`, { body: name })
          ids[name] = JSON.parse(text).file_id
          if (name === 'shown')
            await user.ok('POST', '/api/items', { name, description: `<img src="/api/files/${ids[name]}">` })
        },
        () => Date.now() - ago,
      )
    const day = 24 * 60 * 60_000
    await uploaded('shown', day + 60_000)
    await uploaded('old', day + 60_000)
    await uploaded('young', day - 60_000)
    // A start sweeps at once.
    await serving(other, async ({ url }) => {
      const user = new Client(url)
      await user.ok('POST', '/api/auth/login', session)
      const status = async (name: string) => (await user.get(`/api/files/${ids[name]}`)).status
      await expect.poll(() => status('old'), { timeout: 10_000 }).toBe(404)
      await expect.poll(() => blobsIn(other.files).length).toBe(2)
      expect([await status('shown'), await status('young')]).toEqual([200, 200])
    })
  })

  it('stay with an import, which is retained for seven days', { timeout: TIMEOUT }, async () => {
    const other = await newBase()
    const made: Record<string, { file_id: string; import_id: string }> = {}
    const day = 24 * 60 * 60_000
    const begin = (name: string, ago: number, leaving?: object) =>
      serving(
        other,
        async ({ url }) => {
          const user = new Client(url)
          const signed = await user.post('/api/auth/login', session)
          if (signed.status !== 200) await user.ok('POST', '/api/auth/register', session)
          const { body } = await lookAt(user, `${name}.csv`, `Name\n${name}\n`)
          made[name] = body
          if (!leaving) return
          const other = new Client(url)
          await other.ok('POST', '/api/auth/register', leaving)
          await lookAt(other, 'own.csv', 'Name\nown\n')
          await other.ok('DELETE', '/api/auth/me', { current_password: session.password })
        },
        () => Date.now() - ago,
      )
    const guest = { email: 'guest@example.org', password: session.password }
    await begin('over', 7 * day + 60_000, guest)
    await begin('kept', 7 * day - 60_000)
    await serving(other, async ({ url }) => {
      const user = new Client(url)
      await user.ok('POST', '/api/auth/login', session)
      const status = async (path: string) => (await user.get(path)).status
      await expect
        .poll(() => status(`/api/imports/${made['over']!.import_id}`), { timeout: 10_000 })
        .toBe(404)
      expect(await status(`/api/imports/${made['kept']!.import_id}`)).toBe(200)
      expect(await status(`/api/files/${made['kept']!.file_id}`)).toBe(200)
    })
    // What nothing refers to any more goes a day after: the first one's, and that of who has left.
    await serving(
      other,
      () => expect.poll(() => blobsIn(other.files).length, { timeout: 10_000 }).toBe(1),
      () => Date.now() + 9 * day,
    )
  })

  it('are gone where the log is made to forget what had them', { timeout: TIMEOUT }, async () => {
    const other = await newBase()
    await serving(other, async ({ url }) => {
      const user = new Client(url)
      await user.ok('POST', '/api/auth/register', session)
      const upload = async (name: string) =>
        JSON.parse((await user.exchange('POST', `/api/files?name=${name}`, { body: name })).text)
          .file_id as string
      const [secret, shared, present, proposed, also] = [
        await upload('secret'),
        await upload('shared'),
        await upload('present'),
        await upload('proposed'),
        await upload('also'),
      ]
      const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Doc', fields: { files: 'File' } })
      const tags = [
        {
          tag_ref: { Existing: tag_id },
          field_values: { files: [secret, shared, present].map((file_id) => ({ file_id })) },
        },
      ]
      const { item_id } = await user.ok('POST', '/api/items', { name: 'x', tags })
      const y = { name: 'y', description: `<img src="/api/files/${shared}">` }
      const { item_id: rest } = await user.ok('POST', '/api/items', y)
      await user.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, {
        field_values: { files: [{ file_id: present }] },
      })
      const shows = (id: string, file_id: string) => ({
        operation: 'updateItem',
        input: { item_id: id, description: `<img src="/api/files/${file_id}">` },
      })
      const propose = async (...operations: object[]) =>
        (await user.post('/api/proposals', { operations })).body.proposal_id
      await propose(shows(item_id, proposed))
      const proposal_id = await propose(shows(item_id, proposed), shows(rest, also))
      const reader = new Client(url)
      await reader.ok('POST', '/api/auth/register', { ...session, email: 'reader@example.org' })
      const statuses = () =>
        Promise.all(
          [secret, shared, present, proposed, also].map(
            async (id) => (await reader.get(`/api/files/${id}`)).status,
          ),
        )
      expect(await statuses()).toEqual([200, 200, 200, 200, 200])
      expect(await facet(other, ['audit', 'redact', '--item', item_id])).toMatchObject({ code: 0 })
      expect(await statuses()).toEqual([410, 200, 200, 410, 200])
      // What is left keeps its own until it is decided.
      await user.ok('POST', `/api/proposals/${proposal_id}/withdraw`)
      expect(await statuses()).toEqual([410, 200, 200, 410, 404])
    })
  })

  describe('in a place that several bases use', () => {
    /** So begin blobs that are long older than a day. */
    const OLD = '01JDQ00000'
    /** A base with a file in an item, whose bytes came long ago. */
    const withFile = async (own: Base, name: string) => {
      const file_id = await serving(own, async ({ url }) => {
        const user = new Client(url)
        if ((await user.post('/api/auth/login', session)).status !== 200)
          await user.ok('POST', '/api/auth/register', session)
        const id = await uploaded(user, name, name)
        await user.ok('POST', '/api/items', { name, description: `<img src="/api/files/${id}">` })
        return id
      })
      const young = blobsIn(own.files).find((path) => !basename(path).startsWith(OLD))!
      const [blob, old] = [basename(young), OLD + basename(young).slice(10)]
      renameSync(young, join(dirname(young), old))
      const renamed = `update file_content set blob = '${old}' where blob = '${blob}' returning blob`
      await queryDatabase({ database_url: own.url }, renamed)
      return file_id
    }
    /** What the service says when it sweeps, which it does at its start. */
    const started = async ({ url, files }: Base, until: (said: string) => unknown = () => true) => {
      await using service = new ServiceProcess({ env: { DATABASE_URL: url, FILES: files } })
      await service.url()
      await expect.poll(() => until(service.stderr), { timeout: 30_000 }).toBeTruthy()
      service.child.kill('SIGTERM')
      await service.ended
      return service.stderr
    }
    const warned = (said: string) => said.includes('nothing is removed there')
    const ANOTHERS = 'is the store of another base, or of what this one was before'

    it('are not taken away by the other, and both are told', { timeout: TIMEOUT }, async () => {
      const one = await newBase()
      const two = { ...(await newBase()), files: one.files }
      const theirs = await withFile(one, 'theirs')
      await withFile(two, 'own')
      expect(await started(two, warned)).toContain(ANOTHERS)
      const shared = 'is the store of this base, and another one has used it too'
      expect(await started(one, (said) => said.includes(shared))).not.toContain(ANOTHERS)
      expect(await reads(one, theirs)).toEqual([200, 'theirs'])
      expect(blobsIn(one.files)).toHaveLength(2)
      const swept = await facet(two, ['files', 'sweep', '--unused-for', '90d'])
      expect(swept).toMatchObject({ code: 1, err: expect.stringContaining('--take-over') })
      expect((await facet(two, ['files', 'verify'])).out).toContain(ANOTHERS)
      const { out } = await facet(two, ['doctor', '--json'])
      const found = JSON.parse(out).find(({ check }: { check: string }) => check === 'files')
      expect(found).toMatchObject({ state: 'warn', says: expect.stringContaining(ANOTHERS) })
    })

    it('stay where nobody has said whose they are', { timeout: TIMEOUT }, async () => {
      const one = await newBase()
      const kept = await withFile(one, 'kept')
      rmSync(join(one.files, 'facet-owner'))
      const two = { ...(await newBase()), files: one.files }
      expect(await started(two, warned)).toContain('and no mark that says whose it is')
      expect(await reads(one, kept)).toEqual([200, 'kept'])
      // Whose they are knows all of them.
      expect(readdirSync(one.files)).toContain('facet-owner')
    })

    it('stay where an older copy comes back beside them', { timeout: TIMEOUT }, async () => {
      const own = await newBase()
      await withFile(own, 'first')
      const copy = join(mkdtempSync(join(folder, 'older-')), 'copy')
      expect(await facet(own, ['backup', copy])).toMatchObject({ code: 0 })
      const later = await withFile(own, 'later')
      const back = { ...(await newBase()), files: own.files }
      expect(await facet(back, ['restore', copy])).toMatchObject({ code: 0 })
      expect(await started(back, warned)).toContain(ANOTHERS)
      expect(blobsIn(own.files)).toHaveLength(2)
      expect(await reads(own, later)).toEqual([200, 'later'])
      // Until it is said that nobody goes back.
      const taken = await facet(back, ['files', 'sweep', '--take-over', '--json'])
      expect([taken.code, JSON.parse(taken.out)]).toEqual([
        0,
        { place: own.files, owner: 'ours', unknown: 1 },
      ])
      expect(await started(back, () => blobsIn(own.files).length === 1)).not.toContain(ANOTHERS)
      expect(await started(own, warned)).toContain(ANOTHERS)
    })

    it('are swept by the base whose they are, whatever it has left there', { timeout: TIMEOUT }, async () => {
      const own = await newBase()
      await withFile(own, 'kept')
      const [blob] = blobsIn(own.files)
      const left = OLD + 'Z'.repeat(16)
      mkdirSync(join(own.files, 'ZZ'))
      writeFileSync(join(own.files, 'ZZ', left), 'left')
      expect(warned(await started(own, () => blobsIn(own.files).length === 1))).toBe(false)
      expect(blobsIn(own.files)).toEqual([blob])
    })
  })

  it(
    'are not those of an older state of their base, by whatever way it came back',
    { timeout: TIMEOUT },
    async () => {
      const own = await newBase()
      const mark = () => readFileSync(join(own.files, 'facet-owner'), 'utf8')
      const days = async (count: number) => {
        await serving(
          own,
          () => expect.poll(() => existsSync(own.files) && mark()).toBeTruthy(),
          () => Date.now() + count * 24 * 60 * 60_000,
        )
        return mark()
      }
      const first = await days(0)
      expect(await days(0)).toBe(first)
      await expect.poll(() => days(2), { timeout: 30_000 }).not.toBe(first)
    },
  )

  it('are verified, and what is wrong is named', { timeout: TIMEOUT }, async () => {
    expect(await facet(base, ['files', 'verify'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('is whole: 1 content, 4 bytes'),
    })
    const [blob] = blobsIn(base.files)
    const faults = async () => {
      const { code, out } = await facet(base, ['files', 'verify', '--json'])
      return [
        code,
        JSON.parse(out).faults.map(({ name, fault }: Record<string, string>) => `${name} ${fault}`),
      ]
    }
    writeFileSync(blob!, 'KEPT')
    expect(await faults()).toEqual([1, expect.arrayContaining(['kept.txt damaged'])])
    rmSync(blob!)
    expect(await faults()).toEqual([1, expect.arrayContaining(['kept.txt missing'])])
    await serving(base, async ({ url }) => {
      const user = new Client(url)
      await user.ok('POST', '/api/auth/login', session)
      const answer = await user.get(`/api/files/${kept}`)
      expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining('is not there')])
    })
  })
})
