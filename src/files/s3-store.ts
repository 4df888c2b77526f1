import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { S3Config } from '#src/config/config.ts'
import { s3Address } from '#src/config/s3-place.ts'
import { insufficientStorage, unavailable } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import {
  type ByteRange,
  type FileStore,
  type Mark,
  MissingBlob,
  type StoredBlob,
} from '#src/files/file-store.ts'
import { inBatches } from '#src/files/in-batches.ts'
import { S3Fault } from '#src/files/s3-fault.ts'
import { escaped, signedHeaders } from '#src/files/sign-s3.ts'

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The texts of all elements of that name, which have no elements in them. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => unescaped(text!))

/** Of each element of that name the texts of these in it. */
function attributesOf(xml: string, name: string, inner: readonly string[]): (string | undefined)[][] {
  const elements = xml.match(new RegExp(`<${name}>.*?</${name}>`, 'gs')) ?? []
  return elements.map((element) => inner.map((each) => textsOf(element, each)[0]))
}

const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex as string, 16))
    return ENTITIES[named] ?? whole
  })

/** Bytes that are sent at once; S3 wants at least 5 MiB of each part but the last, and at most 10,000 parts. */
const PART = 5 * 1024 * 1024
const MORE_PARTS = 64 * 1024 * 1024
/** Parts after which they are larger, so that 10,000 of them are enough. */
const MANY_PARTS = 1000
const partSize = (count: number) => (count < MANY_PARTS ? PART : MORE_PARTS)
/** Milliseconds until an answer begins. */
const PATIENCE = 60_000
const ATTEMPTS = 3

/** What Facet calls the bytes of a file. */
const isBlob = (name: string) => parseUlid(name) === name

interface Sent {
  method: string
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}

/** Files in a bucket of any service that speaks S3. An object appears whole or not at all, also of several parts. */
export class S3Store implements FileStore {
  readonly place: string
  private readonly config: S3Config
  private readonly base: string
  private readonly isOurs: (name: string) => boolean

  /** Of what others have in the bucket nothing is listed, and nothing is ended. */
  constructor(config: S3Config, isOurs: (name: string) => boolean = isBlob) {
    this.isOurs = isOurs
    const { bucket, endpoint, region } = config
    this.config = config
    this.place = s3Address(config)
    // What is not Amazon's need not know names of buckets as names of hosts.
    const host = `s3.${region}.amazonaws.com`
    this.base = endpoint
      ? `${endpoint}/${escaped(bucket)}`
      : bucket.includes('.')
        ? `https://${host}/${bucket}`
        : `https://${bucket}.${host}`
  }

  async put(blob: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = inBatches(content, partSize, 1)
    const first = (await parts.next()).value ?? new Uint8Array()
    if (first.length < PART) await this.etagOf(await this.send({ method: 'PUT', key: blob, body: first }))
    else await this.putInParts(blob, first, parts)
  }

