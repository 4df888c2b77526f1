/** Years, months and days with a sign behind each; one of the week may follow. */
const SIGNED = /(\d{1,4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/

/** Digits of all scripts as 0–9, and dates with signs for their parts as ISO 8601 has them. */
export function plainSigns(text: string): string {
  return plainDigits(text.normalize('NFKC').replaceAll(HYPHENS, '-')).replace(
    SIGNED,
    (_, year: string, month: string, day: string) =>
      ` ${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')} `,
  )
}

/** Texts have hyphens of their own, that do not break or that stand for minus. */
const HYPHENS = /[\u2010\u2011\u2212]/g
const MARKS = /[\u200e\u200f\u061c]/g

/** The same with 0–9 for digits of all scripts, and without the marks that turn the direction of writing. */
export const plainDigits = (text: string): string =>
  text.replaceAll(MARKS, '').replaceAll(/\p{Nd}/gu, digitOf)

/** Digits stand in runs of ten, each of which begins where the one before is none. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}
