import { Type, type Static } from 'typebox'
import { AsOf } from '#src/operations/items/base-at.ts'
import { ItemFields, Sort } from '#src/operations/paging.ts'
import { ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { NarrowingView } from '#src/operations/views/view-schemas.ts'

export const EXPORT_FORMATS = ['csv', 'jsonl', 'markdown'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Of the names of such files. */
export const EXPORT_ENDINGS: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv',
  jsonl: 'jsonl',
  markdown: 'zip',
}

const Format = Type.Unsafe<ExportFormat>({
  enum: [...EXPORT_FORMATS],
  description: 'One row, one line of JSON, or one note of a zip an item',
  inTools: 'An item a row, line, or note of a zip',
})

/** What an export takes, over REST and as a tool. */
export const ExportInput = Type.Object(
  {
    format: Format,
    filter: Type.Optional(ItemFilter),
    view_id: Type.Optional(NarrowingView),
    as_of: AsOf,
    fields: Type.Optional(ItemFields),
    sort: Type.Optional(Sort),
    time_zone: Type.Optional(TimeZone),
  },
  { additionalProperties: false },
)
export type ExportInput = Static<typeof ExportInput>
