import { createReadStream } from 'node:fs'

/** The first bytes of a file. */
export async function fileHead(path: string, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of createReadStream(path, { end: length - 1 }) as AsyncIterable<Buffer>)
    pieces.push(piece)
  return Buffer.concat(pieces)
}
