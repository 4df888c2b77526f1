import { createHash } from 'node:crypto'
import { HEAD, isUtf16, typeOf } from '#src/files/file-type.ts'
import { MarkupScan } from '#src/files/markup-scan.ts'

export interface Measure {
  size: number
  /** Hex. */
  sha256: string
  type: string
}

/** A stream on its way to the store: what it is, and how much, is known once it has gone through. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  private readonly source: AsyncIterable<Uint8Array>
  private readonly onSize: (size: number) => void
  private readonly hash = createHash('sha256')
  private readonly head: Uint8Array[] = []
  private headSize = 0
  private markup: MarkupScan | undefined
  private size = 0

  /** `onSize` is called with all that has come so far, and may throw. */
  constructor(source: AsyncIterable<Uint8Array>, onSize: (size: number) => void) {
    this.source = source
    this.onSize = onSize
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    for await (const chunk of this.source) {
      this.size += chunk.length
      this.onSize(this.size)
      this.hash.update(chunk)
      if (this.headSize < HEAD) this.keepHead(chunk)
      this.scan(chunk)
      yield chunk
    }
  }

  private keepHead(chunk: Uint8Array): void {
    const wanted = Buffer.from(chunk.subarray(0, HEAD - this.headSize))
    this.head.push(wanted)
    this.headSize += wanted.length
  }

  private scan(chunk: Uint8Array): void {
    if (this.markup) return this.markup.take(chunk)
    if (this.headSize < 2) return
    const begin = Buffer.concat(this.head).subarray(0, 2)
    const encoding = !isUtf16(begin) ? 'latin1' : begin[0] === 0xff ? 'utf-16le' : 'utf-16be'
    this.markup = new MarkupScan(encoding)
    // What came before was one byte at most.
    if (chunk.length < this.size)
      this.markup.take(Buffer.concat(this.head).subarray(0, this.size - chunk.length))
    this.markup.take(chunk)
  }

  /** Once all of it has gone through. */
  measure(name: string): Measure {
    const type = typeOf(Buffer.concat(this.head), name, this.markup?.end() ?? null)
    return { size: this.size, sha256: this.hash.digest('hex'), type }
  }
}
