import type { SecretBox } from '#src/auth/secret-box.ts'
import type { Caller } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'

/** Characters to whose multiple a cursor is filled up: how long one is would tell of the base, too. */
const STEP = 256

/**
 * Where a list goes on, as it is shown to a caller. A cursor is made of ids and places in the whole base: who sees a part of
 * it gets it sealed, and no other is taken from them, so that none asks after what is hidden.
 */
export function sealedPage(secrets: SecretBox, { limited, client }: Caller, reply: Reply): Reply {
  const { next, ...meta } = reply.meta ?? {}
  if (!limited || next === undefined) return reply
  const filled = next.padEnd(Math.ceil(next.length / STEP) * STEP)
  return new Reply(reply.body, { ...meta, next: secrets.seal(filled, ownerOf(client)) })
}

/** The input with the cursor that was sealed. @throws BadRequest for any other */
export function openedPage<Input>(secrets: SecretBox, { limited, client }: Caller, input: Input): Input {
  if (!limited || typeof input !== 'object' || input === null) return input
  const { after } = input as { after?: unknown }
  if (typeof after !== 'string') return input
  const opened = secrets.open(after, ownerOf(client))
  if (opened !== null) return { ...input, after: opened.trimEnd() }
  throw badRequest('after: not a cursor of this list', {
    suggestion: 'Give X-Next-Cursor (next.after) of the page before, as this key or app got it',
    details: { errors: [{ path: 'after', message: 'not a cursor of this list' }] },
  })
}

const ownerOf = (client: Caller['client']): string => `page ${client?.kind} ${client?.id}`
