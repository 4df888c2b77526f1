/** What another application shares: some give a page's address as the text. */
export interface Shared {
  title: string
  text: string
  url: string
}

/** Longer first lines are no names. */
const MOST = 200
const ADDRESS = /^https?:\/\/\S+$/i

export function readShared(search: string): Shared {
  const query = new URLSearchParams(search)
  const [title, text, url] = ['title', 'text', 'url'].map((name) => query.get(name)?.trim() ?? '')
  // Android puts an address behind the text, or in its place.
  const [, before = '', last = ''] = /^([^]*?)\s*(\S*)$/.exec(text!) ?? []
  const isLast = !url && ADDRESS.test(last)
  return { title: title!, text: isLast ? before : text!, url: isLast ? last : url! }
}

/** What the item is called: the title, else the first line of the text, else where it comes from. */
export function nameOfShared({ title, text, url }: Shared): string {
  const [line = ''] = text.split('\n')
  return (title || line || url).slice(0, MOST)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign]!)

/** The rest, as a description; undefined where the name says all. */
export function describeShared(shared: Shared): string | undefined {
  const { text, url } = shared
  const isName = text === nameOfShared(shared)
  const lines =
    isName || !text ? [] : text.split(/\n{2,}/).map((part) => escaped(part).replaceAll('\n', '<br>'))
  const link = escaped(url)
  if (url) lines.push(ADDRESS.test(url) ? `<a href="${link}">${link}</a>` : link)
  return lines.length ? lines.map((line) => `<p>${line}</p>`).join('\n') : undefined
}
