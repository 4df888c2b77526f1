import { Type } from 'typebox'
import { MAX_HUE } from '#src/domain/check-hints.ts'
import { SIGNS, type Sign } from '#src/domain/tag-look.ts'

/** What inputs and answers have alike. */
export const TagLookShape = Type.Object(
  {
    sign: Type.Optional(Type.Unsafe<Sign>({ type: 'string', enum: [...SIGNS] })),
    hue: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_HUE })),
  },
  { title: 'TagLook', additionalProperties: false },
)
