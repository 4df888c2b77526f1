/** Characters. */
const MAX_TITLE = 60

/** A chat's title out of its first message: its first words, on one line. */
export function titleOf(message: string): string {
  const line = message.replaceAll(/\s+/gu, ' ').trim()
  const characters = [...line]
  if (characters.length <= MAX_TITLE) return line
  const cut = characters.slice(0, MAX_TITLE - 1).join('')
  const lastBlank = cut.lastIndexOf(' ')
  return `${(lastBlank > MAX_TITLE / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`
}
