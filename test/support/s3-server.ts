import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { S3Store } from '#src/files/s3-store.ts'
import {
  type Meddling,
  type Moment,
  type Passed,
  portOf,
  requireSignatures,
} from '#test/support/signed-requests.ts'

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
  /** Where uploads stand still that begin with `halt:<step>`, such as `before-put` or `after-first-part`. */
  halted: Set<string>
  /** Of what is read from now on only the first bytes come. */
  stall(): void
  /** Of objects, from now on; null: all is allowed again. */
  forbid(method: 'GET' | 'PUT' | 'DELETE' | null): void
  close(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'facet-s3-'))
  const buckets = [{ name: BUCKET, configs: [] }]
  const options = { port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: buckets }
  const halts = new Halts()
  const server = new S3rver(options)
  const { port } = await server.run()
  const front = await requireSignatures(port, KEY, halts)
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
    halted: halts.halted,
    stall: () => void (halts.isStalling = true),
    forbid: (method) => void (halts.forbidden = method),
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

/** Requests of an upload that go no further, as its first bytes say. */
class Halts implements Meddling {
  readonly halted = new Set<string>()
  isStalling = false
  forbidden: string | null = null
  private readonly steps = new Map<string, string>()

  meet(moment: Moment, { method, url, body }: Passed): Promise<void> | undefined {
    const [, said] = /^halt:([\w-]+)/.exec(body.toString('latin1', 0, 40)) ?? []
    if (said) this.steps.set(url.pathname, said)
    const { searchParams } = url
    const what =
      method === 'POST' && searchParams.has('uploadId')
        ? 'complete'
        : searchParams.get('partNumber') === '1'
          ? 'first-part'
          : method === 'PUT' && !searchParams.size && 'put'
    const step = `${moment}-${what}`
    if (this.steps.get(url.pathname) !== step) return undefined
    this.halted.add(step)
    return new Promise(() => {})
  }

  stalls({ method, url }: Passed): boolean {
    return this.isStalling && method === 'GET' && !url.searchParams.size
  }

  forbids({ method, url }: Passed): boolean {
    return method === this.forbidden && !url.searchParams.size
  }
}

async function* pieces(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}
