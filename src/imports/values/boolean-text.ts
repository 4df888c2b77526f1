const TRUE = new Set('true yes y on 1 x ✓ checked wahr ja vrai oui verdadero vero sí si'.split(' '))
const FALSE = new Set('false no n off 0 unchecked falsch nein faux non falso'.split(' '))
/** What alone makes a column one of truths: `x` and `1` may be anything. */
const CLEAR = /^(?:yes|no|true|false|y|n|✓|checked|wahr|falsch|vrai|faux)$/i

export function readBoolean(text: string): boolean | null {
  const folded = text.toLowerCase()
  if (TRUE.has(folded)) return true
  return FALSE.has(folded) ? false : null
}

export const isClearlyBoolean = (text: string): boolean => CLEAR.test(text)
