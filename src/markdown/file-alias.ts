/** What would end a link, or the text in YAML that it is in. */
const ENDING = /[%[\]|#"\\\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g
const WITH_ALIAS = /^!?\[\[[^\]|]*\|([^\]]*)\]\]$/

/** Behind the path of a link: what a value calls a file that was uploaded by another name. */
export const fileAlias = (name: string): string =>
  `|${name.replaceAll(ENDING, (sign) => encodeURIComponent(sign))}`

/** The name that a link says so. */
export function fileNameSaid(link: unknown): string | undefined {
  const alias = typeof link === 'string' ? WITH_ALIAS.exec(link)?.[1] : undefined
  try {
    return alias === undefined ? undefined : decodeURIComponent(alias)
  } catch {
    // Somebody has written it by hand.
    return alias
  }
}
