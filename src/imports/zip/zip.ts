import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import yauzl from 'yauzl'
import { composed } from '#src/domain/decompose.ts'
import { ImportFault } from '#src/imports/source.ts'

/** What is kept of a file in a zip until it is read. */
export interface PackedFile {
  path: string
  size: number
  packed_size: number
  method: number
  /** CRC-32 of what it holds. */
  crc: number
  /** Of its local header. */
  offset: number
}

const MAX_PATH = 4096
const BLOCK = 128 * 1024
/** Bytes of what is unpacked in one piece: a stream costs more than the file then. */
const SMALL = 1024 * 1024
const LOCAL_HEADER = 30
const LOCAL_SIGNATURE = 0x04034b50
export const SIGNATURE_BYTES = 4
const SYMBOLIC_LINK = 0o120000
const FORMAT = 0o170000
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

/** What a file of a zip begins with, and so the zip. */
export const beginsAsZip = (head: Buffer): boolean =>
  head.length >= SIGNATURE_BYTES && head.readUInt32LE(0) === LOCAL_SIGNATURE

/** One zip on a disk; `place` names it in faults. @throws ImportFault where it is none */
export async function openZip(path: string, place: string): Promise<Zip> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const options = { autoClose: false, strictFileNames: false }
    const blocks = new Blocks(handle)
    return new Zip(await yauzl.fromRandomAccessReaderPromise(blocks, size, options), place, handle, blocks)
  } catch (error) {
    await handle.close()
    throw faultOf(error, place, UNREADABLE)
  }
}

export class Zip {
  private readonly zip: yauzl.ZipFile
  private readonly place: string
  private readonly handle: FileHandle
  private readonly blocks: Blocks

  constructor(zip: yauzl.ZipFile, place: string, handle: FileHandle, blocks: Blocks) {
    this.zip = zip
    this.place = place
    this.handle = handle
    this.blocks = blocks
  }

  /** Folders too: their paths end with `/`. Once. @throws ImportFault for paths that lead out of it, links, secrets */
  async *entries(): AsyncGenerator<PackedFile> {
    try {
      for await (const entry of this.zip.eachEntry()) yield this.checked(entry)
    } catch (error) {
      throw faultOf(error, this.place, UNREADABLE)
    }
  }

  /** @throws ImportFault, also while it is read */
  async open({ path, size, packed_size, method, crc, offset }: PackedFile): Promise<Readable> {
    const place = `${this.place}/${path}`
    const entry = Object.assign(Object.create(yauzl.Entry.prototype) as yauzl.Entry, {
      compressedSize: packed_size,
      relativeOffsetOfLocalHeader: offset,
    })
    try {
      const { fileDataStart } = await this.zip.readLocalFileHeaderPromise(entry, { minimal: true })
      // The method of the library that answers a promise calls another one.
      const bytes = await new Promise<Readable>((resolve, reject) => {
        this.zip.openReadStreamLowLevel(
          fileDataStart,
          packed_size,
          0,
          packed_size,
          method === DEFLATED,
          size,
          (error, stream) => (error ? reject(error) : resolve(stream)),
        )
      })
      const checked = Readable.from(inWords(bytes, place, crc), { objectMode: false })
      return checked.once('close', () => bytes.destroy()) // nobody may have begun to read
    } catch (error) {
      throw faultOf(error, place)
    }
  }

  /** All of a file. @throws ImportFault */
  async read(file: PackedFile): Promise<Buffer> {
    const { path, size, packed_size, method, crc, offset } = file
    if (packed_size > BLOCK || size > SMALL) {
      const pieces: Buffer[] = []
      for await (const piece of await this.open(file)) pieces.push(piece as Buffer)
      return Buffer.concat(pieces)
    }
    try {
      const header = await this.blocks.bytes(offset, LOCAL_HEADER)
      if (!beginsAsZip(header)) throw new Error('it is not where the archive says')
      const start = offset + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
      const packed = await this.blocks.bytes(start, packed_size)
      const bytes = method === DEFLATED ? inflateRawSync(packed, { maxOutputLength: size + 1 }) : packed
      if (bytes.length !== size) throw new Error(WRONG_SIZE)
      if (crc32(bytes) !== crc) throw new Error(WRONG_SUM)
      return bytes
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw faultOf(new Error(WRONG_SIZE), `${this.place}/${path}`)
      throw faultOf(error, `${this.place}/${path}`)
    }
  }

  async close(): Promise<void> {
    this.zip.close()
    await this.handle.close()
  }

