import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import { Client } from '#test/support/client.ts'
import { startFacet } from '#test/support/facet-command.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { type S3Server, startS3 } from '#test/support/s3-server.ts'
import { startService } from '#test/support/service.ts'
import { TEST_ENGINE, type TestDatabase, testDatabase } from '#test/support/test-database.ts'

// The service is killed while uploads are at every step of their way into the store, and amid many of them: what it
// acknowledged is there whole, no id has half a file, and a sweep takes the rest away (further.md §14).

const TIMEOUT = 120_000
const LATER = 25 * 60 * 60 * 1000
const PARTS = 5.1 * 2 ** 20
const WRITERS = 6
const ACCOUNT = { email: 'crash@example.org', password: 'never by halves' }
const chance = new Chance(TEST_SEED)
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.close())

interface Place {
  settings(folder: string): Record<string, string>
  /** Where an upload of so many bytes stops, if it says so. */
  steps: [step: string, bytes: number][]
  hasHalted(service: ServiceProcess, step: string): boolean
  /** What it has: whole blobs, and what is left of others; its mark `facet-owner` too. */
  names(folder: string): Promise<string[]>
}
const PLACES: Record<string, Place> = {
  'a folder': {
    settings: (folder) => ({ FILES: join(folder, 'files') }),
    steps: ['half-written', 'before-sync', 'after-sync', 'renamed', 'before-row'].map((step) => [
      step,
      700_000,
    ]),
    hasHalted: ({ stdout }, step) => stdout.includes(`halted at ${step}\n`),
    names: async (folder) =>
      readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ name }) => name),
  },
  S3: {
    settings: () => ({ ...s3.settings, FILES: s3.at('crash') }),
    steps: [
      ['before-put', 1000],
      ['after-put', 1000],
      ['before-first-part', PARTS],
      ['after-first-part', PARTS],
      ['before-complete', PARTS],
      ['after-complete', PARTS],
    ],
    hasHalted: (_, step) => s3.halted.has(step),
    names: () => s3.names('crash'),
  },
}

// What is done in S3 has nothing to do with the database.
const CASES = Object.entries(PLACES).slice(0, TEST_ENGINE === 'sqlite' ? 2 : 1)

describe.each(CASES)('kill -9 during uploads into %s', (_, place) => {
  let folder: string
  let database: TestDatabase
  let service: ServiceProcess
  let client: Client
  let env: Record<string, string>
  /** What was acknowledged, by its id. */
  const kept = new Map<string, Buffer>()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'facet-upload-crash-'))
    database = await testDatabase(folder)
    env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...place.settings(folder) }
    const before = ['--max-semi-space-size=4', '--import', './test/support/halted-uploads.ts']
    service = new ServiceProcess({ command: [process.execPath, ...before, 'scripts/start.js'], env })
    client = new Client(await service.url())
    await client.ok('POST', '/api/auth/register', ACCOUNT)
    await client.ok('POST', '/api/tags', { name: 'Doc', fields: { files: 'File' } })
  }, TIMEOUT)
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function upload(content: Buffer, name = 'x'): Promise<void> {
    const { status, text } = await client.exchange('POST', `/api/files?name=${name}`, { body: content })
    expect(status).toBe(200)
    kept.set(JSON.parse(text).file_id, content)
  }

  /** Is cut off by the kill. */
  const interrupted = (content: Buffer, name?: string) =>
    upload(content, name).then(
      () => expect.unreachable('it was to be cut off'),
      (error: unknown) => expect(error).toBeInstanceOf(TypeError),
    )

  const areThere = async (reader: Client) => {
    for (const [file_id, content] of kept) {
      const answer = await reader.fetch(`/api/files/${file_id}`)
      expect(content.equals(Buffer.from(await answer.arrayBuffer())), file_id).toBe(true)
    }
  }

  /** One upload at every step, those of `place` and of the way out, and one whose bytes still come. */
  async function haltEverywhere(): Promise<Promise<void>[]> {
    const small = randomBytes(1000)
    for (const content of [small, small, randomBytes(700_000), Buffer.alloc(0)]) await upload(content)
    const cut: Promise<void>[] = []
    for (const [step, bytes] of place.steps) {
      cut.push(interrupted(Buffer.concat([Buffer.from(`halt:${step}\n`), randomBytes(bytes)])))
      await expect.poll(() => place.hasHalted(service, step), { timeout: 60_000 }).toBe(true)
    }
    for (const content of [randomBytes(1000), small]) cut.push(interrupted(content, 'halt-answer'))
    await expect.poll(() => service.stdout.split('halted at answer').length, { timeout: 60_000 }).toBe(3)
    const arriving = request(`${client.url}/api/files?name=arriving`, {
      method: 'POST',
      headers: { cookie: client.cookieHeader, 'content-length': 1_000_000 },
    })
    arriving.on('error', () => {})
    await new Promise((resolve) => arriving.write(randomBytes(600_000), resolve))
    return cut
  }

  /** Until the service is gone, which is killed after some. */
  async function uploadMany(): Promise<void> {
    let left = 15 + chance.below(40)
    const write = async () => {
      try {
        for (;;) {
          await upload(randomBytes(chance.below(3) ? chance.below(5000) : chance.below(600_000)))
          if (--left === 0) service.child.kill('SIGKILL')
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    await service.ended
  }

  it(`loses nothing and leaves no half file (TEST_SEED=${TEST_SEED})`, { timeout: TIMEOUT }, async () => {
    const cut = await haltEverywhere()
    await uploadMany()
    await Promise.all(cut)
    // Of what the base knows nothing is missing or damaged.
    expect(await startFacet(database.url, ['files', 'verify'], env).done).toMatchObject({ code: 0, err: '' })
    const contents = new Set([...kept.values()].map((content) => content.toString('latin1')))
    expect((await place.names(folder)).length).toBeGreaterThan(contents.size)

    const again = await startService({ env })
    client = new Client(again.url)
    await client.ok('POST', '/api/auth/login', ACCOUNT)
    await areThere(client)
    const files = [...kept.keys()].map((file_id) => ({ file_id }))
    const tags = [{ tag_ref: { Existing: 'Doc' }, field_values: { files } }]
    await client.ok('POST', '/api/items', { name: 'What was acknowledged', tags })
    await again.close()

    // A day later the rest is gone.
    const later = await startService({ env, clock: () => Date.now() + LATER })
    const count = async () =>
      (await place.names(folder)).filter((name) => !name.endsWith('facet-owner')).length
    await expect.poll(count, { timeout: 20_000, interval: 100 }).toBe(contents.size)
    client = new Client(later.url)
    await client.ok('POST', '/api/auth/login', ACCOUNT)
    await areThere(client)
    await later.close()
  })
})
