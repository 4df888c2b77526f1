import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_FILES, MAX_NESTED, MAX_RATIO, MAX_UNPACKED } from '#src/imports/bounds.ts'
import { type ImportFile, ImportFault, type LeftOut } from '#src/imports/source.ts'
import { openZip, type PackedFile, type Zip } from '#src/imports/zip/zip.ts'
import { makeWorkingFolder } from '#src/process/working-folders.ts'

/** A file in an archive; `path` has `/` between folders, and none before it. */
export interface ArchivedFile {
  path: string
  /** Bytes, unpacked. */
  size: number
  /** CRC-32 of them. */
  crc: number
  /** @throws ImportFault where it is not what the archive says */
  open(): Promise<Readable>
  /** All of it: for what is known to be small enough. @throws ImportFault */
  read(): Promise<Buffer>
}

export interface ArchiveOptions {
  /** Zips in it are taken for folders: their files are next to the others. */
  unpackZips?: boolean
  signal?: AbortSignal
}

/** What macOS and Windows put next to files. */
const NOBODYS = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i
const TWICE = 'the zip has another file of this path, which is taken'
/** Characters of all paths: they are kept while the archive is open. */
const MAX_PATHS = 16 * 1024 * 1024

/**
 * The files of a zip, and of zips in it where that is wanted. Bounded before anything is unpacked: by what the archive
 * says of itself, which is held against what comes when a file is read (further §15).
 */
export class Archive {
  readonly files = new Map<string, ArchivedFile>()
  /** Files whose path another one has, unless they are the same: the first of each path is taken. */
  readonly left_out: LeftOut[] = []
  private readonly zips: Zip[] = []
  private readonly name: string
  private readonly options: ArchiveOptions
  private readonly most: number
  private readonly parent: string | undefined
  private folder: string | undefined
  private unpacked = 0
  private count = 0
  private paths = 0

  private constructor({ name, size, folder }: ImportFile, options: ArchiveOptions) {
    this.name = name
    this.parent = folder
    this.options = options
    this.most = Math.min(MAX_UNPACKED, size * MAX_RATIO)
  }

  /** @throws ImportFault where it is no zip, or a hostile one */
  static async open(file: ImportFile, options: ArchiveOptions = {}): Promise<Archive> {
    const archive = new Archive(file, options)
    try {
      await archive.take(file.path, file.name, 1)
      return archive
    } catch (error) {
      await archive.close()
      throw error
    }
  }

  async close(): Promise<void> {
    for (const zip of this.zips.splice(0)) await zip.close()
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }

  private async take(path: string, place: string, depth: number): Promise<void> {
    if (depth > MAX_NESTED) throw new ImportFault(`zips are more than ${MAX_NESTED} deep`, { file: place })
    const zip = await openZip(path, place)
    this.zips.push(zip)
    const inner: PackedFile[] = []
    for await (const packed of zip.entries()) {
      this.options.signal?.throwIfAborted()
      this.weigh(packed)
      if (packed.path.endsWith('/') || NOBODYS.test(packed.path)) continue
      if (this.options.unpackZips && /\.zip$/i.test(packed.path)) inner.push(packed)
      else this.add(fileOf(zip, packed))
    }
    for (const packed of inner) await this.takeInner(zip, packed, `${place}/${packed.path}`, depth + 1)
  }

  private add(file: ArchivedFile): void {
    const known = this.files.get(file.path)
    if (!known) this.files.set(file.path, file)
    else if (known.size !== file.size || known.crc !== file.crc)
      this.left_out.push({ is: 'left_out', name: file.path, reason: TWICE })
  }

  /** Random access is needed: it is unpacked to a file, which goes with the archive. */
  private async takeInner(zip: Zip, packed: PackedFile, place: string, depth: number): Promise<void> {
    this.folder ??=
      this.parent === undefined ? makeWorkingFolder('zip') : await mkdtemp(join(this.parent, 'zip-'))
    const path = join(this.folder, String(this.zips.length))
    const { signal } = this.options
    await pipeline(await zip.open(packed), createWriteStream(path, { mode: 0o600 }), {
      ...(signal && { signal }),
    })
    await this.take(path, place, depth)
  }

  private weigh({ path, size }: PackedFile): void {
    const place = { file: this.name }
    this.paths += path.length
    if (++this.count > MAX_FILES || this.paths > MAX_PATHS)
      throw new ImportFault(
        this.count > MAX_FILES ? `it holds more than ${MAX_FILES} files` : 'its paths are longer than 16 MiB',
        place,
        'Export it in parts',
      )
    this.unpacked += size
    if (this.unpacked > this.most)
      throw new ImportFault(
        this.most === MAX_UNPACKED
          ? 'unpacked it is larger than 2 GiB'
          : `unpacked it is more than ${MAX_RATIO} times its size, as only a hostile archive is`,
        place,
      )
  }
}

const fileOf = (zip: Zip, packed: PackedFile): ArchivedFile => ({
  path: packed.path,
  size: packed.size,
  crc: packed.crc,
  open: () => zip.open(packed),
  read: () => zip.read(packed),
})
