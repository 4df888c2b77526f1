import type { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { NoteNames } from '#src/api/export/note-names.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { fileAlias } from '#src/markdown/file-alias.ts'
import { noteName, safeName } from '#src/markdown/note-name.ts'
import { MARK, type Note } from '#src/operations/export/markdown-notes.ts'
import { isLost } from '#src/operations/files/open-file.ts'
import { ZipWriter } from '#src/transfer/zip-writer.ts'

export interface MarkdownSource {
  /** Names of all items, to know which are alike. */
  names: AsyncIterable<readonly { item_id: Ulid; name: string }[]>
  notes: AsyncIterable<readonly Note[]>
  /** As JSON texts: these tags, and all that they extend or refer to. */
  tags: (tag_ids: readonly Ulid[]) => Promise<readonly string[]>
  /** Undefined where there is none that the caller may read. */
  file: (file_id: string) => Promise<ExportedFile | undefined>
  now: Date
}

export interface ExportedFile {
  name: string
  type: string
  open(): Promise<Readable>
}

export const FORMAT = 'facet-markdown'
export const VERSION = 1

/** A folder of notes as a zip, with what only Facet needs in `facet.json` at its end. */
export async function* markdownZip(source: MarkdownSource): AsyncGenerator<Buffer, void> {
  const names = new NoteNames()
  for await (const page of source.names) for (const { name, item_id } of page) names.add(name, item_id)
  yield* new MarkdownZip(source, names).write()
}

class MarkdownZip {
  private readonly source: MarkdownSource
  private readonly names: NoteNames
  private readonly zip = new ZipWriter()
  private readonly about = new PackedLines()
  private readonly tags = new Set<Ulid>()
  /** By id, where they are in the zip. */
  private readonly files = new Map<string, { path: string; file: ExportedFile } | undefined>()

  constructor(source: MarkdownSource, names: NoteNames) {
    this.source = source
    this.names = names
  }

  async *write(): AsyncGenerator<Buffer, void> {
    await this.about.add(`{"format":"${FORMAT}","version":${VERSION},\n"items":[`)
    let isFirst = true
    for await (const page of this.source.notes)
      for (const note of page) {
        const path = this.pathOf(note)
        const text = await this.linked(note.text)
        yield* this.zip.add(path, Buffer.from(text), new Date(note.updated_at))
        const { item_id, name } = note
        await this.about.add(`${isFirst ? '' : ','}\n${JSON.stringify({ item_id, file: path, name })}`)
        for (const tag_id of note.tag_ids) this.tags.add(tag_id)
        isFirst = false
      }
    yield* this.addFiles()
    await this.about.add(`],\n"tags":[\n${(await this.source.tags([...this.tags])).join(',\n')}]}\n`)
    const packed = await this.about.end()
    yield* this.zip.addPacked('facet.json', packed, {
      date: this.source.now,
      crc: this.about.crc,
      size: this.about.size,
    })
    yield* this.zip.end()
  }

  /** What there is nothing of any more is named after the others: notes lead to it. */
  private async *addFiles(): AsyncGenerator<Buffer, void> {
    await this.about.add('],\n"files":[')
    const left_out: { file_id: string; file: string; name: string }[] = []
    let isFirst = true
    for (const [file_id, found] of this.files) {
      const bytes = found && (await openUnlessLost(found.file))
      if (!bytes) {
        left_out.push({ file_id, file: this.placeOf(file_id), name: found?.file.name ?? file_id })
        continue
      }
      const { path, file } = found
      try {
        yield* this.zip.addStream(path, bytes as AsyncIterable<Buffer>, this.source.now)
      } finally {
        bytes.destroy() // whoever takes the zip may go before they are read
      }
      const { name, type } = file
      await this.about.add(`${isFirst ? '' : ','}\n${JSON.stringify({ file_id, file: path, name, type })}`)
      isFirst = false
    }
    if (left_out.length)
      await this.about.add(`],\n"left_out":[\n${left_out.map((each) => JSON.stringify(each)).join(',\n')}`)
  }

  private pathOf({ folder, name, item_id }: Note): string {
    const file = `${this.names.nameOf(name, item_id)}.md`
    return folder === null ? file : `${noteName(folder)}/${file}`
  }

  /** The marks of a note replaced by names of files. */
  private async linked(text: string): Promise<string> {
    if (!text.includes('\0')) return text
    const paths = new Map<string, string>()
    for (const [, kind, id = ''] of text.matchAll(MARK))
      if (kind === 'f') paths.set(id, await this.fileOf(id))
    return text.replaceAll(MARK, (_, kind: string, id: string, name: string) =>
      kind === 'i' ? this.names.nameOf(name, id) : paths.get(id)! + this.aliasOf(id, name),
    )
  }

  private aliasOf(file_id: string, name: string): string {
    const own = this.files.get(file_id)?.file.name
    return name === '' || own === undefined || own === name ? '' : fileAlias(name)
  }

  private async fileOf(file_id: string): Promise<string> {
    if (!this.files.has(file_id)) {
      const file = await this.source.file(file_id)
      this.files.set(file_id, file && { path: `files/${file_id} ${safeName(file.name)}`, file })
    }
    return this.placeOf(file_id)
  }

  private placeOf(file_id: string): string {
    return this.files.get(file_id)?.path ?? `/api/files/${file_id}`
  }
}

/** It may have been lost, or purged, since it was looked up. */
async function openUnlessLost(file: ExportedFile): Promise<Readable | undefined> {
  try {
    return await file.open()
  } catch (error) {
    if (isLost(error)) return undefined
    throw error
  }
}

/** A text that grows, kept packed. */
class PackedLines {
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
