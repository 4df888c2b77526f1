/** Cells as spreadsheets hand them over: tabs between, a line for each row, quotes around what holds either. */
export function tableToText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n')
}

const quoted = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function tableFromText(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let inQuotes = false
  const endCell = () => {
    rows.at(-1)!.push(cell)
    cell = ''
  }
  const given = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let i = 0; i < given.length; i++) {
    const char = given[i]!
    if (inQuotes) {
      if (char !== '"') cell += char
      else if (given[i + 1] === '"') {
        cell += '"'
        i++
      } else inQuotes = false
    } else if (char === '"' && cell === '') inQuotes = true
    else if (char === '\t') endCell()
    else if (char === '\n') {
      endCell()
      rows.push([])
    } else cell += char
  }
  endCell()
  return rows
}
