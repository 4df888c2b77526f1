import { ZipWriter } from '#src/transfer/zip-writer.ts'

/** A zip of files by their paths. */
export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const writer = new ZipWriter()
  const pieces: Buffer[] = []
  for (const [path, content] of Object.entries(files))
    for await (const piece of writer.add(path, Buffer.from(content), new Date(0))) pieces.push(piece)
  return Buffer.concat([...pieces, ...writer.end()])
}
