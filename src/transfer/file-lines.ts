import { createReadStream } from 'node:fs'

const LINE_FEED = 0x0a
const CHUNK_BYTES = 1 << 20

/** The lines of a file with their line feeds, many at a time; the last has none where the file is cut. */
export async function* fileLines(file: string): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const lines: Buffer[] = []
    let begin = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, begin)) {
      const end = chunk.subarray(begin, at + 1)
      lines.push(parts.length ? Buffer.concat([...parts, end]) : end)
      parts = []
      begin = at + 1
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin))
    if (lines.length) yield lines
  }
  if (parts.length) yield [Buffer.concat(parts)]
}
