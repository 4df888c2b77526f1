// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = `[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*`
/** ASCII white space around it is taken off. */
export const EMAIL_PATTERN = `^[\\t\\n\\f\\r ]*${ADDRESS}[\\t\\n\\f\\r ]*$`
export const MAX_EMAIL = 320

export const trimEmail = (email: string): string => email.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')

/** Equal for addresses that count as the same. */
export const emailKey = (email: string): string => trimEmail(email).toLowerCase()

const VALID = new RegExp(`^${ADDRESS}$`)
export const isEmail = (email: string): boolean => email.length <= MAX_EMAIL && VALID.test(email)

/** Lower-cased, after the last @. */
export const domainOf = (email: string): string => emailKey(email).slice(email.lastIndexOf('@') + 1)
