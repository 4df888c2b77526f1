/** What parts the elements of a list in a cell. */
export type ListSign = ', ' | ';'

const QUOTED = /^\s*"((?:[^"]|"")*)"\s*$/

/** The elements of a list in a cell; one with a comma, a quote or a line feed is in quotes, as in CSV. */
export function listOf(text: string, sign: ListSign): string[] {
  const elements: string[] = []
  let start = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const at = text[i]
    // A quote inside a text is no more than that.
    if (at === '"' && (isQuoted || text.slice(start, i).trim() === '')) isQuoted = !isQuoted
    else if (!isQuoted && text.startsWith(sign, i)) {
      elements.push(text.slice(start, i))
      start = i + sign.length
    }
  }
  elements.push(text.slice(start))
  const names = elements.map(unquoted).filter(Boolean)
  return [...new Set(names)]
}

function unquoted(element: string): string {
  const [, inner] = QUOTED.exec(element) ?? []
  return inner === undefined ? element.trim() : inner.replaceAll('""', '"')
}

/** Which sign the cells of a column have in common. */
export class ListCount {
  private commas = 0
  private semicolons = 0

  take(text: string): void {
    if (text.includes(', ')) this.commas++
    if (text.includes(';')) this.semicolons++
  }

  get sign(): ListSign {
    return this.semicolons && !this.commas ? ';' : ', '
  }
}
