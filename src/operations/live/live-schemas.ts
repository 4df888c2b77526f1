import { type Static, Type } from 'typebox'
import { ItemFields } from '#src/operations/paging.ts'
import { ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { ViewId } from '#src/operations/views/view-schemas.ts'

const from = Type.String({
  maxLength: 200,
  description: 'From there on: X-Event-Id of a search, or the last id that a stream sent',
})
const common = {
  fields: Type.Optional(ItemFields),
  time_zone: Type.Optional(TimeZone),
  after: Type.Optional(from),
}

/** What is followed: a filter, or the one of a view. */
export const FollowFilter = Type.Object({ filter: ItemFilter, ...common }, { additionalProperties: false })
export const FollowView = Type.Object({ view_id: ViewId, ...common }, { additionalProperties: false })

export type FollowInput = Partial<Static<typeof FollowFilter> & Static<typeof FollowView>>
