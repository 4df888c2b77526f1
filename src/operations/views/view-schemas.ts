import { Type } from 'typebox'
import { Id, ItemFilter, Name } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const DEFAULT_ICON = '📋'
/** Code units: an emoji of several people and skin tones takes about thirty. */
const MAX_ICON = 100

export const ViewId = Id('Id of the view')
/** For operations on items: the view's filter is one of theirs. */
export const NarrowingView = Id('A view whose filter the items must satisfy as well')
export const Icon = Type.String({ minLength: 1, maxLength: MAX_ICON, description: 'An emoji' })
export const ViewType = Type.Literal('list', { description: 'Only list' })
const Settings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'Whatever the client keeps, e.g. {"sort_by": "name", "group_by": "Task.status"}; up to 64 KiB as JSON',
  inTools: 'Whatever the client keeps, e.g. {"sort_by": "name", "group_by": "Task.status"}',
})
const Shared = Type.Boolean({
  description: 'Everybody may read and use it; only you change it, and an owner may end it',
  inTools: 'Everybody may read and use it; only you change it',
})
const Position = Type.Union([Type.Number(), Type.Null()], {
  description: 'Its place in a list sorted by position',
})
/** What goes into a view. */
export const viewInput = {
  name: Name,
  filter: ItemFilter,
  settings: Type.Optional(Settings),
  shared: Type.Optional(Shared),
  position: Type.Optional(Position),
}

export const Watch = Type.Object(
  { enter: Type.Boolean(), change: Type.Boolean(), leave: Type.Boolean() },
  { title: 'Watch', description: 'What you are notified of: GET /api/notifications' },
)

export const View = Type.Object(
  {
    view_id: Ulid,
    id: Ulid,
    user_id: Ulid,
    name: Type.String(),
    icon: Type.String(),
    filter: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'With tag ids for tag names',
    }),
    view_type: ViewType,
    settings: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    shared: Type.Boolean(),
    position: Type.Union([Type.Number(), Type.Null()]),
    watch: Watch,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'View' },
)
