import { ImportFault } from '#src/imports/source.ts'
import { kindOfBuiltIn, kindOfCode, type NumberKind } from '#src/imports/xlsx/number-format.ts'
import { type Relation, WorkbookParts } from '#src/imports/xlsx/workbook-parts.ts'
import { readWhole } from '#src/imports/xlsx/xml-stream.ts'
import type { Archive, ArchivedFile } from '#src/imports/zip/archive.ts'

/** Characters of the texts that sheets share, and what one takes besides: they are kept while the sheets are read. */
const MAX_SHARED = 48 * 1024 * 1024
const SHARED_SIZE = 24

export interface Sheet {
  name: string
  file: ArchivedFile
}

/** A sheet that cannot be read as a table. */
export interface UnreadSheet {
  name: string
  reason: string
}

/** What the sheets of a workbook have in common. */
export interface Workbook {
  sheets: (Sheet | UnreadSheet)[]
  texts: string[]
  /** What numbers of a style are. */
  kindOf: (style: number) => NumberKind
  /** Days count from 1904, as on old Macs. */
  from_1904: boolean
}

export async function readWorkbook(archive: Archive, name: string): Promise<Workbook> {
  const parts = new WorkbookParts(archive)
  const book = await parts.book()
  if (!book) throw new ImportFault('it is no workbook of the format .xlsx', { file: name })
  const named: { name: string; id: string }[] = []
  let from_1904 = false
  await readWhole(book.file, {
    open(tag, attributes) {
      if (tag === 'sheet') named.push({ name: attributes.name ?? 'Sheet', id: relationId(attributes) })
      if (tag === 'workbookPr') from_1904 = attributes.date1904 === '1' || attributes.date1904 === 'true'
    },
  })
  const relations = await parts.relationsOf(book.path)
  const partOf = (kind: string, usual: string) =>
    relations.find((each) => each.kind === kind)?.file ?? parts.at(usual)
  return {
    sheets: named.map((sheet) =>
      sheetOf(
        sheet.name,
        relations.find(({ id }) => id === sheet.id),
      ),
    ),
    texts: await sharedTexts(partOf('sharedStrings', 'xl/sharedStrings.xml')),
    kindOf: await styleKinds(partOf('styles', 'xl/styles.xml')),
    from_1904,
  }
}

/** `r:id`, whatever the prefix is that the workbook gives to relations. */
export function relationId(attributes: Record<string, string>): string {
  const name = Object.keys(attributes).find((each) => /^(?:[^:]+:)?id$/.test(each))
  return name === undefined ? '' : attributes[name]!
}

function sheetOf(name: string, relation: Relation | undefined): Sheet | UnreadSheet {
  if (!relation) return { name, reason: 'the workbook does not say where the sheet is' }
  const { kind, target, file } = relation
  if (/^(?:chart|dialog|xlIntlMacro|xlMacro)sheet$/i.test(kind))
    return { name, reason: `the sheet is a ${kind}, which has no cells of a table` }
  return file ? { name, file } : { name, reason: `the file lacks the sheet, '${target.slice(0, 200)}'` }
}

async function sharedTexts(file: ArchivedFile | undefined): Promise<string[]> {
  const texts: string[] = []
  let size = 0
  let text = ''
  let isText = false
  let phonetic = 0
  await readWhole(file, {
    open(tag) {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') phonetic++
      isText = tag === 't' && !phonetic
    },
    text(piece) {
      if (!isText) return
      text += piece
      if (size + text.length > MAX_SHARED)
        throw new ImportFault(
          'its texts are longer than 48 MiB',
          { file: file!.path },
          'Save it as CSV, or in parts',
        )
    },
    close(tag) {
      if (tag === 't') isText = false
      else if (tag === 'rPh') phonetic--
      else if (tag === 'si') {
        texts.push(plainText(text))
        size += text.length + SHARED_SIZE
      }
    },
  })
  return texts
}

/** A text with the characters that the format escapes as `_xHHHH_` (ECMA-376, ST_Xstring), in one pass: `_x005F_` is `_`. */
export const plainText = (text: string): string =>
  text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

async function styleKinds(file: ArchivedFile | undefined): Promise<(style: number) => NumberKind> {
  const custom = new Map<number, NumberKind>()
  const styles: NumberKind[] = []
  let isCells = false
  await readWhole(file, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (tag === 'numFmt') custom.set(Number(numFmtId), kindOfCode(formatCode))
      else if (tag === 'cellXfs') isCells = true
      else if (tag === 'xf' && isCells)
        styles.push(custom.get(Number(numFmtId)) ?? kindOfBuiltIn(Number(numFmtId)))
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false
    },
  })
  return (style) => styles[style] ?? 'number'
}
