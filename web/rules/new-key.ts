const BYTES = 16

/** A name that nobody has used; `crypto.randomUUID` is missing where a page comes by http from another machine. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
