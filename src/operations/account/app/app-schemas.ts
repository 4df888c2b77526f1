import { Type } from 'typebox'
import { Scope, ShownLimit } from '#src/operations/account/key/key-schemas.ts'
import { Id } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const AppId = Id('Id of the app')

export const App = Type.Object(
  {
    app_id: Ulid,
    name: Type.String({ description: 'As it calls itself' }),
    client_uri: Type.Union([Type.String(), Type.Null()], { description: 'Its home page, as it says' }),
    scope: Scope,
    created_at: Timestamp,
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'To the minute; null: never' }),
    limit: Type.Optional(ShownLimit),
  },
  { title: 'App' },
)

export const EXAMPLE_APP = {
  app_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  name: 'Claude Code',
  client_uri: 'https://claude.ai',
  scope: 'write',
  created_at: '2026-01-31T09:30:00.000Z',
  last_used_at: '2026-01-31T10:12:00.000Z',
}
