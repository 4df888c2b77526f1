import { MAX_NAME } from '#src/domain/max-name.ts'
import { MAX_TAG_NAME } from '#src/domain/check-tag-name.ts'
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
/** An object whose keys the service does not know beforehand. */
const open = <T>(description: string, example?: T, named?: string) =>
  Type.Unsafe<T>({
    type: 'object',
    additionalProperties: true,
    description,
    ...(example !== undefined && { examples: [example] }),
    // What the API's document calls the schema that our own code checks.
    ...(named !== undefined && { named }),
  })

// Pieces of inputs. An id is text of any form: a malformed one is an absent entity, not a fault of the request.

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
  inTools: 'Not blank',
})
export const Description = Type.Union([Type.String({ maxLength: MAX_DESCRIPTION }), Type.Null()], {
  description: 'HTML, up to 1 MiB; null for none',
  inTools: 'HTML; null for none',
})

/** For whoever writes a schema: people and models read it in the API's description. */
const FIELD_TYPES_IN_WORDS =
  'Field schemas by field name: "String", "Number", "Boolean", "Date", "DateTime" (a moment), ' +
  '"Reference" (to an item), "MultiReference" (to several), ' +
  '{"type": "Select", "variants": [name or {"name", "fields"}, …]} (ordered; fields of a variant apply while it is chosen), ' +
  '{"type": "MultiSelect", "variants": [name, …]}. As {"type", "description"} each can say what it is for'

export const TagName = Type.String({
  minLength: 1,
  maxLength: MAX_TAG_NAME,
  description: "Unique among tags that are not deleted; without '->' and without blanks at either end",
})
export const TagFields = open<Record<string, unknown>>(
  FIELD_TYPES_IN_WORDS,
  {
    title: 'String',
    due: 'Date',
    assignee: 'Reference',
    status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
    labels: { type: 'MultiSelect', variants: ['home', 'work'] },
  },
  'FieldMap',
)
export const Extends = Type.Array(TagIdOrName, {
  maxItems: 100,
  description:
    'Tags that this one extends: an item with this tag also satisfies has_tag for each of them and all above',
})

export const NewTag = Type.Object(
  {
    name: TagName,
    description: Type.Optional(Description),
    fields: TagFields,
    extends: Type.Optional(Extends),
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

export const FieldValues = open<Record<string, unknown>>(
  'Values by field name: text, number, true/false, "YYYY-MM-DD", ' +
    '"2026-01-31T09:30:00Z" (DateTime), item id (Reference), array of item ids (MultiReference), ' +
    '{"variant": name} (Select), array of variant names (MultiSelect), or null',
  { title: 'Water the plants', due: '2026-02-01', status: { variant: 'open' } },
  'GivenValues',
)

export const TagToApply = Type.Object(
  { tag_ref: TagRef, field_values: Type.Optional(FieldValues) },
  { ...closed, description: 'A tag and the values that the item gets for its fields' },
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
      }),
    ),
  },
  closed,
)
export type NewItem = Static<typeof NewItem>

export const ItemsToAdd = Type.Array(Type.Union([Name, NewItem]), {
  maxItems: MAX_BULK,
  description: `Up to ${MAX_BULK} items; a text alone is a name`,
})
export const MatchBy = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: '"name" or "<Tag>.<field>": by what items are recognized',
  examples: ['Person.email'],
})

export const ItemFilter = open<Record<string, unknown>>(
  'A filter: an object with exactly one key out of and, or, not, search, has_tag, name, description, id, created_at, ' +
    'updated_at, Tag.field, Tag.reference->…, <-Tag.reference (a filter of what refers to the item)',
  { and: [{ has_tag: 'Task' }, { 'Task.due': { lt: '2026-02-01' } }] },
  'Filter',
)
export const TimeZone = Type.String({
  maxLength: 100,
  description: 'Where it is today, for relative times: an IANA name; without it that of the service',
  inTools: 'IANA name',
  examples: ['Europe/Vienna'],
})
export const TagFilter = open<Record<string, unknown>>(
  'A filter of tags: an object with exactly one key out of and, or, not, search, name, description',
  { name: { contains: 'Task' } },
)
export const DryRun = Type.Boolean({
  description: 'Report what would happen and change nothing; default false',
  inTools: 'Only say what would happen',
})

