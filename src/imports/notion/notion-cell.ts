import { composed } from '#src/domain/decompose.ts'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import { baseName, linkedId, titleOf } from '#src/imports/notion/notion-names.ts'
import type { NotionSpace } from '#src/imports/notion/notion-space.ts'
import type { Cell, EmbeddedFile, Link } from '#src/imports/source.ts'
import { readDate, readMoment } from '#src/imports/values/read-text.ts'

export interface NotionCell {
  cell: Cell
  /** Of a range of dates. */
  end?: string
  /** Related pages that are not in the export. */
  missing?: number
}

/** Where an element of `Title (address), Title (address)` ends. */
const LINK_END = /[0-9a-f]{32}[^()\s,]{0,200}\)(?=, |$)/gi
const PAGE = /^\S*[0-9a-f]{32}\.md$/i
const RANGE = /^(.{1,40}?) → (.{1,40})$/

/** A cell of a CSV or a property of a page: relations as links to rows, paths of the export as files. */
export function notionCell(text: string, from: string, space: NotionSpace): NotionCell {
  const targets = relationOf(text)
  if (targets) return linked(targets, space)
  const files = filesOf(text, from, space)
  if (files) return { cell: { files } }
  const [, start, end] = RANGE.exec(text.trim()) ?? []
  return start && end && isDate(start) && isDate(end) ? { cell: start, end } : { cell: text }
}

interface Target {
  id: string
  name: string
}

/** Undefined where the cell as a whole is none. Paths alone were written until 2022. */
function relationOf(text: string): Target[] | undefined {
  const trimmed = text.trim()
  const parts = trimmed.split(', ')
  if (parts.every((part) => PAGE.test(part)))
    return parts.map((part) => ({ id: linkedId(part)!, name: titleOf(decodedAddress(part)) }))
  const targets: Target[] = []
  let start = 0
  for (const { index, 0: tail } of trimmed.matchAll(LINK_END)) {
    const element = trimmed.slice(start, index + tail.length)
    const open = element.lastIndexOf(' (')
    const address = element.slice(open + 2, -1)
    const id = linkedId(address)
    if (open < 1 || !id || !isPage(address)) return undefined
    targets.push({ id, name: element.slice(0, open) })
    start = index + tail.length + ', '.length
  }
  return targets.length && start >= trimmed.length ? targets : undefined
}

/** A path in the export, or an address at Notion. */
const isPage = (address: string): boolean =>
  /\.md$/i.test(address) || /^https:\/\/(?:www\.)?notion\.(?:so|com)\//i.test(address)

function linked(targets: readonly Target[], space: NotionSpace): NotionCell {
  const links = targets.flatMap(({ id, name }): Link[] => {
    const path = space.pageWithId(id)
    return path === undefined ? [] : [{ id: path, name }]
  })
  const missing = targets.length - links.length
  return { cell: links.length ? { links } : null, ...(missing && { missing }) }
}

function filesOf(text: string, from: string, space: NotionSpace): EmbeddedFile[] | undefined {
  if (!text.includes('/')) return undefined
  const files: EmbeddedFile[] = []
  for (const part of text.split(', ')) {
    const path = space.attached(composed(decodedAddress(part.trim())), from)
    if (path === undefined) return undefined
    files.push({ path, name: baseName(path) })
  }
  return files
}

const isDate = (text: string): boolean =>
  readDate(text, 'YMD') !== null || readMoment(text, 'YMD', 'UTC') !== null
