import type { FieldMap } from '#src/domain/field-schema.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { MAX_CELL } from '#src/imports/bounds.ts'
import { ImportFault } from '#src/imports/source.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** Of `facet.json`: 100,000 items with long names. */
const MAX_ABOUT = 48 * 1024 * 1024

export interface OwnTag {
  tag_id: string
  name: string
  description: string | null
  fields: FieldMap
  extends: string[]
  look?: unknown
}

/** What `facet.json` says of an export of ours. */
export interface About {
  items: { item_id: string; file: string; name: string }[]
  files: { file: string; name: string }[]
  /** Files that notes lead to and that were not there. */
  left_out?: { file: string; name: string }[]
  tags: OwnTag[]
}

/** @throws ImportFault */
export async function readAbout(file: ArchivedFile, name: string): Promise<About> {
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
  const { items, tags, files, left_out = [] } = about
  if (![items, tags, files, left_out].every(Array.isArray))
    throw new ImportFault('it lacks items, tags or files', place)
  const places: unknown[] = [items, files, left_out].flat()
  if (!(tags as unknown[]).every(isTag) || !places.every(isPlace))
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
