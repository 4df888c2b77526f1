import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'
import { sessionsOf } from '#src/storage/accounts/sessions.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const Session = Type.Object(
  {
    session_id: Ulid,
    created_at: Timestamp,
    last_used_at: Type.Unsafe<string>({ ...Timestamp, description: 'To the minute' }),
    user_agent: TextOrNull,
    address: TextOrNull,
    current: Type.Boolean({ description: 'The one that asks' }),
  },
  { title: 'Session' },
)

export const listSessions = defineOperation({
  name: 'listSessions',
  summary: 'List where you are signed in, newest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/auth/sessions',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Session),
  async run({ db, caller, now }) {
    const sessions = await sessionsOf(db, caller.user_id!, now)
    return sessions.map(({ token_hash, ...rest }) => ({ ...rest, current: token_hash === caller.token_hash }))
  },
})
