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
import { asTagLook } from '#src/domain/tag-look.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { ownColumn, UNTAGGED } from '#src/imports/table-names.ts'
import { MAX_CELL, MAX_COLUMNS } from '#src/imports/bounds.ts'
import { type About, type OwnTag, readAbout } from '#src/imports/markdown/about.ts'
import { frontCell, linkTarget } from '#src/imports/markdown/front-cell.ts'
import { noteHtml } from '#src/imports/markdown/note-html.ts'
import { readNote, textOf } from '#src/imports/markdown/note-text.ts'
import { NO_FIELD, TAG_KEY, tagsOf } from '#src/imports/markdown/vault-records.ts'
import type { Vault } from '#src/imports/markdown/vault.ts'
import { type Cell, type ColumnType, ImportFault, type Link, type SourceRecord } from '#src/imports/source.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** What an export of ours made: the same items, tags, values and files. Notes that came later are items too. */
export async function* ownRecords(
  file: ArchivedFile,
  given: Vault,
  name: string,
): AsyncGenerator<SourceRecord> {
  const about = await readAbout(file, name)
  const vault = given.withAttached(attachedIn(about, given.root))
  const own = new OwnExport(about, vault)
  yield* own.tables()
  for (const note of vault.notes) yield* own.take(note)
  yield* own.leftOut()
}

/** Files, also those that are called as notes are. */
function attachedIn({ items, files }: About, root: string): Set<string> {
  const paths = new Set(files.map(({ file }) => root + composed(file)))
  for (const { file } of items) paths.delete(root + composed(file))
  return paths
}

class OwnExport {
  private readonly vault: Vault
  private readonly tags: ReadonlyMap<string, { tag: OwnTag; fields: ReadonlyMap<string, FlatField> }>
  private readonly tagNames: ReadonlyMap<string, string>
  private readonly items: ReadonlyMap<string, About['items'][number]>
  private readonly paths: ReadonlyMap<string, string>
  private readonly fileNames: ReadonlyMap<string, string>
  /** Names of files that the export could not have, by where notes lead. */
  private readonly lost: ReadonlyMap<string, string>
  /** Names of items that are referred to and are not in it. */
  private readonly outside = new Set<string>()
  /** Tags that notes got since. */
  private readonly added = new Set<string>()
  /** By the tag without case, which notes do not tell apart: as it was called first. */
  private readonly tagCalled = new Map<string, string>()
  /** Keys of front matter that are of no field. */
  private readonly unknown = new Set<string>()

  constructor({ items, tags, files, left_out = [] }: About, vault: Vault) {
    this.vault = vault
    this.tags = new Map(tags.map((tag) => [tag.name, { tag, fields: flattenFields(tag.fields) }]))
    for (const { name } of tags) this.calledFirst(name)
    this.tagNames = new Map(tags.map(({ tag_id, name }) => [tag_id, name]))
    this.items = new Map(items.map((item) => [vault.root + composed(item.file), item]))
    this.paths = new Map(items.map(({ item_id, file }) => [item_id, vault.root + composed(file)]))
    this.fileNames = new Map(files.map(({ file, name }) => [vault.root + composed(file), name]))
    this.lost = new Map(left_out.map(({ file, name }) => [composed(file), name]))
  }

  *tables(): Generator<SourceRecord> {
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
    yield* this.addedTables(tags)
    const table = tags[0] ?? UNTAGGED
    const rowOfItem = (item_id: string) => this.paths.get(item_id)
    const file_names: Record<string, string> = {}
    const onFile = (file: string) => {
      const name = this.fileNames.get(file)
      if (name !== undefined) file_names[file] = name
    }
    const html = fault ? '' : noteHtml(body, path, this.vault, { breaks: false, rowOfItem, onFile })
    const found = fault ?? (html.length > MAX_CELL ? TOO_LONG : undefined)
    if (found) return yield { ...row, table, line: found.line, id: path, fault: { message: found.message } }
    const first = new Map([...cells, ...this.values(tags, tags[0], front, path)])
    if (html) first.set('description', { html, file_names })
    yield { ...row, table, id: path, cells: first }
    this.noteUnknown(tags, front)
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
    const tags = found.map((tag) => (this.tags.has(tag) ? tag : this.calledFirst(tag)))
    return [...new Set(tags)]
  }

  private calledFirst(tag: string): string {
    const key = tag.toLowerCase()
    const known = this.tagCalled.get(key)
    if (known === undefined) this.tagCalled.set(key, tag)
    return known ?? tag
  }

