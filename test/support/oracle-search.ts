/**
 * What `search` finds, and in what order of relevance, stated by itself: HTML is read by a pattern with a list of what
 * does not part words, texts are compared by the case-insensitive patterns of ECMAScript.
 */
const INLINE = new Set(['a', 'abbr', 'b', 'code', 'em', 'i', 'mark', 's', 'small', 'span', 'strong', 'u'])
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  eacute: 'é',
}

export interface SearchedItem {
  name: string
  description: string | null
  updated_at: string
  /** String values and names of variants. */
  values(): readonly string[]
}

type Form = string | { text: string; in?: readonly string[]; match?: string }

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '')
const blanks = (text: string): string => text.split(/\s+/).join(' ')

function read(html: string): string {
  const text = html
    .replaceAll(/<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/gi, (_, name: string) =>
      INLINE.has(name.toLowerCase()) ? '' : ' ',
    )
    .replaceAll(/&(\w+);/g, (written, name: string) => ENTITIES[name] ?? written)
  return blanks(text).trim()
}

const searched = (text: string): string => blanks(plain(text))

function has(text: string, part: string, before = '', after = ''): boolean {
  const escaped = part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return new RegExp(before + escaped + after, 'iu').test(text)
}

const needles = (form: Form): { text: string; places: readonly string[] }[] => {
  const {
    text,
    in: places = ['name', 'description'],
    match,
  } = typeof form === 'string' ? { text: form } : form
  const texts = match === 'words' ? text.split(/\s+/).filter(Boolean) : [text]
  return texts.map((each) => ({ text: searched(each), places }))
}

export const isFound = (item: SearchedItem, form: Form): boolean =>
  needles(form).every(
    ({ text, places }) =>
      text === '' ||
      places.some((place) => {
        if (place === 'values') return item.values().some((value) => has(searched(value), text))
        if (place === 'name') return has(searched(item.name), text)
        return item.description !== null && has(searched(read(item.description)), text)
      }),
  )

/** 1: the whole name … 5: in the description, 6: elsewhere. */
function rank(item: SearchedItem, text: string, places: readonly string[]): number {
  const name = searched(item.name)
  if (places.includes('name')) {
    if (has(name, text, '^', '$')) return 1
    if (has(name, text, '^')) return 2
    if (has(name, text, String.raw`[^\p{L}\p{N}]`)) return 3
    if (has(name, text)) return 4
  }
  const inDescription = places.includes('description') && item.description !== null
  return inDescription && has(searched(read(item.description!)), text) ? 5 : 6
}

/** Of items that the search finds. */
export function byRelevance<T extends SearchedItem>(items: readonly T[], form: Form): T[] {
  const ranked = items.map((item) => ({
    item,
    rank: Math.max(...needles(form).map(({ text, places }) => rank(item, text, places))),
  }))
  return ranked
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Array.from(a.item.name).length - Array.from(b.item.name).length ||
        (a.item.updated_at < b.item.updated_at ? 1 : a.item.updated_at > b.item.updated_at ? -1 : 0),
    )
    .map(({ item }) => item)
}
