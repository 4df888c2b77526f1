import { crc32, createDeflateRaw } from 'node:zlib'

/** A text that grows, kept packed. */
export class PackedLines {
  crc = 0
  size = 0
  private readonly coder = createDeflateRaw()
  private readonly pieces: Buffer[] = []

  constructor() {
    this.coder.on('data', (piece: Buffer) => this.pieces.push(piece))
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    this.crc = crc32(bytes, this.crc)
    this.size += bytes.length
    if (!this.coder.write(bytes)) await new Promise((resolve) => this.coder.once('drain', resolve))
  }

  async end(): Promise<Buffer> {
    const ended = new Promise((resolve) => this.coder.once('end', resolve))
    this.coder.end()
    await ended
    return Buffer.concat(this.pieces)
  }
}
