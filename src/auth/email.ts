// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = `[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*`
/** ASCII white space around it is taken off. */
export const EMAIL_PATTERN = `^[\\t\\n\\f\\r ]*${ADDRESS}[\\t\\n\\f\\r ]*$`
export const MAX_EMAIL = 320

const WHITE = new Set('\t\n\f\r ')

/** By index: a pattern would look at a long run of blanks inside again from each of them. */
export function trimEmail(email: string): string {
  let [start, end] = [0, email.length]
  while (start < end && WHITE.has(email[start]!)) start++
  while (end > start && WHITE.has(email[end - 1]!)) end--
  return email.slice(start, end)
}

/** Equal for addresses that count as the same. */
export const emailKey = (email: string): string => trimEmail(email).toLowerCase()

const VALID = new RegExp(`^${ADDRESS}$`)
export const isEmail = (email: string): boolean => email.length <= MAX_EMAIL && VALID.test(email)

/** Lower-cased, after the last @. */
export const domainOf = (email: string): string => emailKey(email).slice(email.lastIndexOf('@') + 1)
