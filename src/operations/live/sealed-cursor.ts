import type { SecretBox } from '#src/auth/secret-box.ts'
import type { Caller } from '#src/domain/caller.ts'
import type { ReplyMeta } from '#src/domain/reply.ts'
import { type LiveCursor, parseCursor } from '#src/operations/live/live-cursor.ts'

/**
 * The id that a caller is given for `after`. A caller who sees a part of the base must not
 * learn when somebody else did something: they get it sealed, otherwise each time.
 */
export const sealedId = (secrets: SecretBox, { limited, client }: Caller, id: string): string =>
  limited ? secrets.seal(id, ownerOf(client)) : id

/** What such an id says; null where the text is none. */
export function openedCursor(
  secrets: SecretBox,
  { limited, client }: Caller,
  text: string,
): LiveCursor | null {
  return parseCursor((limited && secrets.open(text, ownerOf(client))) || text)
}

/** What accompanies an answer, as this caller may see it. */
export function sealedMeta(secrets: SecretBox, caller: Caller, meta: ReplyMeta): ReplyMeta {
  const { event_id } = meta
  return event_id === undefined ? meta : { ...meta, event_id: sealedId(secrets, caller, event_id) }
}

const ownerOf = (client: Caller['client']): string => `live ${client?.kind} ${client?.id}`
