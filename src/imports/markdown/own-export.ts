import {
  type FieldMap,
  type FieldType,
  type FlatField,
  flattenFields,
  isReference,
  variantsOf,
} from '#src/domain/field-schema.ts'
import { composed } from '#src/domain/decompose.ts'
import { fileNameSaid } from '#src/markdown/file-alias.ts'
import { isOwnKey } from '#src/markdown/front-matter.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { asTagLook } from '#src/domain/tag-look.ts'
import { ownColumn, UNTAGGED } from '#src/imports/table-names.ts'
import { MAX_CELL, MAX_COLUMNS } from '#src/imports/bounds.ts'
import { frontCell } from '#src/imports/markdown/front-cell.ts'
import { noteHtml } from '#src/imports/markdown/note-html.ts'
import { readNote, textOf } from '#src/imports/markdown/note-text.ts'
import { TAG_KEY, tagsOf } from '#src/imports/markdown/vault-records.ts'
import type { Vault } from '#src/imports/markdown/vault.ts'
import { type Cell, type ColumnType, ImportFault, type SourceRecord } from '#src/imports/source.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** Of `facet.json`: 100,000 items with long names. */
const MAX_ABOUT = 48 * 1024 * 1024

interface OwnTag {
  tag_id: string
  name: string
  description: string | null
  fields: FieldMap
  extends: string[]
  look?: unknown
}

interface About {
  items: { item_id: string; file: string; name: string }[]
  files: { file: string; name: string }[]
  tags: OwnTag[]
}

/** What an export of ours made: the same items, tags, values and files. Notes that came later are items too. */
export async function* ownRecords(
  file: ArchivedFile,
  vault: Vault,
  name: string,
): AsyncGenerator<SourceRecord> {
  const about = await readAbout(file, name)
  const own = new OwnExport(about, vault)
  yield* own.tables()
  for (const note of vault.notes) yield* own.take(note)
}

async function readAbout(file: ArchivedFile, name: string): Promise<About> {
  const place = { file: `${name}/${file.path}` }
  if (file.size > MAX_ABOUT) throw new ImportFault('it is longer than 48 MiB', place)
  const pieces: Buffer[] = []
  for await (const piece of await file.open()) pieces.push(piece as Buffer)
  let about: unknown
  try {
    about = JSON.parse(Buffer.concat(pieces).toString())
  } catch (error) {
    throw new ImportFault(`it is no JSON: ${(error as Error).message.slice(0, 200)}`, place)
  }
  if (!isRecord(about) || about['format'] !== 'facet-markdown' || about['version'] !== 1)
    throw new ImportFault('it is of no export that this version reads', place)
  const { items, tags, files } = about
  if (![items, tags, files].every(Array.isArray))
    throw new ImportFault('it lacks items, tags or files', place)
  if (!(tags as unknown[]).every(isTag) || ![...(items as unknown[]), ...(files as unknown[])].every(isPlace))
    throw new ImportFault('an element of items, tags or files is not as an export writes it', place)
  return about as unknown as About
}

const isTag = (tag: unknown): boolean =>
  isRecord(tag) &&
  (typeof tag['description'] === 'string'
    ? tag['description'].length <= MAX_CELL
    : tag['description'] === null) &&
  typeof tag['name'] === 'string' &&
  typeof tag['tag_id'] === 'string' &&
  isRecord(tag['fields'])
const isPlace = (each: unknown): boolean =>
  isRecord(each) && typeof each['file'] === 'string' && typeof each['name'] === 'string'

class OwnExport {
  private readonly vault: Vault
  private readonly tags: ReadonlyMap<string, { tag: OwnTag; fields: ReadonlyMap<string, FlatField> }>
  private readonly tagNames: ReadonlyMap<string, string>
  private readonly items: ReadonlyMap<string, About['items'][number]>
  private readonly paths: ReadonlyMap<string, string>
  private readonly fileNames: ReadonlyMap<string, string>

  constructor({ items, tags, files }: About, vault: Vault) {
    this.vault = vault
    this.tags = new Map(tags.map((tag) => [tag.name, { tag, fields: flattenFields(tag.fields) }]))
    this.tagNames = new Map(tags.map(({ tag_id, name }) => [tag_id, name]))
    this.items = new Map(items.map((item) => [vault.root + composed(item.file), item]))
    this.paths = new Map(items.map(({ item_id, file }) => [item_id, vault.root + composed(file)]))
    this.fileNames = new Map(files.map(({ file, name }) => [vault.root + composed(file), name]))
  }

  *tables(): Generator<SourceRecord> {
    const COLUMNS = ['item_id', 'name', 'description']
    for (const { tag, fields } of this.tags.values()) {
      const names = [...fields.keys()].slice(0, MAX_COLUMNS)
      const types = Object.fromEntries(names.map((each) => [ownColumn(each), this.typeOf(fields.get(each)!)]))
      yield {
        is: 'table',
        table: tag.name,
        columns: [...COLUMNS, ...names.map(ownColumn)],
        types,
        tag: {
          ...this.named(tag),
          columns: Object.fromEntries(names.map((each) => [ownColumn(each), each])),
        },
      }
    }
    yield { is: 'table', table: UNTAGGED, columns: COLUMNS, tag: null }
  }

