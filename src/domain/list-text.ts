/** What parts the elements of a list in a cell. */
export type ListSign = ', ' | ';'

const QUOTED = /^\s*"((?:[^"]|"")*)"\s*$/

/** The elements of a list in a cell; one with a sign, a quote or a line feed is in quotes, as in CSV. */
export const listOf = (text: string, sign: ListSign): string[] => elementsIn(text, [sign])

/** The same of what somebody types: any comma or semicolon outside of quotes parts. */
export const typedList = (text: string): string[] => elementsIn(text, [',', ';'])

function elementsIn(text: string, signs: readonly string[]): string[] {
  const elements: string[] = []
  let start = 0
  for (const { at, sign } of cutsIn(text, signs)) {
    elements.push(text.slice(start, at))
    start = at + sign.length
  }
  elements.push(text.slice(start))
  const names = elements.map(unquoted).filter(Boolean)
  return [...new Set(names)]
}

/** Where a text is parted: a sign in quotes belongs to its element. */
function* cutsIn<Sign extends string>(
  text: string,
  signs: readonly Sign[],
): Generator<{ at: number; sign: Sign }> {
  let isQuoted = false
  /** More than blanks has come of the element. */
  let isBegun = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    // A quote inside a text is no more than that.
    if (char === '"' && (isQuoted || !isBegun)) isQuoted = !isQuoted
    else if (!isQuoted) {
      const sign = signs.find((each) => text.startsWith(each, at))
      if (sign !== undefined) {
        yield { at, sign }
        isBegun = false
        continue
      }
    }
    isBegun ||= char.trim() !== ''
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
    // Without quotes nothing of it is quoted: cells may be long, and most have none.
    const parts = text.includes('"') ? Array.from(cutsIn(text, signs), ({ sign }) => sign) : signs
    if (parts.includes(', ')) this.commas++
    if (parts.includes(';')) this.semicolons++
  }

  get sign(): ListSign {
    return this.semicolons && !this.commas ? ';' : ', '
  }
}
