import { knownItemName } from '#web/data/item-names.ts'
import { knownValue } from '#web/data/path-values.ts'
import type { RowSource } from '#web/data/row-source.ts'
import { readTold } from '#web/data/told-cells.ts'
import { toast } from '#web/parts/toast.tsx'
import { tableToHtml, tableToText, type ToldCell, toldCell } from '#web/rules/clipboard-table.ts'
import type { Column } from '#web/rules/column.ts'
import { thisLocale } from '#web/rules/typed-number.ts'

/** What a letter or a sheet takes at once; more is a matter for an export. */
const MOST = 1000

/** Copies what a table shows, with its headings: for sheets as text, for texts and mails as a table. */
export async function copyTable(source: RowSource, columns: readonly Column[]): Promise<void> {
  const headings = columns.map(({ label }) => label)
  const lines = readLines(source, columns)
  const blob = async (type: string, write: (rows: readonly ToldCell[][]) => string) =>
    new Blob([write(await lines)], { type })
  try {
    // Promised at once: a browser lets copy only what was asked for just now.
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/plain': blob('text/plain', (rows) =>
          tableToText([headings, ...rows.map((row) => row.map(({ text }) => text))]),
        ),
        'text/html': blob('text/html', (rows) => tableToHtml(rows, headings)),
      }),
    ])
    const count = (await lines).length
    const more = source.total > count ? ` of ${source.total.toLocaleString()}: an export has all` : ''
    toast({ text: `Copied ${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}${more}` })
  } catch (error) {
    toast({ text: `Could not be copied: ${(error as Error).message}`, kind: 'danger' })
  }
}

async function readLines(source: RowSource, columns: readonly Column[]): Promise<readonly ToldCell[][]> {
  const locale = thisLocale()
  // To the end, also where nobody has counted the rows yet.
  const rows = await source.read(0, MOST - 1)
  await readTold(rows, columns)
  return rows.map((row) =>
    columns.map((column) =>
      toldCell(column, knownValue(column, row), (id) => knownItemName(id) ?? id, locale),
    ),
  )
}
