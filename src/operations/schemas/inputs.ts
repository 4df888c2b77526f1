import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import type { Problem } from '#src/domain/errors.ts'
import { MAX_NAME, MAX_TAG_NAME } from '#src/domain/names.ts'
import { parseFilter } from '#src/filter/language/parse-filter.ts'
import { TagLookShape } from '#src/operations/schemas/tag-look.ts'
import { openObject } from '#src/runtime/input-schema.ts'
import { Type, type Static } from 'typebox'

/** Characters (code points). */
const MAX_DESCRIPTION = 1024 * 1024
export const MAX_BULK = 10_000
const MAX_PAGE = 1000
/** Of an id, a name that stands for one, or a cursor: as many as a path parameter may have. */
export const MAX_ID = 2000
/** Of a cursor; ours are much shorter, and what is none says so. */
const MAX_CURSOR = 65_536
/** Of a time; seconds may have any number of digits within it. */
const MAX_TIME = 200
/** Of a text that is searched for. */
export const MAX_SEARCH = 10_000
/** Of tags that one item may be given at once. */
const MAX_TAGS = 1000

const closed = { additionalProperties: false } as const
// An id is text of any form: a malformed one is an absent entity, not a fault of the request.

export const Id = (description: string) =>
  Type.String({ maxLength: MAX_ID, description: `${description} (ULID)` })
export const ItemId = Id('Id of the item')
/** The paths of tags go by id alone; `inTools` is what a tool says in place of the description. */
export const TagIdInPath = Type.Unsafe<string>({ ...Id('Id of the tag'), inTools: 'Id or name of the tag' })
export const TagIdOrName = Type.String({
  maxLength: MAX_ID,
  description: 'Id or name of a tag; an id wins over a tag that is named like one',
  inTools: 'Id or name of a tag',
})

const notBlank = { minLength: 1, pattern: '\\S', patternMessage: 'must not be blank' } as const
export const Name = Type.String({
  ...notBlank,
  maxLength: MAX_NAME,
  description: 'Kept as given; not blank',
  inTools: '',
})
export const Description = Type.Union([Type.String({ maxLength: MAX_DESCRIPTION }), Type.Null()], {
  description: 'HTML, up to 1 MiB; null for none',
  inTools: 'HTML; null for none',
})

/** For anyone who writes a schema: people and models read it in the API's description. */
const FIELD_TYPES_IN_WORDS =
  'Field schemas by field name: "String", "Number", "Boolean", "Date", "DateTime" (a moment), ' +
  '"Reference" (to an item), "MultiReference" (to several), "File" (a list of files), ' +
  '{"type": "Select", "variants": [name or {"name", "fields"}, …]} (ordered; fields of a variant apply while it is chosen), ' +
  '{"type": "MultiSelect", "variants": [name, …]}. As {"type", "description"} each can say what it is for'

export const TagName = Type.String({
  minLength: 1,
  maxLength: MAX_TAG_NAME,
  description: "Unique among tags that are not deleted; without '->' and without blanks at either end",
  inTools: "Unique; without '->'",
})
export const TagFields = openObject<Record<string, unknown>>(
  FIELD_TYPES_IN_WORDS,
  {
    title: 'String',
    due: 'Date',
    assignee: 'Reference',
    status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
    labels: { type: 'MultiSelect', variants: ['home', 'work'] },
  },
  'FieldMap',
  'By field: "String", "Number", "Boolean", "Date", "DateTime", "Reference", "MultiReference", "File", {"type": "Select", ' +
    '"variants": [name or {"name", "fields": its own}, …]} (ordered), {"type": "MultiSelect", "variants": [name, …]}; ' +
    'or {"type", "description"}',
  checkFieldSchema,
)
export const Extends = Type.Array(TagIdOrName, {
  maxItems: 100,
  description:
    'Tags that this one extends: an item with this tag also satisfies has_tag for each of them and all above. Nothing ' +
    'else is inherited: for values of their fields an item is given those tags too',
  inTools: 'Its items satisfy their has_tag; no fields inherited',
})

export const Look = Type.Union([TagLookShape, Type.Null()], {
  description: 'How the tag looks where it is shown, a hint; null: without a look of its own',
  examples: [{ sign: 'book', hue: 210 }],
  brief: true,
  inTools: '{sign: "book", hue: 0–359}',
})

export const NewTag = Type.Object(
  {
    name: TagName,
    description: Type.Optional(Description),
    fields: TagFields,
    extends: Type.Optional(Extends),
    look: Type.Optional(Look),
  },
  closed,
)
export type NewTag = Static<typeof NewTag>

export const TagRef = Type.Union(
  [
    Type.Object({ Existing: TagIdOrName }, { ...closed, title: 'Existing' }),
    Type.Object({ New: NewTag }, { ...closed, title: 'New' }),
  ],
  { description: 'A tag that exists, or one to create' },
)
export type TagRef = Static<typeof TagRef>

