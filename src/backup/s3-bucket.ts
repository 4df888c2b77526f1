import { createInterface } from 'node:readline'
import { readCopyName } from '#src/backup/copy-name.ts'
import type { S3Place, S3Service } from '#src/config/config.ts'
import { s3ConfigOf } from '#src/config/s3-place.ts'
import type { StoredBlob } from '#src/files/file-store.ts'
import { forOperator } from '#src/files/s3-fault.ts'
import { S3Store } from '#src/files/s3-store.ts'

/** Next to a copy: which files it has, `<blob> <size>` a line. */
const LIST = '.files.txt'

/** How copies of a base lie in a bucket: `NAME`, `NAME.files.txt`, and the files of all of them in `facet-<base>.files/`. */
export class S3Bucket {
  readonly copies: S3Store
  readonly contents: S3Store

  constructor(service: S3Service, place: S3Place, base_id: string) {
    const prefix = [place.prefix, `facet-${base_id}.files`].filter(Boolean).join('/')
    this.copies = new S3Store(s3ConfigOf(service, place), (name) => {
      const copy = name.endsWith(LIST) ? name.slice(0, -LIST.length) : name
      return readCopyName(copy, base_id) !== null
    })
    this.contents = new S3Store(s3ConfigOf(service, { ...place, prefix }))
  }

  addressOf(name: string): string {
    return `${this.copies.place}/${name}`
  }

  /** Copies that have a list, whether they are there or not. */
  async lists(): Promise<string[]> {
    const names: string[] = []
    for await (const { blob } of this.copies.list())
      if (blob.endsWith(LIST)) names.push(blob.slice(0, -LIST.length))
    return names
  }

  async writeList(name: string, files: AsyncIterable<StoredBlob>): Promise<void> {
    await this.copies.put(name + LIST, inLines(files))
  }

  /** @throws MissingBlob where the copy has none */
  async *readList(name: string): AsyncGenerator<StoredBlob> {
    const lines = createInterface({ input: await this.copies.open(name + LIST), crlfDelay: Infinity })
    for await (const line of lines) {
      const [blob = '', size = ''] = line.split(' ')
      yield { blob, size: Number(size) }
    }
  }

  async removeList(name: string): Promise<void> {
    await this.copies.remove(name + LIST)
  }
}

/** Lines in pieces of some size: one for each would be as many pieces as there are files. */
async function* inLines(files: AsyncIterable<StoredBlob>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const { blob, size } of files) {
    text += `${blob} ${size}\n`
    if (text.length < PIECE) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

const PIECE = 64 * 1024

/** What a bucket refuses, with its name and what to look at: those who read this run the service. */
export async function withS3Fault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw forOperator(error)
  }
}
