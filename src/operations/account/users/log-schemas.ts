import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid as UlidSchema } from '#src/operations/schemas/answers.ts'
import type { Db } from '#src/sql/query.ts'
import { SECURITY_EVENT_TYPES, securityEvents } from '#src/storage/accounts/security-log.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** How something came about. */
export const ClientInfo = Type.Union(
  [
    Type.Object({
      kind: Type.Union(['session', 'key', 'app', 'cli'].map((kind) => Type.Literal(kind))),
      id: TextOrNull,
      name: TextOrNull,
    }),
    Type.Null(),
  ],
  { description: 'By what means it came' },
)

export const SecurityEvent = Type.Object(
  {
    event_id: UlidSchema,
    event_type: Type.Unsafe<string>({ type: 'string', enum: [...SECURITY_EVENT_TYPES] }),
    user_id: Type.Union([UlidSchema, Type.Null()], { description: 'Whom it concerns' }),
    actor_id: Type.Union([UlidSchema, Type.Null()], {
      description: 'Who did it; null: nobody who was signed in, or an operator',
    }),
    address: TextOrNull,
    user_agent: TextOrNull,
    client: ClientInfo,
    details: Type.Object({}, { additionalProperties: true }),
    created_at: Timestamp,
  },
  { title: 'SecurityEvent' },
)

export const PageOfLog = Type.Object(
  { limit: Type.Optional(Limit), after: Type.Optional(After) },
  { additionalProperties: false },
)

/** Without a limit, as an interface streams it, a page of the log all the same. */
const WHOLE = 1000

/** A page of somebody's events, or of everybody's. @throws BadRequest */
export async function logPage(
  db: Db,
  user_id: Ulid | null,
  { limit = WHOLE, after }: { limit?: number; after?: string },
): Promise<Reply> {
  const from = after === undefined ? undefined : parseUlid(after)
  if (from === null)
    throw badRequest('after: not a cursor of this list', { suggestion: 'Take X-Next-Cursor as it came' })
  const { texts, next } = await securityEvents(db, { user_id, limit, after: from })
  return new Reply(`[${texts.join()}]`, next === null ? undefined : { next })
}
