import { Type, type Static } from 'typebox'
import { Description, ItemFilter, MAX_BULK, Name, NewTag } from '#src/operations/schemas/inputs.ts'
import { openObject } from '#src/runtime/input-schema.ts'

export const TEMPLATE_FORMAT = 'facet-template'
export const MAX_TAGS = 200
export const MAX_VIEWS = 200
const closed = { additionalProperties: false } as const

const TemplateView = Type.Object(
  {
    name: Name,
    icon: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    filter: ItemFilter,
    settings: Type.Optional(
      openObject<Record<string, unknown>>('With names of tags where a client keeps ids'),
    ),
    position: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  },
  closed,
)
const TemplateItem = Type.Object(
  {
    ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'What references and links (`/items/REF`) to it say in place of an id',
      }),
    ),
    name: Name,
    description: Type.Optional(Description),
    tags: Type.Optional(
      openObject<Record<string, Record<string, unknown>>>('Values by the name of a tag; references by `ref`'),
    ),
  },
  closed,
)

/** A base to begin with: tags, views and a few items (further §21). */
export const Template = Type.Object(
  {
    format: Type.Literal(TEMPLATE_FORMAT),
    version: Type.Literal(1),
    name: Name,
    about: Type.Optional(Type.String({ maxLength: 1000 })),
    tags: Type.Array(NewTag, { maxItems: MAX_TAGS, description: 'In `of` and `extends` by name' }),
    views: Type.Array(TemplateView, { maxItems: MAX_VIEWS }),
    items: Type.Array(TemplateItem, { maxItems: MAX_BULK / 2 }),
  },
  { ...closed, title: 'Template' },
)
export type Template = Static<typeof Template>
