/** Characters, as people count them. */
const MAX_TITLE = 60
/** Code units that are looked at. */
const MAX_LOOK = 2000
const characters = new Intl.Segmenter()

/** A chat's title out of its first message: its first words, on one line. */
export function titleOf(message: string): string {
  const line = message.replaceAll(/\s+/gu, ' ').trim()
  const all = [...characters.segment(line.slice(0, MAX_LOOK))].map(({ segment }) => segment)
  if (all.length <= MAX_TITLE) return line
  const cut = all.slice(0, MAX_TITLE - 1).join('')
  const lastBlank = cut.lastIndexOf(' ')
  return `${(lastBlank > MAX_TITLE / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`
}
