/**
 * Unicode simple case folding, for search that ignores case: É/é, Σ/σ/ς, ẞ/ß are the same, İ and the Turkish rules
 * are not applied. Length in code points is kept, so that a substring of the text is a substring of the folded text.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

const ASCII = /^[\x00-\x7f]*$/
const folds = new Map<string, string>()

function foldCharacter(char: string): string {
  let found = folds.get(char)
  if (found === undefined) {
    found = simpleFold(char)
    if (folds.size < 20_000) folds.set(char, found)
  }
  return found
}

/** Lower case of the upper case joins σ and ς; a mapping to several characters (full folding) is not taken. */
function simpleFold(char: string): string {
  const upper = single(char.toUpperCase(), char)
  return single(upper.toLowerCase(), upper)
}

const single = (mapped: string, original: string) => ([...mapped].length === 1 ? mapped : original)
