import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Archive, type ArchiveOptions } from '#src/imports/zip/archive.ts'
import type { ImportFault } from '#src/imports/source.ts'
import { ZipWriter } from '#src/transfer/zip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))
const DATE = new Date('2026-01-31T09:30:00Z')

type Files = Record<string, string | Buffer>

async function zip(files: Files, change?: (bytes: Buffer) => void): Promise<Buffer> {
  const writer = new ZipWriter()
  const pieces: Buffer[] = []
  for (const [path, content] of Object.entries(files))
    for await (const piece of writer.add(path, Buffer.from(content), DATE)) pieces.push(piece)
  const bytes = Buffer.concat([...pieces, ...writer.end()])
  change?.(bytes)
  return bytes
}

function many(count: number): Buffer {
  const writer = new ZipWriter()
  const empty = deflateRawSync('')
  const files = Array.from({ length: count }, (_, i) => [
    ...writer.addPacked(`${i}.md`, empty, { date: DATE, crc: 0, size: 0 }),
  ])
  return Buffer.concat([...files.flat(), ...writer.end()])
}

async function read(bytes: Buffer, options?: ArchiveOptions): Promise<Record<string, string>> {
  const path = join(folder, 'a.zip')
  writeFileSync(path, bytes)
  const archive = await Archive.open({ path, name: 'a.zip', size: bytes.length }, options)
  try {
    const read: Record<string, string> = {}
    for (const [name, file] of archive.files) {
      // In one piece or as a stream: it is the same file, or the same fault.
      const whole = await file.read().catch((error: Error) => error)
      const streamed = await file
        .open()
        .then(text)
        .catch((error: Error) => error)
      if (!(streamed instanceof Error)) expect(String(whole)).toBe(streamed)
      else expect(whole).toMatchObject({ place: (streamed as ImportFault).place })
      if (streamed instanceof Error) throw streamed
      read[name] = streamed
    }
    return read
  } finally {
    await archive.close()
  }
}

/** Where the directory has the only file's fields. */
const central = (bytes: Buffer) => bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))