export const Merge = Type.Boolean({
  description:
    'true: only the fields given change, and {"add": [...], "remove": [...]} edits several values, {"append": "text"} a ' +
    'String; false (default): all values are replaced',
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
    'Only if the item is as it was then (its updated_at); else nothing is changed, and what it is now is told',
})

export const IfUpdatedAtOfMany = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 40 },
  maxProperties: MAX_BULK,
  description: 'As in delete_item, of many: {item_id: updated_at}',
})

// Pieces of answers.

export const Ulid = Type.String({
  pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  description: 'ULID',
  examples: ['01JJXZ5T7GQ3M8K4B9R2C6D0EF'],
})
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC with milliseconds',
  examples: ['2026-01-31T09:30:00.000Z'],
})
const NullableText = Type.Union([Type.String(), Type.Null()])

const AppliedTag = Type.Object({
  tag_name: Type.String(),
  schema_version: Type.Integer({
    minimum: 1,
    description: 'Version of the tag at which the values were stored',
  }),
  field_values: open<Record<string, unknown>>(
    'As they were given: nulls kept, absent fields absent',
    undefined,
    'FieldValues',
  ),
})
const appliedTags = (description: string) => Type.Record(Type.String(), AppliedTag, { description })

const itemHead = {
  item_id: Ulid,
  id: Ulid,
  name: Type.String(),
  description: NullableText,
}
const timestamps = { created_at: Timestamp, updated_at: Timestamp }

const References = Type.Record(Type.String(), Type.Object({ name: NullableText, deleted: Type.Boolean() }), {
  description: 'With `expand`: what the item refers to, by item id; a purged item has no name any more',
})
/** What reads, changes and deletions of one item answer. */
export const Item = Type.Object(
  {
    ...itemHead,
    data: appliedTags('Applied tags by tag id'),
    ...timestamps,
    references: Type.Optional(References),
  },
  { title: 'Item' },
)
/** What searches answer. */
export const ListedItem = Type.Object(
  {
    ...itemHead,
    tags: appliedTags('Applied tags by tag id'),
    ...timestamps,
    references: Type.Optional(References),
  },
  { title: 'ListedItem' },
)

export const Tag = Type.Object(
  {
    tag_id: Ulid,
    id: Ulid,
    name: Type.String(),
    description: NullableText,
    fields: open<Record<string, unknown>>(
      'Field schemas by field name, as they were given',
      undefined,
      'FieldMap',
    ),
    schema_version: Type.Integer({ minimum: 1, description: 'Counts the changes of `fields`' }),
    extends: Type.Array(Ulid, { description: 'Tags that this one extends' }),
    ...timestamps,
  },
  { title: 'Tag' },
)

const deleted = { deleted_at: Timestamp }
export const DeletedItem = Type.Object({ ...ListedItem.properties, ...deleted }, { title: 'DeletedItem' })
export const FoundDeletedItem = Type.Object(
  { ...DeletedItem.properties, deleted_by: Type.Union([Ulid, Type.Null()]) },
  { title: 'FoundDeletedItem' },
)
export const DeletedTag = Type.Object({ ...Tag.properties, ...deleted }, { title: 'DeletedTag' })

const Client = Type.Union(
  [
    Type.Object({
      kind: Type.String({ description: 'session, key, app or cli' }),
      id: NullableText,
      name: NullableText,
    }),
    Type.Null(),
  ],
  { description: 'What acted for the account; null where it is not known' },
)

export const AuditEvent = Type.Object(
  {
    event_id: Ulid,
    event_type: Type.String({ examples: ['tag_values_updated'] }),
    entity_type: Type.Union([Type.Literal('item'), Type.Literal('tag')]),
    item_id: Type.Union([Ulid, Type.Null()]),
    tag_id: Type.Union([Ulid, Type.Null()]),
    user_id: Type.Union([Ulid, Type.Null()], { description: 'Whose session made the change' }),
    source: Type.String({ description: 'The interface that it came through: rest, mcp or chat' }),
    details: open<Record<string, unknown>>(
      'What changed, by event type',
      {
        tag_name: 'Task',
        fields_changed: ['due'],
        old_values: { due: '2026-02-01' },
        new_values: { due: '2026-02-08' },
      },
      'AuditDetails',
    ),
    created_at: Timestamp,
    change_id: Ulid,
    client: Client,
    user_name: Type.Union([Type.String(), Type.Null()], { description: 'The present name of the account' }),
    details_hash: Type.String({ description: 'SHA-256 over the canonical JSON of {details, salt}' }),
    details_salt: Type.Union([Type.String(), Type.Null()], { description: 'null where it is redacted' }),
    hash: Type.String({ description: 'Chains the event to the one before' }),
    redacted: Type.Optional(Type.Literal(true, { description: 'details have been erased' })),
  },
  { title: 'AuditEvent' },
)

