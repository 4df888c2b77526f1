/**
 * Where typing leads in a list: to the next name that begins so, after the last to the first; the same letter again and
 * again goes from one to the next. -1: none begins so.
 */
export function foundByTyping(names: readonly string[], typed: string, from: number): number {
  const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const wanted = plain(typed)
  const isRepeated = wanted.length > 1 && wanted === wanted[0]!.repeat(wanted.length)
  const start = isRepeated ? wanted[0]! : wanted
  // One letter goes on, more of a name stays where it fits.
  const first = start.length === 1 ? from + 1 : from
  for (let i = 0; i < names.length; i++) {
    const at = (Math.max(first, 0) + i) % names.length
    if (plain(names[at]!.trim()).startsWith(start)) return at
  }
  return -1
}