  async *take(note: ArchivedFile): AsyncGenerator<SourceRecord> {
    const { path } = note
    const item = this.items.get(path)
    const cells = new Map<string, Cell>([['name', item?.name ?? this.vault.nameOf(path)]])
    if (item) cells.set('item_id', item.item_id)
    const row = { is: 'row', line: 1, file: path, cells } as const
    const text = await textOf(note)
    const { front, body, fault }: ReturnType<typeof readNote> =
      text === undefined ? { front: {}, body: '', fault: TOO_LONG } : readNote(text)
    const tags = this.tagsIn(front)
    const table = tags[0] ?? UNTAGGED
    const rowOfItem = (item_id: string) => this.paths.get(item_id)
    const html = fault ? '' : noteHtml(body, path, this.vault, { breaks: false, rowOfItem, onFile: () => {} })
    const found = fault ?? (html.length > MAX_CELL ? TOO_LONG : undefined)
    if (found) return yield { ...row, table, line: found.line, id: path, fault: { message: found.message } }
    const first = new Map([...cells, ...this.values(tags, tags[0], front, path)])
    if (html) first.set('description', { html })
    yield { ...row, table, id: path, cells: first }
    for (const tag of tags.slice(1))
      yield {
        ...row,
        table: tag,
        same_as: path,
        cells: new Map([...cells, ...this.values(tags, tag, front, path)]),
      }
  }

  /** As the export wrote them, or as people do, with a `#` before the name. */
  private tagsIn(front: Readonly<Record<string, unknown>>): string[] {
    const isOwn = (each: unknown) => typeof each === 'string' && this.tags.has(each)
    const found = Object.entries(front).flatMap(([key, value]) =>
      (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((each) =>
        isOwn(each) && TAG_KEY.test(key)
          ? [each as string]
          : tagsOf({ [key]: Array.isArray(value) ? [each] : each }),
      ),
    )
    return [...new Set(found)].filter((tag) => this.tags.has(tag))
  }

  /** The values of one tag: a key is the field of the one tag that has it, or has the tag's name before it. */
  private values(
    tags: readonly string[],
    tag: string | undefined,
    front: Readonly<Record<string, unknown>>,
    from: string,
  ): Map<string, Cell> {
    const cells = new Map<string, Cell>()
    if (tag === undefined) return cells
    for (const [name, field] of this.tags.get(tag)!.fields) {
      const isAlone = tags.filter((each) => this.tags.get(each)!.fields.has(name)).length === 1
      const full = `${tag}.${name}`
      const isShort = isAlone && !isOwnKey(name) && Object.hasOwn(front, name)
      const key = Object.hasOwn(front, full) ? full : isShort ? name : undefined
      if (key === undefined) continue
      const cell = this.cellOf(front[key], field, from)
      if (cell !== null) cells.set(ownColumn(name), cell)
    }
    return cells
  }

  private cellOf(value: unknown, { type }: FlatField, from: string): Cell {
    if (Array.isArray(value) && !value.length) return NOTHING[type] ?? []
    // To the letter, with blanks at its ends, and also where it is empty.
    if (type === 'String' && typeof value === 'string') return { stored: value }
    const cell = frontCell(value, { from, vault: this.vault, onFile: () => {} })
    if (cell === null || typeof cell !== 'object' || Array.isArray(cell)) {
      // A text that looks like a number is one of YAML only where it has no quotes.
      if (type === 'MultiReference' || type === 'Reference') return toLinks(cell)
      return cell
    }
    if ('files' in cell) {
      const said = [value].flat().map(fileNameSaid)
      return {
        files: cell.files.map(({ path, name }, i) => ({
          path,
          name: said[i] ?? this.fileNames.get(path) ?? name,
        })),
      }
    }
    if ('links' in cell)
      return {
        links: cell.links.map(({ id, name }) => ({
          name: (id !== undefined && this.items.get(id)?.name) || name.replace(ID_BEHIND, ''),
          ...(id !== undefined && { id }),
        })),
      }
    return cell
  }

  private typeOf(field: FlatField): ColumnType {
    const { type, schema } = field
    const variants = variantsOf(schema)
    const of = typeof schema === 'object' && 'of' in schema ? (schema.of ?? []) : []
    return {
      type,
      ...(variants.length && { variants }),
      ...(isReference(type) && of.length && { of: of.flatMap((tag_id) => this.tagNames.get(tag_id) ?? []) }),
    }
  }

  /** With names where the base it came from had ids. */
  private named({ description, fields, extends: bases, look }: OwnTag): NonNullable<SourceTableTag> {
    const withNames = JSON.parse(JSON.stringify(fields), (key: string, value: unknown) =>
      key === 'of' && Array.isArray(value)
        ? value.flatMap((tag_id) => this.tagNames.get(String(tag_id)) ?? [])
        : value,
    ) as FieldMap
    return {
      description,
      fields: withNames,
      extends: (bases ?? []).flatMap((tag_id) => this.tagNames.get(tag_id) ?? []),
      look: asTagLook(look),
    }
  }
}

/** The empty list, which is a value. */
const NOTHING: Partial<Record<FieldType, Cell>> = { MultiReference: { links: [] }, File: { files: [] } }

type SourceTableTag = Extract<SourceRecord, { is: 'table' }>['tag']

/** An item that was not exported is named with its id. */
const ID_BEHIND = / [0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TOO_LONG = { message: 'the note is longer than 1 MiB', line: 1 }

function toLinks(cell: Cell): Cell {
  if (typeof cell === 'string') return { links: [{ name: cell }] }
  return Array.isArray(cell) ? { links: (cell as string[]).map((name) => ({ name })) } : cell
}