  private *addedTables(tags: readonly string[]): Generator<SourceRecord> {
    for (const table of tags) {
      if (this.tags.has(table) || this.added.has(table)) continue
      if (this.added.size === MAX_ADDED)
        throw new ImportFault(`notes have more than ${MAX_ADDED} tags that the export had not`)
      this.added.add(table)
      yield { is: 'table', table, columns: COLUMNS }
    }
  }

  private fieldsOf(tag: string): ReadonlyMap<string, FlatField> {
    return this.tags.get(tag)?.fields ?? NO_FIELDS
  }

  private noteUnknown(tags: readonly string[], front: Readonly<Record<string, unknown>>): void {
    const taken = new Set(
      tags.flatMap((tag) => [...this.fieldsOf(tag).keys()].map((name) => this.keyOf(tags, tag, name, front))),
    )
    for (const key of Object.keys(front))
      if (!taken.has(key) && !NO_FIELD.test(key) && this.unknown.size < MAX_LEFT_OUT) this.unknown.add(key)
  }

  /** A key is the field of the one tag that has it, or has the tag's name before it. */
  private keyOf(
    tags: readonly string[],
    tag: string,
    name: string,
    front: Readonly<Record<string, unknown>>,
  ): string | undefined {
    const full = `${tag}.${name}`
    if (Object.hasOwn(front, full)) return full
    const isAlone = tags.filter((each) => this.fieldsOf(each).has(name)).length === 1
    return isAlone && !isOwnKey(name) && Object.hasOwn(front, name) ? name : undefined
  }

  /** The values of one tag. */
  private values(
    tags: readonly string[],
    tag: string | undefined,
    front: Readonly<Record<string, unknown>>,
    from: string,
  ): Map<string, Cell> {
    const cells = new Map<string, Cell>()
    if (tag === undefined) return cells
    for (const [name, field] of this.fieldsOf(tag)) {
      const key = this.keyOf(tags, tag, name, front)
      if (key === undefined) continue
      const value = field.type === 'File' ? this.withoutLost(front[key]) : front[key]
      const cell = this.cellOf(value, field, from)
      if (cell !== null) cells.set(ownColumn(name), cell)
    }
    return cells
  }

  /** Of a value with files, those that are in the zip; null: none of several or the only one is. */
  private withoutLost(value: unknown): unknown {
    const all: unknown[] = [value].flat()
    const left = all.filter((each) => !this.lost.has(composed(linkTarget(each) ?? '')))
    if (left.length === all.length) return value
    return left.length ? left : null
  }

  private cellOf(value: unknown, { type }: FlatField, from: string): Cell {
    if (Array.isArray(value) && !value.length) return NOTHING[type] ?? []
    // To the letter, with blanks at its ends, and also where it is empty.
    if (type === 'String' && typeof value === 'string') return { stored: value }
    const cell = frontCell(value, { from, vault: this.vault, onFile: () => {}, onMixed: () => {} })
    if (cell === null || typeof cell !== 'object' || Array.isArray(cell)) {
      // A text that looks like a number is one of YAML only where it has no quotes.
      const isText = typeof cell === 'string' || Array.isArray(cell)
      if (!isText || (type !== 'MultiReference' && type !== 'Reference')) return cell
      return { links: [cell].flat().map((name) => this.linkOf({ name: String(name) })) }
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
    if ('links' in cell) return { links: cell.links.map((link) => this.linkOf(link)) }
    return cell
  }

  private linkOf({ id, name }: Link): Link {
    if (id !== undefined) return { id, name: this.items.get(id)?.name ?? name }
    const [, before = name, item_id = parseUlid(name)] = ID_BEHIND.exec(name) ?? []
    if (this.outside.size < MAX_LEFT_OUT) this.outside.add(before)
    return { name: before, outside: item_id === null ? {} : { item_id } }
  }

  *leftOut(): Generator<SourceRecord> {
    for (const name of this.lost.values()) yield { is: 'left_out', name, reason: LOST }
    for (const name of this.outside) yield { is: 'left_out', name, reason: OUTSIDE }
    for (const key of this.unknown) yield { is: 'left_out', name: `property '${key}'`, reason: NO_FIELD_HAS }
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
const ID_BEHIND = /^(.+) ([0-7][0-9A-HJKMNP-TV-Z]{25})$/
const OUTSIDE =
  'it is not in the export; what refers to it does so where the base has one item of this id or name'
const LOST = 'its bytes were not there when the export was made'
const NO_FIELD_HAS = 'no tag of its note, or more than one, has such a field'
const MAX_LEFT_OUT = 1000
const MAX_ADDED = 1000
const COLUMNS = ['item_id', 'name', 'description']
const NO_FIELDS: ReadonlyMap<string, FlatField> = new Map()
const TOO_LONG = { message: 'the note is longer than 1 MiB', line: 1 }
