/** Columns as wide as their widest cell; the last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((line) => line.map(printable))
  const widths = head.map((_, i) => Math.max(...lines.map((line) => width(line[i]!))))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell + ' '.repeat(widths[i]! - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names are anybody's text: none of it steers the terminal. */
const printable = (cell: string) => cell.replaceAll(/\p{C}/gu, '\ufffd')

const width = (cell: string) => Array.from(cell).length
