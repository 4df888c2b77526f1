/**
 * Unicode simple case folding (CaseFolding.txt, C and S), for search that ignores case: É/é, Σ/σ/ς, ẞ/ß, K/k are the
 * same; İ and ı are neither i nor each other. Length in code points is kept, so that a substring of the text is a
 * substring of the folded text.
 */
export function fold(text: string): string {
  // İ alone has a lower case of two characters, and simple folding leaves it as it is.
  const lower = text.includes('İ')
    ? text
        .split('İ')
        .map((part) => part.toLowerCase())
        .join('İ')
    : text.toLowerCase()
  return lower.replace(FURTHER, (char) => FOLDS.get(char)!)
}

/** Lower-case letters that fold to others. */
const FOLDS = new Map([
  ['\u00b5', '\u03bc'], // micro sign
  ['\u017f', 's'], // long s
  ['\u0345', '\u03b9'], // iota subscript
  ['\u03c2', '\u03c3'], // final sigma
  ['\u03d0', '\u03b2'],
  ['\u03d1', '\u03b8'],
  ['\u03d5', '\u03c6'],
  ['\u03d6', '\u03c0'],
  ['\u03f0', '\u03ba'],
  ['\u03f1', '\u03c1'],
  ['\u03f5', '\u03b5'],
  ['\u1c80', '\u0432'], // rounded forms of Cyrillic
  ['\u1c81', '\u0434'],
  ['\u1c82', '\u043e'],
  ['\u1c83', '\u0441'],
  ['\u1c84', '\u0442'],
  ['\u1c85', '\u0442'],
  ['\u1c86', '\u044a'],
  ['\u1c87', '\u0463'],
  ['\u1c88', '\ua64b'],
  ['\u1e9b', '\u1e61'], // long s with dot
  ['\u1fbe', '\u03b9'], // prosgegrammeni
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'], // long s t, st
])
const FURTHER = new RegExp(`[${[...FOLDS.keys()].join('')}]`, 'g')
