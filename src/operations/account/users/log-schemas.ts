import { Type } from 'typebox'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { pageById } from '#src/operations/page-by-id.ts'
import { Timestamp, Ulid as UlidSchema } from '#src/operations/schemas/answers.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import {
  SECURITY_EVENT_TYPES,
  securityEvents,
  securityEventText,
} from '#src/storage/accounts/security-log.ts'

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

/** A page of somebody's events, or of everybody's, newest first. @throws BadRequest */
export const logPage = (
  context: SqlContext,
  user_id: Ulid | null,
  page: { limit?: number; after?: string },
): Promise<Reply> =>
  pageById(context, page, {
    read: (after, limit) => securityEvents(context.db, { user_id, limit, after }),
    idOf: ({ event_id }) => event_id,
    textOf: securityEventText,
  })