  async open(blob: string, range?: ByteRange): Promise<Readable> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` }
    const response = await this.send({ method: 'GET', key: blob, ...(headers && { headers }) }, [404])
    if (response.status === 404) {
      await this.discard(response)
      throw new MissingBlob(blob, this.place)
    }
    if (range && response.status !== 206) {
      await this.discard(response)
      throw this.fault(`${response.status} to a range`)
    }
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the flows know the browser's types too, where it is one
    const body = response.body as ReadableStream | null
    return body ? Readable.fromWeb(body) : Readable.from([])
  }

  async remove(blob: string): Promise<void> {
    await this.discard(await this.send({ method: 'DELETE', key: blob }, [404]))
  }

  async *list(): AsyncIterable<StoredBlob> {
    const prefix = this.keyOf('')
    for (let token: string | undefined, more = true; more;) {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
      const xml = await (await this.send({ method: 'GET', query })).text()
      for (const [key = '', size = ''] of attributesOf(xml, 'Contents', ['Key', 'Size'])) {
        const blob = key.slice(prefix.length)
        if (key.startsWith(prefix) && this.isOurs(blob)) yield { blob, size: Number(size) }
      }
      token = textsOf(xml, 'NextContinuationToken')[0]
      more = token !== undefined
    }
  }

  async readMark(name: Mark): Promise<string | null> {
    const response = await this.send({ method: 'GET', key: name }, [404])
    const text = await response.text()
    if (response.ok) return text.trim() || null
    // Without a bucket nothing is known of its marks.
    const code = textsOf(text, 'Code')[0] ?? ''
    if (code === 'NoSuchBucket') throw this.fault(`404 ${code}`)
    return null
  }

  async writeMark(name: Mark, mark: string): Promise<void> {
    await this.etagOf(await this.send({ method: 'PUT', key: name, body: Buffer.from(`${mark}\n`) }))
  }

  async sweepHalves(before: Date): Promise<void> {
    const query = { uploads: '', prefix: this.keyOf('') }
    // Small services do not list what was begun.
    const response = await this.send({ method: 'GET', query }, [501])
    const xml = await response.text()
    for (const [key = '', id = '', begun = ''] of attributesOf(xml, 'Upload', [
      'Key',
      'UploadId',
      'Initiated',
    ]))
      if (new Date(begun) < before && key.startsWith(this.keyOf(''))) {
        const blob = key.slice(this.keyOf('').length)
        if (this.isOurs(blob)) await this.abort(blob, id)
      }
  }

  private async putInParts(
    blob: string,
    first: Uint8Array,
    others: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const begun = await (await this.send({ method: 'POST', key: blob, query: { uploads: '' } })).text()
    const [id] = textsOf(begun, 'UploadId')
    if (!id) throw this.fault('200 without UploadId')
    try {
      const tags: string[] = []
      const sendPart = async (body: Uint8Array) => {
        const query = { partNumber: String(tags.length + 1), uploadId: id }
        const response = await this.send({ method: 'PUT', key: blob, query, body })
        tags.push(await this.etagOf(response))
      }
      await sendPart(first)
      for await (const body of others) await sendPart(body)
      await this.complete(blob, id, tags)
    } catch (error) {
      await this.abort(blob, id).catch(() => undefined)
      throw error
    }
  }

  private async complete(blob: string, id: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map(
      (tag, i) =>
        `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const headers = { 'content-type': 'application/xml' }
    const response = await this.send({ method: 'POST', key: blob, query: { uploadId: id }, headers, body })
    // It can say 200 first and find out afterwards that it failed.
    const text = await response.text()
    if (text.includes('<Error>')) throw this.fault(`200 ${textsOf(text, 'Code')[0] ?? ''}`)
  }

  private async abort(blob: string, id: string): Promise<void> {
    await this.discard(await this.send({ method: 'DELETE', key: blob, query: { uploadId: id } }, [404]))
  }

  /** Of what was stored: what answers without one is no S3, though it says 200, and has kept nothing. */
  private async etagOf(response: Response): Promise<string> {
    const etag = response.headers.get('etag')
    await this.discard(response)
    if (etag === null) throw this.fault('200 without ETag')
    return etag
  }

  private keyOf(blob: string): string {
    const { prefix } = this.config
    return prefix ? `${prefix}/${blob}` : blob
  }

  /** What may pass is tried again. @throws where the answer is neither a success nor one that is `expected` */
  private async send(sent: Sent, expected: readonly number[] = []): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.sendOnce(sent).catch((error: unknown) => {
        if (attempt >= ATTEMPTS) throw this.fault('no answer', error)
        return null
      })
      if (response && (response.ok || expected.includes(response.status))) return response
      if (response && (attempt >= ATTEMPTS || (response.status < 500 && response.status !== 429)))
        throw await this.faultOf(response)
      if (response) await this.discard(response)
      await new Promise((resolve) => setTimeout(resolve, 100 * 4 ** attempt))
    }
  }

  private sendOnce({ method, key, query = {}, headers = {}, body }: Sent): Promise<Response> {
    const path = key === undefined ? '/' : `/${this.keyOf(key).split('/').map(escaped).join('/')}`
    const url = new URL(this.base + path)
    url.search = Object.entries(query)
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .join('&')
    const signed = signedHeaders(this.config, { method, url, headers, body, now: new Date() })
    // An answer may take as long as it likes once it has begun.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('no answer in time')), PATIENCE)
    const init = { method, headers: signed, signal: late.signal, redirect: 'manual' as const }
    return fetch(url, { ...init, ...(body && { body: body as Uint8Array<ArrayBuffer> }) }).finally(() =>
      clearTimeout(timer),
    )
  }

  private async faultOf(response: Response): Promise<Error> {
    const code = textsOf(await response.text().catch(() => ''), 'Code')[0] ?? ''
    const reason = `${response.status} ${code}`.trim()
    if (response.status === 507 || /quota|storagefull|insufficient/i.test(code)) {
      const error = insufficientStorage('There is no room for this file: nothing was kept', {
        suggestion: 'Free space where FILES leads, and send it again',
      })
      error.cause = new S3Fault(this.place, reason)
      return error
    }
    return this.fault(reason)
  }

  /** The answer of a service of ours may say more than its callers should read; the log has it. */
  private fault(reason: string, cause?: unknown): Error {
    const error = unavailable('The store of the files does not answer as it should', {
      suggestion: 'Try again in a moment',
    })
    error.cause = new S3Fault(this.place, reason, { cause })
    return error
  }

  private async discard(response: Response): Promise<void> {
    await response.body?.cancel()
  }
}
