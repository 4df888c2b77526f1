import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '#src/config/read-config.ts'
import { checkFile, importFile } from '#src/transfer/import-file.ts'
import { openAlone } from '#src/transfer/open-alone.ts'
import { Client } from '#test/support/client.ts'
import { runFacet } from '#test/support/facet-command.ts'
import { lookAt, settled } from '#test/support/imports.ts'
import { type S3Server, startS3 } from '#test/support/s3-server.ts'
import { startService } from '#test/support/service.ts'
import { TEST_ENGINE, testDatabase } from '#test/support/test-database.ts'

const TIMEOUT = 120_000
const SETTLED = { timeout: 40_000, interval: 50 }
/** More than S3 takes at once, so that it goes in parts. */
const LARGE = 'x'.repeat(9 * 1024 * 1024)
const ADA = { email: 'ada@example.org', password: 'correct horse battery' }

const folder = mkdtempSync(join(tmpdir(), 'facet-in-s3-'))
const drops: (() => Promise<void>)[] = []
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  for (const drop of drops) await drop()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

/** As on a machine of its own; its files are in S3 below `files`. */
async function newMachine(files: string) {
  const own = mkdtempSync(join(folder, 'machine-'))
  const { url, drop } = await testDatabase(own)
  drops.push(drop)
  return { own, url, settings: { ...s3.settings, FILES: s3.at(files) } }
}
type Machine = Awaited<ReturnType<typeof newMachine>>

const run = ({ url, settings }: Machine, words: string[], more: Record<string, string> = {}) =>
  runFacet(url, words, { ...settings, ...more })

async function serving<T>(
  machine: Machine,
  more: Record<string, string>,
  use: (client: Client) => Promise<T>,
) {
  const env = { DATABASE_URL: machine.url, ...machine.settings, ...more }
  const service = await startService({ env })
  try {
    const client = new Client(service.url)
    const signed = await client.send('POST', '/api/auth/login', ADA)
    if (signed.status !== 200) await client.ok('POST', '/api/auth/register', ADA)
    return await use(client)
  } finally {
    await service.close()
  }
}

async function upload(client: Client, name: string, body: string): Promise<string> {
  const { text } = await client.exchange('POST', `/api/files?name=${name}`, { body })
  return JSON.parse(text).file_id
}

const copiesOf = (names: readonly string[]) => names.filter((name) => /Z\.(?:db|jsonl)$/.test(name))
const listed = async (prefix: string) => copiesOf(await s3.names(prefix))
const contentsOf = async (prefix: string, copy: string) => s3.names(`${prefix}/${copy.slice(0, 18)}.files`)

/** Leaves a base with two files in items, of which the large one is purged again. */
async function filled(machine: Machine) {
  return serving(machine, {}, filledBy)
}

async function filledBy(client: Client) {
  const small = await upload(client, 'small.txt', 'kept')
  const large = await upload(client, 'large.txt', LARGE)
  await client.ok('POST', '/api/tags', { name: 'Doc', fields: { files: 'File' } })
  const itemWith = async (file_id: string) => {
    const tags = [{ tag_ref: { Existing: 'Doc' }, field_values: { files: [{ file_id }] } }]
    return (await client.ok('POST', '/api/items', { name: 'With a file', tags })).item_id as string
  }
  await itemWith(small)
  const item = await itemWith(large)
  expect((await client.get(`/api/files/${large}`)).body).toBe(LARGE)
  const head = await client.ok('GET', '/api/audit-log/head')
  return { small, large, item, head }
}

