const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)

export function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (!line.trim()) return line
  const signs = '`'.repeat(longestTicks(line) + 1)
  const gap = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return `${signs}${gap}${line}${gap}${signs}`
}

export function fence(text: string, language: string): string {
  const signs = '`'.repeat(Math.max(2, longestTicks(text)) + 1)
  return `${signs}${language}\n${text}\n${signs}`
}

export const destination = (href: string): string =>
  /^[^\s()<>\\]+$/.test(href)
    ? href
    : `<${href.replaceAll(/\s/g, (blank) => encodeURIComponent(blank)).replaceAll(/[<>\\]/g, (sign) => `\\${sign}`)}>`

export const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => (by + line).trimEnd())
    .join('\n')

/** Text whose signs mean themselves within a line. */
export const escapedText = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]<~]|&(?=[#\w])|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|==|%%/gu, (signs) =>
      signs.replaceAll(/./g, '\\$&'),
    )
    .replaceAll(/(?<![\p{L}\p{N}])#(?=[\p{L}\p{N}_])/gu, '\\#')

/** A line whose beginning means nothing: no heading, list, quote, rule or table. */
export const escapedLine = (line: string): string =>
  line
    .replace(/^(?:[-+>|]|#{1,6}(?=\s|$)|=+\s*$|:(?=[-|]))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** By hand: an expression looks at a long run of breaks once from each. */
export function withoutEndingBreaks(line: string): string {
  let end = line.length
  for (;;) {
    const last = line[end - 1]
    if (last === '\n') end -= line[end - 2] === '\\' ? 2 : 1
    else if (last === ' ' || last === '\t') end--
    else return line.slice(0, end)
  }
}