export const FieldValues = openObject<Record<string, unknown>>(
  'Values by field name: text, number, true/false, "YYYY-MM-DD", ' +
    '"2026-01-31T09:30:00Z" (DateTime), item id (Reference), array of item ids (MultiReference), ' +
    '{"variant": name} (Select), array of variant names (MultiSelect), [{"file_id", "name"?}] (File), or null',
  { title: 'Water the plants', due: '2026-02-01', status: { variant: 'open' } },
  'GivenValues',
  'By field: text, number, true, "2026-01-31", "2026-01-31T09:30:00Z" (DateTime), item id, [ids] (MultiReference), ' +
    '{"variant": name} (Select), [names] (MultiSelect), [{"file_id"}] (File), null',
)

export const TagToApply = Type.Object(
  { tag_ref: TagRef, field_values: Type.Optional(FieldValues) },
  { ...closed, description: 'A tag and the values that the item gets for its fields', inTools: '' },
)
export type TagToApply = Static<typeof TagToApply>

export const NewItem = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    tags: Type.Optional(
      Type.Array(TagToApply, {
        maxItems: MAX_TAGS,
        description: 'Tags that the item starts with, each once',
        inTools: '',
      }),
    ),
  },
  closed,
)
export type NewItem = Static<typeof NewItem>

export const ItemsToAdd = Type.Array(Type.Union([Name, NewItem]), {
  maxItems: MAX_BULK,
  description: `Up to ${MAX_BULK} items; a text alone is a name`,
  inTools: `Up to ${MAX_BULK}; a text is a name`,
})
export const MatchBy = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: '"name" or "<Tag>.<field>": by what items are recognized',
  inTools: 'name or Tag.field: what items are recognized by',
  examples: ['Person.email'],
})

export const ItemFilter = openObject<Record<string, unknown>>(
  'A filter: an object with exactly one key out of and, or, not, search, has_tag, name, description, id, created_at, ' +
    'updated_at, changed_between, Tag.field, Tag.reference->…, <-Tag.reference (a filter of what refers to the item)',
  { and: [{ has_tag: 'Task' }, { 'Task.due': { lt: '2026-02-01' } }] },
  'Filter',
  undefined,
  faultsInFilter,
)

/** None where a key may have two meanings, by the tags that there are. */
function faultsInFilter(filter: unknown, path: string): readonly Problem[] {
  const { faults, possibleNames } = parseFilter(filter, path)
  return possibleNames.size ? [] : faults
}
export const TimeZone = Type.String({
  maxLength: 100,
  description: 'Where it is today, for relative times: an IANA name; without it that of the service',
  inTools: 'IANA name',
  examples: ['Europe/Vienna'],
})
export const TagFilter = openObject<Record<string, unknown>>(
  'A filter of tags: an object with exactly one key out of and, or, not, search, name, description',
  { name: { contains: 'Task' } },
)
export const DryRun = Type.Boolean({
  description: 'Report what would happen and change nothing; default false',
  inTools: 'Only say what would happen',
})

export const AllowWarnings = Type.Boolean({
  description: 'Through a tool: change what the filter finds although it has warnings',
  inTools: 'Despite warnings of the filter',
})

/** Items that a dry run shows. */
export const MAX_SAMPLE = 20

export const Sample = Type.Integer({
  minimum: 0,
  maximum: MAX_SAMPLE,
  description: `Of a dry run at most this many examples; default ${MAX_SAMPLE}`,
  inTools: '',
})

/** What every bulk change takes besides. */
export const bulkOptions = {
  dry_run: Type.Optional(DryRun),
  sample: Type.Optional(Sample),
  allow_warnings: Type.Optional(AllowWarnings),
}

export const Merge = Type.Boolean({
  description:
    'true: only the fields given change, and {"add": [...], "remove": [...]} edits several values, {"append": "text"} a ' +
    'String; false (default): all values are replaced',
  inTools:
    'true: other fields stay, and {"add": […], "remove": […]} edits lists, {"append": "text"} a String; false (default): all are replaced',
})

/** A time in an input. */
export const GivenTime = (description: string) =>
  Type.String({
    maxLength: MAX_TIME,
    description: `${description}. ISO 8601, with or without an offset (without: UTC), or a date alone`,
    inTools: `${description} (ISO 8601)`,
  })

/** Ids in a list that narrows or names what is meant. */
export const Ids = (description: string) =>
  Type.Array(Type.String({ maxLength: MAX_ID }), { maxItems: MAX_BULK, description })

/** Part of a name or description. */
export const SearchText = Type.String({
  maxLength: MAX_SEARCH,
  description: 'Part of the name or description, in any case',
})

export const Limit = Type.Integer({
  minimum: 1,
  maximum: MAX_PAGE,
  description: 'At most this many; without it, all',
})
export const After = Type.String({
  minLength: 1,
  maxLength: MAX_CURSOR,
  description: 'The cursor of a page (X-Next-Cursor); the answer goes on after it',
})

export const IfUpdatedAt = Type.String({
  maxLength: 40,
  description:
    'Only if the item is as it was then (its updated_at); else nothing is changed, and what it is now is shown',
  inTools: 'Only if its updated_at still is this',
})

export const IfUpdatedAtOfMany = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 40 },
  maxProperties: MAX_BULK,
  description: 'Only if each of these items is as it was then: {item_id: updated_at}',
  inTools: '{item_id: updated_at}: only if all are still so',
})
