import { Type } from 'typebox'
import { openObject } from '#src/runtime/input-schema.ts'
import { TagLookShape } from '#src/operations/schemas/tag-look.ts'

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
  field_values: openObject<Record<string, unknown>>(
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
const Snippet = Type.Union(
  [
    Type.Object({
      text: Type.String({ maxLength: 240 }),
      marks: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
        description: 'From and to, in UTF-16 units of the text',
        examples: [[[0, 4]]],
      }),
      place: Type.String({ description: 'name, description or <Tag>.<field>' }),
    }),
    Type.Null(),
  ],
  { description: 'With `snippets`: plain text around what the searches met; null where nothing was' },
)
/** What searches answer. */
export const ListedItem = Type.Object(
  {
    ...itemHead,
    tags: appliedTags('Applied tags by tag id'),
    ...timestamps,
    references: Type.Optional(References),
    snippet: Type.Optional(Snippet),
  },
  { title: 'ListedItem' },
)

export const Tag = Type.Object(
  {
    tag_id: Ulid,
    id: Ulid,
    name: Type.String(),
    description: NullableText,
    fields: openObject<Record<string, unknown>>(
      'Field schemas by field name, as they were given',
      undefined,
      'FieldMap',
    ),
    schema_version: Type.Integer({ minimum: 1, description: 'Counts the changes of `fields`' }),
    extends: Type.Array(Ulid, { description: 'Tags that this one extends' }),
    look: Type.Optional(TagLookShape),
    ...timestamps,
  },
  { title: 'Tag' },
)

const deleted = { deleted_at: Timestamp }
const { references: _, snippet: __, ...listedAlways } = ListedItem.properties
export const DeletedItem = Type.Object({ ...listedAlways, ...deleted }, { title: 'DeletedItem' })
export const FoundDeletedItem = Type.Object(
  { ...DeletedItem.properties, deleted_by: Type.Union([Ulid, Type.Null()]) },
  { title: 'FoundDeletedItem' },
)
export const DeletedTag = Type.Object({ ...Tag.properties, ...deleted }, { title: 'DeletedTag' })

export const Client = Type.Union(
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
    details: openObject<Record<string, unknown>>(
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
    proposed_by: Type.Optional(
      Type.Object(
        { user_id: Ulid, client: Client },
        { description: 'Who proposed it, where it was accepted from a proposal' },
      ),
    ),
    import_id: Type.Optional({ ...Ulid, description: 'The import that it is a portion of, or took back' }),
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
  item_name: NullableText,
  path: Type.Union([Type.String(), Type.Null()], { examples: ['Task.status'] }),
  reason: Type.String(),
  suggestion: Type.String(),
  present: Type.Unsafe<unknown>({ description: 'What is there now; null where that is no value' }),
  restored: Type.Unsafe<unknown>({ description: 'What undo would set back' }),
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

const SampleValues = Type.Union([openObject<Record<string, unknown>>('Values by field'), Type.Null()])
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
        'after (null: the item does not have the tag); of deletions and restorations those of all tags, by name',
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
