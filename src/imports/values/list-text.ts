/** What parts the elements of a list in a cell. */
export type ListSign = ', ' | ';'

const QUOTED = /^\s*"((?:[^"]|"")*)"\s*$/

/** The elements of a list in a cell; one with a sign, a quote or a line feed is in quotes, as in CSV. */
export function listOf(text: string, sign: ListSign): string[] {
  const elements: string[] = []
  let start = 0
  for (const { at } of cutsIn(text, [sign])) {
    elements.push(text.slice(start, at))
    start = at + sign.length
  }
  elements.push(text.slice(start))
  const names = elements.map(unquoted).filter(Boolean)
  return [...new Set(names)]
}

/** Where a text is parted: a sign in quotes belongs to its element. */
function* cutsIn(text: string, signs: readonly ListSign[]): Generator<{ at: number; sign: ListSign }> {
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    // A quote inside a text is no more than that.
    if (text[at] === '"' && (isQuoted || text.slice(start, at).trim() === '')) isQuoted = !isQuoted
    else if (!isQuoted) {
      const sign = signs.find((each) => text.startsWith(each, at))
      if (sign === undefined) continue
      yield { at, sign }
      start = at + sign.length
    }
  }
}

function unquoted(element: string): string {
  const [, inner] = QUOTED.exec(element) ?? []
  return inner === undefined ? element.trim() : inner.replaceAll('""', '"')
}

const SIGNS: readonly ListSign[] = [', ', ';']

/** Which sign the cells of a column have in common. */
export class ListCount {
  private commas = 0
  private semicolons = 0

  take(text: string): void {
    const signs = SIGNS.filter((sign) => text.includes(sign))
    if (!signs.length) return
    const found = new Set(Array.from(cutsIn(text, signs), ({ sign }) => sign))
    if (found.has(', ')) this.commas++
    if (found.has(';')) this.semicolons++
  }

  get sign(): ListSign {
    return this.semicolons && !this.commas ? ';' : ', '
  }
}
