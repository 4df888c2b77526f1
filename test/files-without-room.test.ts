import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { zipOf } from '#test/support/zip-of.ts'

/** Bytes of a file that the system takes of the process; `ulimit` counts halves of a KiB. */
const MOST = 32 * 1024 * 1024
const TOO_MUCH = Buffer.alloc(MOST + 1024 * 1024, 'x')
const TIMEOUT = 120_000

let service: ServiceProcess
let user: Client
beforeAll(async () => {
  const start = `ulimit -f ${MOST / 512}; exec "$0" "$@"`
  const command: [string, ...string[]] = ['sh', '-c', start, process.execPath, 'scripts/start.js']
  service = new ServiceProcess({ command, env: { LOG_LEVEL: 'silent' } })
  user = new Client(await service.url())
  await user.ok('POST', '/api/auth/register', { email: 'full@example.org', password: 'correct horse' })
}, TIMEOUT)
afterAll(() => service[Symbol.asyncDispose]())

const kept = () => {
  const entries = readdirSync(join(service.folder, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile() && each.name !== 'facet-owner').length
}
const upload = async (name: string, body: Buffer | string) => {
  const { status, text } = await user.exchange('POST', `/api/files?name=${name}`, { body: Buffer.from(body) })
  return { status, body: JSON.parse(text) }
}

describe('where a disk takes no more', () => {
  it(
    'an upload is 507 with a sentence, leaves nothing, and the service goes on',
    { timeout: TIMEOUT },
    async () => {
      const small = await upload('small.txt', 'there is room for this')
      expect(small.status).toBe(200)
      const answers = await Promise.all([1, 2, 3].map((i) => upload(`large-${i}`, TOO_MUCH)))
      for (const { status, body } of answers)
        expect([status, body.error, body.message, body.suggestion]).toEqual([
          507,
          'InsufficientStorage',
          expect.stringContaining('no room'),
          expect.stringContaining('FILES'),
        ])
      expect(kept()).toBe(1)
      expect((await user.get(`/api/files/${small.body.file_id}`)).body).toBe('there is room for this')
      expect((await upload('another.txt', 'and for this')).status).toBe(200)
      await user.ok('POST', '/api/items', { name: 'written all the same' })
    },
  )

  it('a URL to upload by does once more', { timeout: TIMEOUT }, async () => {
    const { body } = await user.post('/api/files/prepare', { name: 'prepared.txt' })
    const { pathname, search } = new URL(body.upload_url)
    const put = (content: Buffer | string) =>
      fetch(user.url + pathname + search, { method: 'PUT', body: Buffer.from(content) }).then(
        ({ status }) => status,
      )
    expect(await put(TOO_MUCH)).toBe(507)
    expect(await put('small')).toBe(200)
    expect((await user.get(`/api/files/${body.file_id}`)).body).toBe('small')
  })

  it('an import whose files do not fit says so, and the service goes on', { timeout: TIMEOUT }, async () => {
    // Packed it fits, unpacked it does not.
    const picture = randomBytes(TOO_MUCH.length / 2).toString('hex')
    const zip = await zipOf({ 'note.md': '![[picture.png]]\n', 'picture.png': picture })
    const { body } = await upload('notes.zip', zip)
    const looked = await user.post('/api/imports', { file_id: body.file_id })
    const { import_id } = looked.body
    const settled = () =>
      expect.poll(
        async () => {
          const { state, error } = await user.ok('GET', `/api/imports/${import_id}`)
          return [state, error?.code]
        },
        { timeout: 30_000 },
      )
    await settled().toEqual(['ready', undefined])
    await user.put(`/api/imports/${import_id}`, {})
    await settled().toEqual(['ready', undefined])
    await user.post(`/api/imports/${import_id}/run`, {})
    await settled().toEqual(['failed', 'InsufficientStorage'])
    await user.ok('POST', '/api/items', { name: 'still here' })
  })
})