  private checked(entry: yauzl.Entry): PackedFile {
    const { fileName: path, externalFileAttributes, generalPurposeBitFlag: flags, compressionMethod } = entry
    const place = { file: `${this.place}/${path.slice(0, MAX_PATH)}` }
    if (path.length > MAX_PATH || path.includes('\0'))
      throw new ImportFault('the path is none: it is too long, or has a NUL character', place)
    if (((externalFileAttributes >>> 16) & FORMAT) === SYMBOLIC_LINK)
      throw new ImportFault('a symbolic link is no file', place, 'Put the file itself into the archive')
    if (flags & ENCRYPTED)
      throw new ImportFault('it is encrypted', place, 'Pack the archive again without a password')
    if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
      throw new ImportFault(
        `it is packed by method ${compressionMethod}`,
        place,
        'Pack the archive again as an ordinary zip',
      )
    return {
      path: composed(path)
        .replaceAll(/\/{2,}|\/(?:\.\/)+/g, '/')
        .replace(/^\.\//, ''),
      size: entry.uncompressedSize,
      packed_size: entry.compressedSize,
      method: compressionMethod,
      crc: entry.crc32,
      offset: entry.relativeOffsetOfLocalHeader,
    }
  }
}

/** Fails before its end where it is not what was packed. */
async function* inWords(bytes: Readable, place: string, crc: number): AsyncGenerator<Buffer> {
  let sum = 0
  try {
    for await (const piece of bytes) {
      sum = crc32(piece as Buffer, sum)
      yield piece as Buffer
    }
    if (sum !== crc) throw new Error(WRONG_SUM)
  } catch (error) {
    throw faultOf(error, place)
  }
}

const WRONG_SIZE = 'unpacked it is not as large as the archive says'
const WRONG_SUM = 'it is damaged: its checksum is not that of the archive'

/** As the library says it. */
const LEADS_OUT = /^(?:absolute path|invalid relative path): ([^]*)$/
const WHOLE = 'Import the file as a whole; notes come packed as a .zip, a single one too'
/** Before what the library says of the zip itself. */
const UNREADABLE = 'it cannot be read as a zip: '
const ANEW = 'Pack the folder again, in one piece and without a password'
const REPACK = 'Pack the folder again with paths that begin in it: without a drive, a "/" before them or ".."'

/** The library's own sentences name no file; whatever it throws is a fault of the archive. */
function faultOf(error: unknown, place: string, before = ''): unknown {
  if (error instanceof ImportFault) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (/^E[A-Z]+$/.test(code ?? '')) return error // of the disk
  const [, path] = LEADS_OUT.exec(message) ?? []
  if (path !== undefined)
    return new ImportFault(
      `the path '${path.slice(0, MAX_PATH)}' leads out of the archive`,
      { file: place },
      REPACK,
    )
  const isNone = message.startsWith('End of central directory record signature not found')
  return isNone
    ? new ImportFault('it is no zip, or only the beginning of one', { file: place }, WHOLE)
    : new ImportFault(before + message, { file: place }, before ? ANEW : undefined)
}

/** Reads in blocks: an archive of 100,000 files has its directory in small pieces. */
class Blocks extends yauzl.RandomAccessReader {
  private readonly handle: FileHandle
  private readonly block = Buffer.allocUnsafe(BLOCK)
  private from = 0
  private length = 0
  private turn: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle) {
    super()
    this.handle = handle
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    // One after the other: they share the block.
    const filled = this.turn.then(() => this.fill(buffer.subarray(offset, offset + length), position))
    this.turn = filled.catch(() => {})
    callbackify(() => filled)(callback)
  }

  async bytes(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    const filled = this.turn.then(() => this.fill(buffer, position))
    this.turn = filled.catch(() => {})
    await filled
    return buffer
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }

  private async fill(wanted: Buffer, position: number): Promise<void> {
    const end = position + wanted.length
    if (wanted.length > BLOCK) return this.readFully(wanted, position)
    if (position < this.from || end > this.from + this.length) {
      const { bytesRead } = await this.handle.read(this.block, 0, BLOCK, position)
      this.from = position
      this.length = bytesRead
    }
    if (end > this.from + this.length) throw new Error('it ends too early')
    this.block.copy(wanted, 0, position - this.from, end - this.from)
  }

  private async readFully(wanted: Buffer, position: number): Promise<void> {
    const { bytesRead } = await this.handle.read(wanted, 0, wanted.length, position)
    if (bytesRead < wanted.length) throw new Error('it ends too early')
  }

  private async *range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafe(Math.min(64 * 1024, end - at))
      const { bytesRead } = await this.handle.read(piece, 0, piece.length, at)
      if (!bytesRead) throw new Error('it ends too early')
      yield piece.subarray(0, bytesRead)
      at += bytesRead
    }
  }
}
