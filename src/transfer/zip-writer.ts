import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

const deflate = promisify(deflateRaw)

const [LOCAL, CENTRAL, DESCRIPTOR, END, END_64, LOCATOR_64] = [
  0x04034b50, 0x02014b50, 0x08074b50, 0x06054b50, 0x06064b50, 0x07064b50,
]
const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
/** Of the format: 2.0 knows deflate, 4.5 large files. */
const [PLAIN, LARGE] = [20, 45]
const DEFLATED = 8
/** Sizes come behind the bytes; the path is UTF-8. */
const [SIZES_BEHIND, UTF_8] = [0x0008, 0x0800]
/** Characters of the directory that are kept as they are before they are packed. */
const DIRECTORY_CHUNK = 64 * 1024

interface Written {
  path: Buffer
  date: Date
  flags: number
  crc: number
  packed: number
  size: number
  offset: number
}

/**
 * Writes a zip as a stream, a file after the other. All that it keeps is the directory, itself packed: some 30 bytes a
 * file. Why not a library: what there is keeps an object for each file until the end.
 */
export class ZipWriter {
  private offset = 0
  private count = 0
  private directory: Buffer[] = []
  private recent: Buffer[] = []
  private recentLength = 0
  private directoryLength = 0

  /** A file whose bytes are there. */
  async *add(path: string, bytes: Buffer, date: Date): AsyncGenerator<Buffer> {
    yield* this.addPacked(path, await deflate(bytes), { date, crc: crc32(bytes), size: bytes.length })
  }

  /** A file that is packed already (raw deflate). */
  *addPacked(
    path: string,
    packed: Buffer,
    { date, crc, size }: { date: Date; crc: number; size: number },
  ): Generator<Buffer> {
    const file = { path: Buffer.from(path), date, flags: UTF_8, crc, packed: packed.length, size }
    yield* this.begin(file)
    yield this.out(packed)
  }

  /** A file that comes as a stream. */
  async *addStream(path: string, bytes: AsyncIterable<Buffer>, date: Date): AsyncGenerator<Buffer> {
    const flags = UTF_8 | SIZES_BEHIND
    const file = { path: Buffer.from(path), date, flags, crc: 0, packed: 0, size: 0 }
    const written = { ...file, offset: this.offset }
    yield this.out(localHeader(file))
    const measured = async function* () {
      for await (const piece of bytes) {
        written.crc = crc32(piece, written.crc)
        written.size += piece.length
        yield piece
      }
    }
    const coder = createDeflateRaw({ level: 1 })
    pipeline(Readable.from(measured(), { objectMode: false }), coder, () => {}) // the coder ends with its error
    for await (const piece of coder as AsyncIterable<Buffer>) {
      written.packed += piece.length
      yield this.out(piece)
    }
    yield this.out(descriptor(written))
    this.enter(written)
  }

  *end(): Generator<Buffer> {
    this.packDirectory()
    const start = this.offset
    for (const chunk of this.directory) yield this.out(inflateRawSync(chunk))
    yield endOf(this.count, this.directoryLength, start)
  }

  private *begin(file: Omit<Written, 'offset'>): Generator<Buffer> {
    this.enter({ ...file, offset: this.offset })
    yield this.out(localHeader(file))
  }

  private out(bytes: Buffer): Buffer {
    this.offset += bytes.length
    return bytes
  }

  private enter(file: Written): void {
    const entry = centralHeader(file)
    this.count++
    this.recent.push(entry)
    this.recentLength += entry.length
    this.directoryLength += entry.length
    if (this.recentLength >= DIRECTORY_CHUNK) this.packDirectory()
  }

  private packDirectory(): void {
    this.directory.push(deflateRawSync(Buffer.concat(this.recent), { level: 1 }))
    this.recent = []
    this.recentLength = 0
  }
}

/** What both headers of a file have in common, from the version on. */
function common({ path, date, flags, crc, packed, size }: Omit<Written, 'offset'>, version: number): Buffer {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(version, 0)
  head.writeUInt16LE(flags, 2)
  head.writeUInt16LE(DEFLATED, 4)
  head.writeUInt16LE(dosTime(date), 6)
  head.writeUInt16LE(dosDate(date), 8)
  head.writeUInt32LE(crc, 10)
  head.writeUInt32LE(Math.min(packed, MAX_32), 14)
  head.writeUInt32LE(Math.min(size, MAX_32), 18)
  head.writeUInt16LE(path.length, 22)
  return head
}

function localHeader(file: Omit<Written, 'offset'>): Buffer {
  return Buffer.concat([uint32(LOCAL), common(file, PLAIN), file.path])
}

const isLarge = ({ packed, size }: Written) => packed >= MAX_32 || size >= MAX_32

function descriptor(file: Written): Buffer {
  const large = isLarge(file)
  const sizes = large ? [uint64(file.packed), uint64(file.size)] : [uint32(file.packed), uint32(file.size)]
  return Buffer.concat([uint32(DESCRIPTOR), uint32(file.crc), ...sizes])
}

function centralHeader(file: Written): Buffer {
  const { path, packed, size, offset } = file
  const large = [size, packed, offset].filter((each) => each >= MAX_32)
  const extra = large.length
    ? Buffer.concat([uint16(1), uint16(large.length * 8), ...large.map(uint64)])
    : Buffer.alloc(0)
  const version = large.length ? LARGE : PLAIN
  const shared = common(file, version)
  shared.writeUInt16LE(extra.length, 24)
  const rest = Buffer.alloc(14) // no comment, first disk, no attributes
  rest.writeUInt32LE(Math.min(offset, MAX_32), 10)
  return Buffer.concat([uint32(CENTRAL), uint16(version), shared, rest, path, extra])
}

function endOf(count: number, length: number, start: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(length, MAX_32), 12)
  end.writeUInt32LE(Math.min(start, MAX_32), 16)
  if (count < MAX_16 && length < MAX_32 && start < MAX_32) return end
  const [version, disks] = [uint16(LARGE), Buffer.alloc(8)]
  const numbers = [count, count, length, start].map(uint64)
  const end64 = [uint32(END_64), uint64(44), version, version, disks, ...numbers]
  const locator = [uint32(LOCATOR_64), uint32(0), uint64(start + length), uint32(1)]
  return Buffer.concat([...end64, ...locator, end])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** Two seconds at a time, from 1980 on. */
const dosTime = (date: Date) =>
  (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
const dosDate = (date: Date) =>
  (Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127) << 9) |
  ((date.getUTCMonth() + 1) << 5) |
  date.getUTCDate()