export const Change = Type.Object(
  {
    change_id: Ulid,
    operation: Type.Union([Type.String(), Type.Null()], {
      description: 'The operation that was called; null where only the event is known',
    }),
    summary: Type.String({ examples: ['Set Task.status of 37 items'] }),
    created_at: Timestamp,
    user_id: Type.Union([Ulid, Type.Null()]),
    user_name: Type.Union([Type.String(), Type.Null()], { description: 'The present name of the account' }),
    source: Type.String({ description: 'rest, mcp or chat' }),
    client: Client,
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'Events by type' }),
    undoes: Type.Array(Ulid, { description: 'The changes that this one took back' }),
    undone_by: Type.Union([Ulid, Type.Null()], { description: 'The change that took this one back' }),
  },
  { title: 'Change' },
)

export const HistoryEntry = Type.Object(
  {
    change_id: Ulid,
    event_id: Ulid,
    event_type: Type.String({ examples: ['tag_values_updated'] }),
    created_at: Timestamp,
    user_id: Type.Union([Ulid, Type.Null()]),
    user_name: Type.Union([Type.String(), Type.Null()]),
    source: Type.String(),
    client: Client,
    changes: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'name, description, <Tag>.<field>, or <Tag> for a tag that came or went',
          examples: ['Task.status'],
        }),
        old: Type.Unknown({ description: 'null for what was not there' }),
        new: Type.Unknown(),
      }),
    ),
    redacted: Type.Optional(Type.Literal(true, { description: 'What it changed has been erased' })),
  },
  { title: 'HistoryEntry' },
)

const UndoConflict = Type.Object({
  change_id: Ulid,
  event_id: Ulid,
  item_id: Type.Union([Ulid, Type.Null()]),
  tag_id: Type.Union([Ulid, Type.Null()]),
  path: Type.Union([Type.String(), Type.Null()], { examples: ['Task.status'] }),
  reason: Type.String(),
  suggestion: Type.String(),
})
export const UndoResult = Type.Object(
  {
    change_id: Type.Union([Ulid, Type.Null()], {
      description: 'The change that the undo is; null in a dry run and where nothing changed',
    }),
    undone_events: Type.Integer({ minimum: 0 }),
    affected_item_ids: Type.Array(Ulid),
    affected_tag_ids: Type.Array(Ulid),
    conflicts: Type.Array(UndoConflict, { description: 'What cannot be set back' }),
    dry_run: Type.Boolean(),
  },
  { title: 'UndoResult' },
)

const SampleValues = Type.Union([open<Record<string, unknown>>('Values by field'), Type.Null()])
const Sample = Type.Object({
  item_id: Ulid,
  name: Type.String(),
  before: SampleValues,
  after: SampleValues,
})
/** What bulk operations answer (decisions §7, additions §11). */
const bulkResult = {
  matched_count: Type.Integer({ minimum: 0, description: 'Items that satisfy the filter' }),
  affected_count: Type.Integer({ minimum: 0 }),
  changed_count: Type.Integer({ minimum: 0, description: 'Items that differ afterwards' }),
  affected_ids: Type.Array(Ulid, {
    description: 'The items that were changed, oldest first; through a tool the first 100',
  }),
  dry_run: Type.Boolean(),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What can never match in the filter, where there is such' }),
  ),
  sample: Type.Optional(
    Type.Array(Sample, {
      description:
        'In a dry run: up to 20 of the items that would differ, oldest first, with the values of the tag before and ' +
        'after (null: the item has not the tag); of deletions and restorations those of all tags, by name',
    }),
  ),
}
export const BulkResult = Type.Object(bulkResult, { title: 'BulkResult' })
export const BulkApplyResult = Type.Object(
  {
    ...bulkResult,
    tag_id: Type.Union([Ulid, Type.Null()], {
      description: 'The tag applied; null in a dry run that would create it',
    }),
  },
  { title: 'BulkApplyResult' },
)
