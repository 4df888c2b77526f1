import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { S3Store } from '#src/files/s3-store.ts'
import { portOf, requireSignatures } from '#test/support/signed-requests.ts'

const BUCKET = 'facet-test'
const KEY = 'S3RVER'

export interface S3Server {
  /** What makes `s3://` lead here. */
  settings: Record<string, string>
  /** `s3://bucket/prefix` */
  at(prefix: string): string
  names(prefix: string): Promise<string[]>
  put(prefix: string, name: string, content: string): Promise<void>
  remove(prefix: string, name: string): Promise<void>
  close(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'facet-s3-'))
  const buckets = [{ name: BUCKET, configs: [] }]
  const options = { port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: buckets }
  const server = new S3rver(options)
  const { port } = await server.run()
  const front = await requireSignatures(port, KEY)
  const endpoint = `http://127.0.0.1:${portOf(front)}`
  const store = (prefix: string) =>
    new S3Store(
      {
        kind: 's3',
        bucket: BUCKET,
        prefix,
        endpoint,
        region: 'us-east-1',
        access_key_id: KEY,
        secret_access_key: KEY,
      },
      () => true,
    )
  return {
    settings: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: KEY, S3_SECRET_ACCESS_KEY: KEY },
    at: (prefix) => `s3://${BUCKET}/${prefix}`,
    async names(prefix) {
      const names: string[] = []
      for await (const { blob } of store(prefix).list()) names.push(blob)
      return names.toSorted()
    },
    put: (prefix, name, content) => store(prefix).put(name, pieces(content)),
    remove: (prefix, name) => store(prefix).remove(name),
    async close() {
      front.close()
      front.closeAllConnections()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function* pieces(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}
