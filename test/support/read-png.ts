import { inflateSync } from 'node:zlib'

const SIGNATURE = '89504e470d0a1a0a'
/** Bytes of a pixel by colour type, at 8 bits a channel. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

export interface Pixels {
  width: number
  height: number
  /** RGBA. */
  data: Uint8ClampedArray
}

/** Decodes a PNG that is not interlaced, by the PNG specification §11 and §9 (filters). */
export function readPng(png: Buffer): Pixels {
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('not a PNG')
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')!.body
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colour, interlace] = [header[8]!, header[9]!, header[12]!]
  const channels = CHANNELS[colour]
  if (depth !== 8 || !channels || interlace)
    throw new Error(`depth ${depth}, colour type ${colour}: not read here`)
  const packed = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)),
  )
  const raw = unfilter(packed, width * channels, height, channels)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const pixel = raw.subarray(i * channels, (i + 1) * channels)
    const grey = channels < 3
    data.set([pixel[0]!, grey ? pixel[0]! : pixel[1]!, grey ? pixel[0]! : pixel[2]!, 255], i * 4)
  }
  return { width, height, data }
}

function chunksOf(png: Buffer): { type: string; body: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function unfilter(packed: Buffer, stride: number, height: number, channels: number): Buffer {
  const raw = Buffer.alloc(stride * height)
  for (let row = 0; row < height; row++) {
    const filter = packed[row * (stride + 1)]!
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i
      const left = i >= channels ? raw[at - channels]! : 0
      const up = row ? raw[at - stride]! : 0
      const corner = row && i >= channels ? raw[at - stride - channels]! : 0
      raw[at] = packed[row * (stride + 1) + 1 + i]! + predicted(filter, left, up, corner)
    }
  }
  return raw
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  return [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
