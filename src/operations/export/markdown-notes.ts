import { isReference } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { CatalogField, CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { htmlToMarkdown } from '#src/markdown/html-to-markdown.ts'
import { isOwnKey, yamlLines, yamlValue } from '#src/markdown/front-matter.ts'
import type { References } from '#src/operations/export/csv-row.ts'

/** An item as a note, before it is known how the others are called. */
export interface Note {
  item_id: Ulid
  name: string
  updated_at: string
  tag_ids: Ulid[]
  /** Name of the first tag. */
  folder: string | null
  /** With marks in place of names of files: NUL, `i` or `f`, id, NUL, name, NUL. */
  text: string
}

export interface FullItem {
  item_id: Ulid
  name: string
  description: string | null
  updated_at: string
  tags: Record<Ulid, { tag_name: string; field_values: Record<string, unknown> }>
  references?: References
}

/** Stored texts have no NUL. */
const mark = (kind: 'i' | 'f', id: string, name: string) => `\0${kind}${id}\0${name}\0`
export const MARK = /\0([if])([^\0]*)\0([^\0]*)\0/g

const FILE = /^(?:https?:\/\/[^/]+)?\/api\/files\/([0-9a-z]{26})$/i

export async function noteOf(item: FullItem, catalog: TagCatalog): Promise<Note> {
  const { item_id, name, updated_at, description, tags } = item
  const tag_ids = Object.keys(tags)
  const names = tag_ids.map((tag_id) => tags[tag_id]!.tag_name)
  const head = yamlLines([
    ...(names.length ? [['tags', names.map(yamlValue)] as const] : []),
    ...(await entriesOf(item, catalog)),
  ])
  const body = htmlToMarkdown(description ?? '', { link: fileLink, image: embeddedFile })
  const text = `${head ? `---\n${head}---\n` : ''}${head && body ? '\n' : ''}${body}${body ? '\n' : ''}`
  return { item_id, name, updated_at, tag_ids, folder: names[0] ?? null, text }
}

async function entriesOf(
  { tags, references = {} }: FullItem,
  catalog: TagCatalog,
): Promise<[key: string, value: string | string[]][]> {
  const known = new Map<Ulid, CatalogTag>()
  for (const tag_id of Object.keys(tags)) {
    const tag = await catalog.byId(tag_id)
    if (tag) known.set(tag_id, tag)
  }
  return Object.entries(tags).flatMap(([tag_id, { tag_name, field_values }]) =>
    Object.entries(field_values).map(([name, value]): [string, string | string[]] => {
      const field = known.get(tag_id)?.fields.get(name)
      const isAlone = field && [...known.values()].filter(({ fields }) => fields.has(name)).length === 1
      const key = isAlone && !isOwnKey(name) ? name : `${tag_name}.${name}`
      return [key, yamlOf(value, field, references)]
    }),
  )
}

function yamlOf(value: unknown, field: CatalogField | undefined, references: References): string | string[] {
  if (Array.isArray(value)) return value.map((each) => elementOf(each, field, references))
  return elementOf(value, field, references)
}

function elementOf(value: unknown, field: CatalogField | undefined, references: References): string {
  if (field && isReference(field.type) && typeof value === 'string') {
    const id = parseUlid(value)
    const name = id !== null && Object.hasOwn(references, id) ? references[id]!.name : null
    return name === null ? yamlValue(value) : `"[[${mark('i', id!, name)}]]"`
  }
  if (isRecord(value) && typeof value['file_id'] === 'string')
    return `"[[${mark('f', value['file_id'], typeof value['name'] === 'string' ? value['name'] : '')}]]"`
  return yamlValue(chosenVariant(value) ?? value)
}

const fileLink = (href: string, text: string): string | undefined => {
  const [, id] = FILE.exec(href) ?? []
  return id && `[${text}](<${mark('f', id, '')}>)`
}

const embeddedFile = (src: string, alt: string): string | undefined => {
  const [, id] = FILE.exec(src) ?? []
  return id && `![${alt}](<${mark('f', id, '')}>)`
}
