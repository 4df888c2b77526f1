/** Cells as spreadsheets hand them over: tabs between, a line for each row, quotes around what holds either. */
export function tableToText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n')
}

/** The same as a table of HTML, which texts and mails take as one. */
export function tableToHtml(rows: readonly (readonly string[])[], headings?: readonly string[]): string {
  const line = (cells: readonly string[], kind: 'td' | 'th') =>
    `<tr>${cells.map((text) => `<${kind}>${escaped(text)}</${kind}>`).join('')}</tr>`
  const head = headings ? `<thead>${line(headings, 'th')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br>')

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
