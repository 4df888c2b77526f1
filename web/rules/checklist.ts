/** What a line of a checklist begins with: a box, or what Markdown writes for one. */
export type CheckSign = '☐' | '☑' | '[ ]' | '[x]' | '[X]'

const CHECK = /^[ \t\r\n\f]*(☐|☑|\[[ xX]\])(?:[ \t\r\n\f]+|$)/
/** The same in markup, where a line may be a paragraph of its own. */
const IN_MARKUP = /(<li\b[^<>]*>\s*(?:<p\b[^<>]*>\s*)?)(☐|☑|\[[ xX]\])(?=[ \t\r\n\f<])/gi

const TURNED: Readonly<Record<CheckSign, CheckSign>> = {
  '☐': '☑',
  '☑': '☐',
  '[ ]': '[x]',
  '[x]': '[ ]',
  '[X]': '[ ]',
}

export const isTicked = (sign: CheckSign): boolean => sign !== '☐' && sign !== '[ ]'
/** Ticked where it was not, and the other way round, as it was written. */
export const turned = (sign: CheckSign): CheckSign => TURNED[sign]
/** What the next line begins with. */
export const openSign = (sign: CheckSign): CheckSign => (isTicked(sign) ? turned(sign) : sign)

export function checkSignOf(text: string): CheckSign | undefined {
  return CHECK.exec(text)?.[1] as CheckSign | undefined
}

export const withoutCheckSign = (text: string): string => text.replace(CHECK, '')

/** A description with one box turned, of as many as are shown; undefined where it does not say as many. */
export function withBoxTurned(html: string, at: number, shown: number): string | undefined {
  let count = 0
  const turnedHtml = html.replaceAll(IN_MARKUP, (all, before: string, sign: CheckSign) =>
    count++ === at ? before + turned(sign) : all,
  )
  return count === shown ? turnedHtml : undefined
}