describe('S3', { timeout: TIMEOUT }, () => {
  it('has a restoration of an export go on where it was interrupted', async () => {
    const machine = await newMachine('rest/files')
    const { small, head } = await serving(machine, {}, async (client) => {
      const items = Array.from({ length: 6000 }, (_, i) => ({ name: `Item ${i}` }))
      await client.ok('POST', '/api/items/bulk', { items })
      return filledBy(client)
    })
    const file = join(machine.own, 'facet-00000000000a-20261123T030000000Z.jsonl')
    expect(await run(machine, ['export', '--accounts', '--out', file])).toMatchObject({ code: 0 })
    const name = basename(file)
    await s3.put('rest/copies', name, readFileSync(file, 'utf8'))
    await s3.put('rest/copies', `${name}.files.txt`, '')

    const other = await newMachine('rest/files')
    const { connection, release } = await openAlone(loadConfig({ DATABASE_URL: other.url }).database)
    const seal = <Row>(_: unknown, row: Row) => row
    const stop = (where: string) => () => {
      throw new Error(`Stopped ${where}`)
    }
    const checked = await checkFile(file)
    await expect(
      importFile(connection, checked, { seal, onProgress: stop('after its first part') }),
    ).rejects.toThrow('Stopped after its first part')
    // With it the sessions of the copy end: what is there before it is nothing to work with.
    await expect(importFile(connection, checked, { seal, atEnd: stop('at its end') })).rejects.toThrow(
      'Stopped at its end',
    )
    await connection.close()
    release()
    await expect(serving(other, {}, async () => {})).rejects.toThrow('is not finished')
    const at = s3.at(`rest/copies/${name}`)
    expect(await run(other, ['restore', at])).toMatchObject({ code: 0, err: '' })
    await serving(other, {}, async (client) => {
      expect(await client.ok('GET', '/api/audit-log/head')).toEqual(head)
      expect((await client.get(`/api/files/${small}`)).body).toBe('kept')
    })
    expect(await run(other, ['restore', at])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    })
  })

  it('keeps copies with their files: after the machine is lost, all is brought back from there', async () => {
    const machine = await newMachine('drill/files')
    const { small, large, head } = await filled(machine)
    const to = { BACKUP_TO: s3.at('drill/copies') }
    const made = await run(machine, ['backup', '--json'], to)
    expect(made).toMatchObject({ code: 0, err: '' })
    const { file, bytes } = JSON.parse(made.out)
    const [name] = await listed('drill/copies')
    expect([file, bytes > 0]).toEqual([s3.at(`drill/copies/${name}`), true])
    expect(await contentsOf('drill/copies', name!)).toHaveLength(2)
    expect(readdirSync(machine.own).filter((each) => each.includes('moving'))).toEqual([])

    // Another machine, with a store of files of its own.
    const other = await newMachine('other/files')
    if (TEST_ENGINE === 'sqlite') mkdirSync(other.own, { recursive: true })
    const checked = await run(other, ['restore', file, '--check', '--json'])
    expect(JSON.parse(checked.out)).toMatchObject({
      file,
      head: head.hash,
      missing_files: [],
      counts: { item: 2, audit_event: head.count },
    })
    const restored = await run(other, ['restore', file])
    expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`Restored ${file}`) })
    await serving(other, {}, async (client) => {
      expect(await client.ok('GET', '/api/audit-log/head')).toEqual(head)
      expect((await client.get(`/api/files/${small}`)).body).toBe('kept')
      expect((await client.get(`/api/files/${large}`)).body).toBe(LARGE)
    })
    expect(await run(other, ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    })

    const [blob] = await contentsOf('drill/copies', name!)
    await s3.remove(`drill/copies/${name!.slice(0, 18)}.files`, blob!)
    expect((await run(other, ['restore', file, '--check'])).out).toContain(
      `1 of its files are not where they belong: ${blob}`,
    )
  })

  it('takes no file into a copy, or out of one, that is not what it was, and names it', async () => {
    const machine = await newMachine('faults-of-files/files')
    await filled(machine)
    const to = { BACKUP_TO: s3.at('faults-of-files/copies') }
    const made = await run(machine, ['backup', '--json'], to)
    expect(made).toMatchObject({ code: 0, err: '' })
    const [name] = await listed('faults-of-files/copies')
    const [small, large] = (await contentsOf('faults-of-files/copies', name!)) as [string, string]
    const contents = `faults-of-files/copies/${name!.slice(0, 18)}.files`

    await s3.put(contents, small, 'tpek')
    await s3.remove(contents, large)
    const restored = await run(await newMachine('elsewhere/files'), ['restore', JSON.parse(made.out).file])
    expect(restored.code).toBe(1)
    expect(restored.out).toContain(`1 of its files are not in ${s3.at(contents)}: ${large}`)
    expect(restored.out).toContain(`1 of its files are damaged in ${s3.at(contents)}: ${small}`)
    expect((await s3.names('elsewhere/files')).filter((each) => each.length === 26)).toEqual([])

    await s3.put('faults-of-files/files', large, LARGE.replace('x', 'y'))
    const again = await run(machine, ['backup', '--json'], to)
    expect([again.code, JSON.parse(again.out)]).toMatchObject([
      1,
      { missing_files: [], damaged_files: [large] },
    ])
    expect(await s3.names(contents)).toEqual([small])
  })

  it('gives files of several parts by parts, and takes away what is purged or was cut off', async () => {
    const machine = await newMachine('parts/files')
    const names = async () => (await s3.names('parts/files')).filter((name) => !name.endsWith('facet-owner'))
    const { large, item } = await filled(machine)
    await serving(machine, {}, async (client) => {
      const part = async (range: string) => {
        const answer = await client.exchange('GET', `/api/files/${large}`, {
          headers: new Headers({ range }),
        })
        return [answer.status, answer.text.length, answer.headers.get('content-range')]
      }
      expect(await part('bytes=8388607-8388608')).toEqual([206, 2, `bytes 8388607-8388608/${LARGE.length}`])
      expect(await part('bytes=-5')).toEqual([206, 5, expect.stringContaining(`/${LARGE.length}`)])
      expect((await part(`bytes=${LARGE.length}-`))[0]).toBe(416)
      expect(await names()).toHaveLength(2)
      // One that is cut off in its second part, and one that is too large, leave nothing.
      const cut = httpRequest(new URL('/api/files?name=cut', client.url), {
        method: 'POST',
        headers: { cookie: client.cookieHeader, 'content-length': 2 * LARGE.length },
      })
      cut.on('error', () => {})
      await new Promise((resolve) => cut.write(LARGE, resolve))
      cut.destroy()
      await client.ok('DELETE', `/api/items/${item}`)
      await client.ok('POST', '/api/items/purge', { item_ids: [item] })
      expect((await client.get(`/api/files/${large}`)).status).toBe(410)
    })
    // A start sweeps at once.
    await serving(machine, {}, async () => {
      await expect.poll(async () => (await names()).length, SETTLED).toBe(1)
    })
  })

  it.each<Record<string, string>>([
    { S3_SECRET_ACCESS_KEY: 'wrong' },
    { S3_ACCESS_KEY_ID: 'nobody' },
    { S3_ENDPOINT: 'http://127.0.0.1:2' },
    { FILES: 's3://elsewhere/files' },
  ])('that fails is 503 with a sentence that betrays nothing, and the service goes on: %j', async (wrong) => {
    const machine = await newMachine('away/files')
    const { small } = await filled(machine)
    await serving(machine, wrong, async (client) => {
      const put = await client.exchange('POST', '/api/files?name=x', { body: 'x' })
      const got = await client.get(`/api/files/${small}`)
      for (const { status, message, suggestion } of [
        { status: put.status, ...JSON.parse(put.text) },
        { status: got.status, ...got.body },
      ]) {
        expect([status, message]).toEqual([503, expect.stringMatching(/store of the files|is not there/)])
        expect(`${message} ${suggestion}`).not.toMatch(/S3RVER|127\.0\.0\.1|elsewhere|wrong|nobody/)
      }
      await client.ok('POST', '/api/items', { name: 'written all the same' })
    })
    await serving(machine, {}, async (client) => {
      expect((await client.get(`/api/files/${small}`)).body).toBe('kept')
    })
  })

  it('keeps by the plan, and what is no copy of this base is not touched', async () => {
    const machine = await newMachine('plan/files')
    const { large, item } = await filled(machine)
    const to = { BACKUP_TO: s3.at('plan/copies'), BACKUP_KEEP: '1d' }
    await s3.put('plan/copies', 'notes.txt', 'mine')
    await s3.put('plan/files', 'notes.txt', 'mine')
    expect(await run(machine, ['backup'], to)).toMatchObject({ code: 0 })
    const [first] = await listed('plan/copies')
    const strange = first!.replace(/^facet-..../, 'facet-ffff')
    await s3.put('plan/copies', strange, 'of another base')
    expect(await contentsOf('plan/copies', first!)).toHaveLength(2)
    await serving(machine, {}, async (client) => {
      await client.ok('DELETE', `/api/items/${item}`)
      await client.ok('POST', '/api/items/purge', { item_ids: [item] })
      expect((await client.get(`/api/files/${large}`)).status).toBe(410)
    })
    // The next start sweeps what nothing has any more.
    await serving(machine, {}, () =>
      // Besides the one that is left: the mark, and what is somebody else's.
      vi.waitUntil(async () => (await s3.names('plan/files')).length === 3, SETTLED),
    )
    expect(await run(machine, ['backup'], to)).toMatchObject({ code: 0 })
    const names = await s3.names('plan/copies')
    const [second] = copiesOf(names).filter((name) => name !== strange)
    expect(second).not.toBe(first)
    expect(names.filter((name) => !name.includes('/'))).toEqual(
      [strange, 'notes.txt', second!, `${second}.files.txt`].toSorted(),
    )
    // What no copy has any more has gone with the last one that had it.
    expect(await contentsOf('plan/copies', second!)).toHaveLength(1)
    expect(await s3.names('plan/files')).toContain('notes.txt')
  })

  it('takes the copies of a running service, and owners read where they are', async () => {
    const machine = await newMachine('service/files')
    await serving(machine, { BACKUP_TO: s3.at('service/copies') }, async (client) => {
      const last = await vi.waitUntil(async () => (await client.ok('GET', '/api/backups')).last, SETTLED)
      expect(await listed('service/copies')).toEqual([last.name])
      const { to, failed } = await client.ok('GET', '/api/backups')
      expect([to, failed]).toEqual([s3.at('service/copies'), null])
      expect(JSON.stringify(await client.ok('GET', '/api/backups'))).not.toContain('S3RVER')
    })
  })

  it('is asked which copy is meant, by names that are there', async () => {
    const machine = await newMachine('which/files')
    const restore = (at: string) => run(machine, ['restore', s3.at(at), '--check'])
    expect((await restore('which/copies')).err).toContain('There is no copy in s3://')
    const name = 'facet-0123456789ab-20260101T030000000Z.db'
    await s3.put('which/copies', name, 'no base at all')
    expect((await restore('which/copies')).err).toContain(s3.at(`which/copies/${name}`))
    expect(await restore(`which/copies/${name}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(s3.at(`which/copies/${name}`)),
    })
    for (const words of [
      ['restore', 's3://'],
      ['restore', 's3://x/y', '--check'],
    ])
      expect(await run(machine, words)).toEqual({
        code: 2,
        out: '',
        err: `'${words[1]}' is no place in S3\nName a copy as s3://bucket/prefix/NAME\n`,
      })
    const { err } = await run(machine, ['backup', s3.at('which/copies/mine.db')])
    expect(err).toContain('BACKUP_TO=s3://')
  })

  it.each([
    [{ BACKUP_TO: 's3://elsewhere/copies' }, 's3://elsewhere/copies: 404 NoSuchBucket', 'Make the bucket'],
    [{ S3_ENDPOINT: 'http://127.0.0.1:2' }, 'no answer (ECONNREFUSED)', 'S3_ENDPOINT'],
  ])('that does not answer as it should is named: %j', async (wrong, fault, remedy) => {
    const machine = await newMachine('faults/files')
    await serving(machine, {}, async () => undefined)
    const { code, err } = await run(machine, ['backup'], { BACKUP_TO: s3.at('faults/copies'), ...wrong })
    expect([code, err]).toEqual([1, expect.stringContaining(fault)])
    expect(err).toContain(remedy)
  })

  it.each([
    [{ S3_SECRET_ACCESS_KEY: 'wrong' }, '403 SignatureDoesNotMatch', 'Set S3_ACCESS_KEY_ID and'],
    [{ S3_ENDPOINT: 'http://127.0.0.1:2' }, 'no answer (ECONNREFUSED)', 'Look at S3_ENDPOINT'],
  ])('that does not give files is named to who runs the service: %j', async (wrong, fault, remedy) => {
    const machine = await newMachine('unnamed/files')
    await filled(machine)
    const out = join(machine.own, 'out.jsonl')
    const told = [
      ['files', 'verify'],
      ['files', 'sweep', '--unused-for', '90d'],
      ['export', '--out', out],
      ['backup', `${out}.copy`],
    ]
    const said = `${s3.at('unnamed/files')}: ${fault}\n${remedy}`
    for (const words of told)
      expect(await run(machine, words, wrong), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining(said),
      })
    // A copy that the service makes is for owners to look at.
    await serving(machine, { BACKUP_TO: join(machine.own, 'copies'), ...wrong }, async (client) => {
      const failed = () => client.ok('GET', '/api/backups').then((backups) => backups.failed)
      const { reason } = await vi.waitUntil(failed, SETTLED)
      expect(reason).toContain(said.replace('\n', '. '))
    })
  })

  it('that has the bucket in another region says so, as Amazon does by a redirect', async () => {
    const answer = '<Error><Code>PermanentRedirect</Code><Endpoint>elsewhere</Endpoint></Error>'
    const elsewhere = createServer((_, response) => response.writeHead(301).end(answer)).listen(
      0,
      '127.0.0.1',
    )
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    const machine = await newMachine('region/files')
    await serving(machine, {}, async () => undefined)
    const wrong = { BACKUP_TO: s3.at('region/copies'), S3_ENDPOINT: `http://127.0.0.1:${port}` }
    const { code, err } = await run(machine, ['backup'], wrong)
    elsewhere.close()
    expect([code, err]).toEqual([1, expect.stringContaining('301 PermanentRedirect')])
    expect(err).toContain('Set S3_REGION to the region of the bucket')
  })

  it('that refuses the key is found by the doctor, for files and for copies', async () => {
    const machine = await newMachine('doctor/files')
    await serving(machine, {}, async () => undefined)
    const rows = async (more: Record<string, string>) => {
      const { out } = await run(machine, ['doctor', '--json'], { BACKUP_TO: s3.at('doctor/copies'), ...more })
      const found: { check: string; state: string; says: string; do: string | null }[] = JSON.parse(out)
      return ['files', 'backups'].map((check) => found.find((each) => each.check === check)!)
    }
    for (const row of await rows({ S3_ACCESS_KEY_ID: 'nobody' }))
      expect(row).toMatchObject({
        state: 'fail',
        says: expect.stringContaining('403 InvalidAccessKeyId'),
        do: expect.stringContaining('S3_SECRET_ACCESS_KEY'),
      })
    for (const method of ['PUT', 'GET', 'DELETE'] as const) {
      s3.forbid(method)
      for (const row of await rows({}).finally(() => s3.forbid(null)))
        expect(row, method).toMatchObject({
          state: 'fail',
          says: expect.stringContaining('403 AccessDenied'),
          do: expect.stringContaining('list, read, write and delete'),
        })
    }
    const before = await s3.names('doctor')
    const [files, backups] = await rows({})
    expect(files).toMatchObject({ state: 'ok', says: expect.stringContaining(s3.at('doctor/files')) })
    expect(backups!.says).toContain('No copy has been made to s3://')
    expect(await s3.names('doctor')).toEqual(before)
  })

  it('that has not the files of the base is found by the doctor', async () => {
    const machine = await newMachine('there/files')
    await serving(machine, {}, (client) => client.exchange('POST', '/api/files?name=a.txt', { body: 'kept' }))
    const files = async (more: Record<string, string>) => {
      const { out } = await run(machine, ['doctor', '--json'], more)
      return (JSON.parse(out) as { check: string }[]).find(({ check }) => check === 'files')
    }
    expect(await files({})).toMatchObject({ state: 'ok' })
    expect(await files({ FILES: s3.at('elsewhere/files') })).toMatchObject({
      state: 'fail',
      says: `The newest file of the base is not in ${s3.at('elsewhere/files')}`,
    })
  })

  it('that answers no more holds nothing of an import open whose faults nobody waits for', async () => {
    const stalling = await startS3()
    const FIRST = `stalled ${process.pid}`
    /** Where faulty rows are read from. */
    const readIn = () =>
      readdirSync(tmpdir()).filter((name) => {
        const path = join(tmpdir(), name, 'file')
        return (
          name.startsWith('facet-import-') &&
          existsSync(path) &&
          readFileSync(path, 'latin1').startsWith(FIRST)
        )
      })
    const own = mkdtempSync(join(folder, 'machine-'))
    const { url, drop } = await testDatabase(own)
    drops.push(drop)
    const env = { DATABASE_URL: url, ...stalling.settings, FILES: stalling.at('x') }
    const service = await startService({ env })
    try {
      const user = await service.user()
      const content = [FIRST, ...Array.from({ length: 300 }, (_, i) => `Row ${i} ${'x'.repeat(900)}`)].join(
        '\n',
      )
      const { body } = await lookAt(user, 'stalled.csv', content)
      const path = `/api/imports/${body.import_id}`
      expect((await user.put(path, {})).status).toBeLessThan(300)
      await settled(user, body.import_id)
      expect((await user.get(`${path}/faults`)).status).toBe(200)
      stalling.stall()
      const leaving = new AbortController()
      const left = user
        .fetch(`${path}/faults`, { signal: leaving.signal })
        .catch((error: Error) => error.name)
      await expect.poll(readIn, SETTLED).toHaveLength(1)
      leaving.abort()
      expect(await left).toBe('AbortError')
      await expect.poll(readIn, SETTLED).toEqual([])
    } finally {
      await service.close()
      await stalling.close()
    }
  })
})
