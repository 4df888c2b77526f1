import { readNote, textOf } from '#src/imports/markdown/note-text.ts'
import { titleOf } from '#src/imports/notion/notion-names.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

export interface NotionPage {
  title: string
  /** By heading, of a page that is a row. */
  properties: ReadonlyMap<string, string>
  /** Markdown below title and properties. */
  body: string
  fault?: { message: string; line: number }
}

const HEAD = 16 * 1024
const TITLE = /^\s*# *([^\n]*?)[ \t\r]*(?:\n|$)/
const PROPERTY = /^([^:\n]{1,1000}):(?: (.*))?$/
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!~|<>$])/g
const TOO_LONG = { message: 'the page is longer than 1 MiB', line: 1 }

/** `headings`: of the database that it is a row of. */
export async function readPage(file: ArchivedFile, headings?: ReadonlySet<string>): Promise<NotionPage> {
  const text = await textOf(file)
  const { path } = file
  if (text === undefined) return { title: titleOf(path), properties: new Map(), body: '', fault: TOO_LONG }
  const { body, fault } = readNote(text)
  return { ...takenApart(body, path, headings), ...(fault && { fault }) }
}

/** Its title and properties: the beginning of the file is enough for them. `has_others`: than the headings. */
export async function readHead(
  file: ArchivedFile,
  headings: ReadonlySet<string>,
  has_others = false,
): Promise<NotionPage> {
  const bytes = file.size <= HEAD ? await file.read() : await beginningOf(file)
  const text = bytes.toString('utf8', 0, HEAD).replace(/^\uFEFF/, '')
  return takenApart(text, file.path, headings, has_others)
}

async function beginningOf(file: ArchivedFile): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of await file.open()) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length > HEAD) break
  }
  return Buffer.concat(pieces)
}

function takenApart(
  text: string,
  path: string,
  headings?: ReadonlySet<string>,
  has_others = false,
): NotionPage {
  const found = TITLE.exec(text)
  const title = found?.[1]?.replaceAll(ESCAPED, '$1') || titleOf(path)
  const rest = found ? text.slice(found[0].length) : text
  if (!headings) return { title, properties: new Map(), body: rest }
  return { title, ...propertiesOf(rest, headings, has_others) }
}

/** The first paragraph is of `Key: value`, where its first line is one of a heading. */
function propertiesOf(
  text: string,
  headings: ReadonlySet<string>,
  has_others: boolean,
): Pick<NotionPage, 'properties' | 'body'> {
  const start = text.search(/\S/)
  const properties = new Map<string, string>()
  if (start < 0) return { properties, body: '' }
  const rest = text.slice(start)
  const end = /\n[ \t\r]*(?:\n|$)/.exec(rest)
  const paragraph = end ? rest.slice(0, end.index) : rest
  let key: string | undefined
  for (const line of paragraph.split('\n')) {
    const [, name = '', value = ''] = PROPERTY.exec(line.trimEnd()) ?? []
    const isOther = has_others && key !== undefined && name.trim() !== '' && !properties.has(name.trim())
    if (headings.has(name.trim()) || isOther) properties.set((key = name.trim()), value.trim())
    else if (key === undefined) return { properties, body: text }
    else properties.set(key, `${properties.get(key)}\n${line.trimEnd()}`)
  }
  return { properties, body: end ? rest.slice(end.index + end[0].length) : '' }
}
