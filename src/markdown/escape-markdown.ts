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
