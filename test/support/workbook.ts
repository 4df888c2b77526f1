import { randomBytes } from 'node:crypto'
import { ZipWriter } from '#src/transfer/zip-writer.ts'

const DATE = new Date('2026-01-31T09:30:00Z')
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

interface Options {
  /** So large that nothing in it looks like a bomb. */
  padded?: boolean
  /** Codes of formats, whose styles are 3 and so on. */
  formats?: readonly string[]
  from_1904?: boolean
}

/** A workbook as spreadsheet programs write them, by the XML of its rows. */
export async function workbook(
  sheets: Record<string, readonly string[]>,
  { padded = false, formats = [], from_1904 = false }: Options = {},
): Promise<Buffer> {
  const names = Object.keys(sheets)
  const files: Record<string, string | Buffer> = {
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="x">${from_1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}><si><t>Name</t></si><si><t>Ada &amp; Co</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si><si><t>line_x000D_&#10;feed</t></si></sst>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/>${formats.map((code, i) => `<numFmt numFmtId="${165 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>${formats.map((_, i) => `<xf numFmtId="${165 + i}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => {
        const [doctype = ''] = /^<!DOCTYPE.*?\]>/.exec(rows[0] ?? '') ?? []
        const xml = `${HEAD}${doctype}<worksheet ${MAIN}><sheetData>${rows.join('').slice(doctype.length)}</sheetData></worksheet>`
        return [`xl/worksheets/sheet${i + 1}.xml`, xml]
      }),
    ),
    ...(padded && { 'xl/media/image1.png': randomBytes(2 ** 20) }),
  }
  const writer = new ZipWriter()
  const pieces: Buffer[] = []
  for (const [path, content] of Object.entries(files))
    for await (const piece of writer.add(path, Buffer.from(content), DATE)) pieces.push(piece)
  return Buffer.concat([...pieces, ...writer.end()])
}
