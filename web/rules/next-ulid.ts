import { ULID_ALPHABET } from '#src/domain/ulid.ts'

/** The id right after one. */
export function nextUlid(id: string): string {
  const last = ULID_ALPHABET.indexOf(id.slice(-1)) + 1
  const head = id.slice(0, -1)
  return last < ULID_ALPHABET.length ? head + ULID_ALPHABET[last] : `${nextUlid(head)}${ULID_ALPHABET[0]}`
}