describe('an archive', () => {
  it('has the files of a zip, without what systems put beside them', async () => {
    const files = {
      'a.md': 'A',
      'b/ü.md': 'Ü'.repeat(5000),
      '__MACOSX/a.md': 'x',
      'b/.DS_Store': 'x',
      'b/': '',
    }
    expect(await read(await zip(files))).toEqual({ 'a.md': 'A', 'b/ü.md': 'Ü'.repeat(5000) })
  })

  it('has the files of zips in it where that is wanted, and leaves nothing behind', async () => {
    const part = await zip({ 'b.md': 'B', 'c.zip': await zip({ 'c.md': 'C' }) })
    const whole = await zip({ 'a.md': 'A', 'part.zip': part })
    // A folder of its own: others write to that of the machine.
    const own = mkdtempSync(join(folder, 'tmp-'))
    vi.stubEnv('TMPDIR', own)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await read(whole, { unpackZips: true })).toEqual({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' })
    expect(readdirSync(own)).toEqual([])
    expect(Object.keys(await read(whole))).toEqual(['a.md', 'part.zip'])
  })

  it('unpacks zips in it into the folder of its file, which whoever gives up reading it removes', async () => {
    const own = mkdtempSync(join(folder, 'own-'))
    const path = join(own, 'file')
    const bytes = await zip({ 'part.zip': await zip({ 'b.md': 'B' }) })
    writeFileSync(path, bytes)
    const file = { path, name: 'a.zip', size: bytes.length, folder: own }
    const archive = await Archive.open(file, { unpackZips: true })
    expect(readdirSync(own)).toEqual(['file', expect.stringMatching(/^zip-/)])
    await archive.close()
    expect(readdirSync(own)).toEqual(['file'])
  })

  it('may have 100,000 files and not one more', async () => {
    const path = join(folder, 'many.zip')
    const open = (count: number) => {
      const bytes = many(count)
      writeFileSync(path, bytes)
      return Archive.open({ path, name: 'many.zip', size: bytes.length })
    }
    const archive = await open(100_000)
    expect([archive.files.size, await text(await archive.files.get('99999.md')!.open())]).toEqual([1e5, ''])
    await archive.close()
    await expect(open(100_001)).rejects.toThrow('many.zip: it holds more than 100000 files')
  })

  const deep = async (levels: number): Promise<Buffer> =>
    levels ? zip({ 'x.zip': await deep(levels - 1) }) : zip({ 'x.md': 'x' })

  it.each<[name: string, bytes: () => Promise<Buffer>, message: RegExp, options?: ArchiveOptions]>([
    ['is no zip', async () => Buffer.from('PK but no zip'), /^a\.zip: it is no zip/],
    [
      'has something before it',
      async () => Buffer.concat([Buffer.from('MZ before'), await zip({ 'a.md': 'A' })]),
      /^a\.zip: it cannot be read as a zip: /,
    ],
    ['ends too early', async () => (await zip({ 'a.md': 'A' })).subarray(0, 40), /^a\.zip: it is no zip/],
    [
      'leads out of itself',
      () => zip({ '../a.md': 'x' }),
      /^a\.zip: the path '\.\.\/a\.md' leads out of the archive$/,
    ],
    [
      'leads to the root',
      () => zip({ '/etc/passwd': 'x' }),
      /^a\.zip: the path '\/etc\/passwd' leads out of the archive$/,
    ],
    ['leads to a drive', () => zip({ 'C:\\x': 'x' }), /^a\.zip: the path 'C:\/x' leads out of the archive$/],
    ['has NUL in a path', () => zip({ 'a\0.md': 'x' }), /NUL/],
    [
      'has a symbolic link',
      () =>
        zip({ link: '/etc/passwd' }, (bytes) => bytes.writeUInt32LE(0o120777 * 0x10000, central(bytes) + 38)),
      /^a\.zip\/link: a symbolic link/,
    ],
    [
      'is encrypted',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt16LE(1, central(bytes) + 8)),
      /^a\.zip\/a: it is encrypted/,
    ],
    [
      'is packed by what nobody knows',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt16LE(99, central(bytes) + 10)),
      /^a\.zip\/a: it is packed by method 99/,
    ],
    [
      'is a bomb',
      () => zip({ a: Buffer.alloc(5e6) }),
      /^a\.zip: unpacked it is more than 100 times its size/,
    ],
    [
      'is damaged',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt32LE(1, central(bytes) + 16)),
      /^a\.zip\/a: it is damaged: its checksum/,
    ],
    [
      'is damaged, and large',
      () => zip({ a: randomBytes(2e6) }, (bytes) => bytes.writeUInt32LE(1, central(bytes) + 16)),
      /^a\.zip\/a: it is damaged: its checksum/,
    ],
    [
      'says that it is smaller than it is',
      () => zip({ a: Buffer.alloc(5e6) }, (bytes) => bytes.writeUInt32LE(10, central(bytes) + 24)),
      /^a\.zip\/a: /,
    ],
    [
      'says that it is larger than the disk',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt32LE(0xfffffffe, central(bytes) + 24)),
      /^a\.zip: unpacked it is more than/,
    ],
    ['is too deep', () => deep(3), /x\.zip: zips are more than 3 deep/, { unpackZips: true }],
    [
      'has a directory that lies elsewhere',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt32LE(3, bytes.length - 6)),
      /^a\.zip: /,
    ],
    [
      'has a file that lies elsewhere',
      () => zip({ a: 'x' }, (bytes) => bytes.writeUInt32LE(0xffff, central(bytes) + 42)),
      /^a\.zip\/a: /,
    ],
  ])('that %s is refused, with its place', async (_, bytes, message, options) => {
    const error = await read(await bytes(), options).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    )
    expect([error?.name, error?.message]).toEqual(['ImportFault', expect.stringMatching(message)])
  })

  it('with paths that lead out of it says how to pack it', async () => {
    await expect(read(await zip({ '../a.md': 'x' }))).rejects.toMatchObject({
      suggestion: expect.stringContaining('Pack the folder again'),
    })
  })
})
