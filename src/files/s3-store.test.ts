import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { s3FaultOf } from '#src/files/s3-fault.ts'
import { S3Store } from '#src/files/s3-store.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** A store whose endpoint answers like that. */
async function storeAt(listener: RequestListener): Promise<S3Store> {
  server = createServer((request, response) => {
    request.resume().once('end', () => listener(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const key = { access_key_id: 'id', secret_access_key: 'secret' }
  return new S3Store({ kind: 's3', bucket: 'files', prefix: '', endpoint, region: 'us-east-1', ...key })
}

async function* bytes(count: number) {
  yield Buffer.alloc(count)
}

it.each([1, 6 * 1024 * 1024])('takes nothing for stored that no S3 has taken: %d bytes', async (size) => {
  const store = await storeAt((_, response) => response.end('<html>Welcome</html>'))
  const failed = await store.put('blob', bytes(size)).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(s3FaultOf(failed)).toMatchObject({
    message: expect.stringMatching(/: 200 without (?:ETag|UploadId)$/),
    remedy: 'Look at S3_ENDPOINT: what answers there does not speak S3',
  })
})

it('takes the whole for no part of it', async () => {
  const store = await storeAt((_, response) => response.end('0123456789'))
  await expect(store.open('blob', { start: 2, end: 4 })).rejects.toMatchObject({
    cause: { message: 's3://files: 200 to a range' },
  })
})
