import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { readCopyName } from '#src/backup/copy-name.ts'
import type { CopyPlace } from '#src/backup/copy-place.ts'
import { S3Bucket, withS3Fault } from '#src/backup/s3-bucket.ts'
import { inStagingFolder, sweepStaging } from '#src/backup/staging-folder.ts'
import { type CopiedConfig, writeBase, type WrittenCopy } from '#src/backup/write-copy.ts'
import type { S3Place } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { contentsOf, copyContents, sizesIn } from '#src/transfer/moved-files.ts'

/**
 * Copies in a bucket. Links are not to be had there, so the files of all copies of a base lie together, each once, and
 * next to each copy lies a list of its own.
 */
export class S3Copies implements CopyPlace {
  private readonly config: CopiedConfig
  private readonly base_id: string
  private readonly bucket: S3Bucket

  constructor(place: S3Place, config: CopiedConfig, base_id: string) {
    this.config = config
    this.base_id = base_id
    this.bucket = new S3Bucket(config.s3, place, base_id)
  }

  async prepare(before: number): Promise<void> {
    sweepStaging(this.config.database)
    const { copies, contents } = this.bucket
    await withS3Fault(async () => {
      await copies.sweepHalves(new Date(before))
      await contents.sweepHalves(new Date(before))
    })
  }

  write(connection: CommandConnection, name: string): Promise<WrittenCopy> {
    const { config, bucket } = this
    return withS3Fault(() =>
      inStagingFolder(config.database, async (folder) => {
        const copy = await writeBase(connection, config, join(folder, name), async () => {
          // First: what is named in a list is not taken away.
          await bucket.writeList(name, contentsOf(connection.db))
          return copyContents(connection.db, config.files, bucket.contents)
        })
        await this.send(copy.file, name)
        return { ...copy, file: bucket.addressOf(name) }
      }),
    )
  }

  async names(): Promise<string[]> {
    return withS3Fault(async () => [...(await sizesIn(this.bucket.copies)).keys()])
  }

  async remove(gone: readonly string[], kept: ReadonlySet<string>, before: number): Promise<void> {
    const { copies } = this.bucket
    await withS3Fault(async () => {
      for (const name of gone) await copies.remove(name)
      const lists = await this.bucket.lists()
      const ended = lists.filter((name) => {
        const { at } = readCopyName(name, this.base_id)!
        return !kept.has(name) && (gone.includes(name) || at < before)
      })
      if (!ended.length) return
      await this.removeContents(
        lists.filter((name) => !ended.includes(name)),
        kept,
      )
      for (const name of ended) await this.bucket.removeList(name)
    })
  }

  /** The files that no list has any more; none where a copy has lost its own. */
  private async removeContents(lists: readonly string[], kept: ReadonlySet<string>): Promise<void> {
    if ([...kept].some((name) => !lists.includes(name))) return
    const needed = new Set<string>()
    for (const name of lists) for await (const { blob } of this.bucket.readList(name)) needed.add(blob)
    for await (const { blob } of this.bucket.contents.list())
      if (!needed.has(blob)) await this.bucket.contents.remove(blob)
  }

  /** What came there is read again; where it is something else, it goes. */
  private async send(file: string, name: string): Promise<void> {
    const { copies } = this.bucket
    const sent = createHash('sha256')
    await copies.put(name, hashing(createReadStream(file), sent))
    const there = createHash('sha256')
    for await (const chunk of await copies.open(name)) there.update(chunk as Buffer)
    if (sent.digest('hex') === there.digest('hex')) return
    await copies.remove(name)
    throw unavailable(`${this.bucket.addressOf(name)} was not what had been sent there`, {
      suggestion: 'Look at the log of that service; the copy is made again',
    })
  }
}

async function* hashing(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}
