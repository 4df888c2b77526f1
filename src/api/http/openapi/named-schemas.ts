import { SIMPLE_TYPES } from '#src/domain/field-schema.ts'
import { OPERATORS } from '#src/filter/language/operators.ts'
/** As it is shown. */
type JsonSchema = Record<string, unknown>

/**
 * What the service reads by code of its own, as documents describe it (`named` in a schema). The forms are those of the
 * reference of filters and of the specification; programs that are generated from them know what to send.
 */
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: 'array', items: text }
const closed = { additionalProperties: false } as const
const object = (properties: JsonSchema, required: string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  ...closed,
})
const anyOf = (description: string, ...schemas: JsonSchema[]): JsonSchema => ({ description, anyOf: schemas })
const anything: JsonSchema = {}
const byName = (name: string): JsonSchema => ({ type: 'object', additionalProperties: ref(name) })
const tests = Object.fromEntries(Object.keys(OPERATORS).map((name) => [name, anything]))

const FILTERS: Record<string, JsonSchema> = {
  Filter: {
    type: 'object',
    description:
      'An object with exactly one key: one of these, `<Tag>.<field>` or `<Tag>.<reference>->…` with a FieldTest, or `<-<Tag>.<reference>` with a Filter of what refers.',
    minProperties: 1,
    maxProperties: 1,
    properties: {
      and: { type: 'array', items: ref('Filter'), minItems: 2 },
      or: { type: 'array', items: ref('Filter'), minItems: 2 },
      not: ref('Filter'),
      search: ref('SearchTest'),
      has_tag: ref('TagTest'),
      name: ref('FieldTest'),
      description: ref('FieldTest'),
      id: ref('FieldTest'),
      created_at: ref('FieldTest'),
      updated_at: ref('FieldTest'),
      changed_between: {
        type: 'array',
        items: anyOf(
          'A time, or one relative to the request',
          text,
          object({ now: text }),
          object({ today: { type: 'integer' } }),
        ),
        minItems: 2,
        maxItems: 2,
      },
    },
    additionalProperties: true,
  },
  FieldTest: anyOf(
    'A value (equals; null: there is none), or exactly one operator with its operand',
    text,
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    texts,
    { type: 'object', minProperties: 1, maxProperties: 1, properties: tests, additionalProperties: true },
  ),
  SearchTest: anyOf('A text, or where and how it is searched', text, {
    ...object(
      {
        text: anyOf('A text, or other words for the same', text, {
          ...texts,
          minItems: 1,
          maxItems: 20,
        }),
        in: { type: 'array', items: { type: 'string', enum: ['name', 'description', 'values'] } },
        match: { type: 'string', enum: ['phrase', 'words', 'any'] },
      },
      ['text'],
    ),
  }),
  TagTest: anyOf(
    'A tag by id or name; null: no tag at all; `exact`: not one that extends it',
    text,
    { type: 'null' },
    object({ id: text, exact: { type: 'boolean' } }, ['id']),
    object({ name: object({ eq: text }), exact: { type: 'boolean' } }, ['name']),
  ),
}

const described = { description: text }
/** How values look: hints, which refuse none. */
const LOOKS = {
  format: {
    type: 'string',
    enum: ['email', 'url', 'phone', 'long', 'percent'],
    description: 'Hint; of a String, `percent` of a Number',
  },
  unit: { type: 'string', maxLength: 20, description: 'Hint; of a Number' },
  unit_at: { type: 'string', enum: ['before', 'behind'] },
  decimals: { type: 'integer', minimum: 0, maximum: 9, description: 'Hint; of a Number' },
  relative: { type: 'boolean', description: 'Hint; of a Date or DateTime: relative to now' },
}
const VARIANT = {
  name: text,
  closed: { type: 'boolean', description: 'Hint: done with' },
  hue: { type: 'integer', minimum: 0, maximum: 359, description: 'Hint' },
}
const FIELDS: Record<string, JsonSchema> = {
  FieldMap: { ...byName('FieldSchema'), description: 'Field schemas by field name' },
  FieldType: { type: 'string', enum: [...SIMPLE_TYPES] },
  FieldSchema: anyOf(
    'The type of a field',
    ref('FieldType'),
    object(
      {
        type: ref('FieldType'),
        of: { ...texts, description: 'Tags whose items are meant' },
        ...LOOKS,
        ...described,
      },
      ['type'],
    ),
    object(
      {
        type: { type: 'string', const: 'Select' },
        variants: { type: 'array', items: ref('SelectVariant') },
        ...described,
      },
      ['type', 'variants'],
    ),
    object(
      {
        type: { type: 'string', const: 'MultiSelect' },
        variants: { type: 'array', items: anyOf('The name of a variant', text, object(VARIANT, ['name'])) },
        ...described,
      },
      ['type', 'variants'],
    ),
  ),
  SelectVariant: anyOf(
    'The name of a variant, or one that has fields of its own',
    text,
    object({ ...VARIANT, fields: ref('FieldMap') }, ['name']),
  ),
}

const FILE = { file_id: text, name: text, size: { type: 'integer', description: 'Bytes' }, type: text }
const files = (name: string): JsonSchema => ({ type: 'array', items: ref(name), maxItems: 100 })
const VALUES: Record<string, JsonSchema> = {
  FileValue: { ...object(FILE), description: 'A file of an item' },
  GivenFile: {
    ...object(FILE, ['file_id']),
    description:
      'A file that was uploaded; size and type are ignored, the name is its own where none is given',
  },
  FieldValue: anyOf(
    'A value by the type of its field: text, number, true or false, a date, a moment, the id of an item, ids of items, a variant, names of variants, files; null for none. Of an older schema it is whatever it was.',
    text,
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    texts,
    object({ variant: text }),
    files('FileValue'),
  ),
  FieldValues: { ...byName('FieldValue'), description: 'Values by field name' },
  FieldEdit: anyOf(
    'In place of a value: a change of the stored one where values are merged, or where a bulk update takes it from',
    object({ add: { anyOf: [texts, files('GivenFile')] }, remove: texts }, []),
    object({ append: text }),
    object(
      {
        from: anyOf('A path, or several: the first that leads to a value', text, texts),
        else: { ...ref('FieldValue'), description: 'Where no path leads to a value; null without it' },
        as: { type: 'string', enum: ['number', 'text', 'date'], description: 'What it is converted to' },
      },
      ['from'],
    ),
  ),
  GivenValues: {
    type: 'object',
    description: 'Values by field name, or edits of them',
    additionalProperties: { anyOf: [ref('FieldValue'), files('GivenFile'), ref('FieldEdit')] },
  },
}

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const changes = {
  fields_changed: texts,
  old_values: { type: 'object', additionalProperties: true },
  new_values: { type: 'object', additionalProperties: true },
}
const details = (types: string, properties: JsonSchema, required = Object.keys(properties)): JsonSchema => ({
  // Those of a proposal that was accepted, or of an import, say so.
  ...object({ ...properties, proposal_id: text, import_id: text }, required),
  description: `Of ${types}`,
})
const AUDIT: Record<string, JsonSchema> = {
  AuditDetails: anyOf(
    'What an event says, by its `event_type`',
    ref('ItemCreatedDetails'),
    ref('TagCreatedDetails'),
    ref('EntityUpdatedDetails'),
    ref('TagAppliedDetails'),
    ref('TagRemovedDetails'),
    ref('TagValuesUpdatedDetails'),
    ref('NamedDetails'),
    ref('RedactedDetails'),
  ),
  ItemCreatedDetails: details('item_created', {
    name: text,
    description: nullable(text),
    tags: {
      type: 'array',
      items: object({
        tag_id: text,
        tag_name: text,
        schema_version: { type: 'integer' },
        initial_values: ref('FieldValues'),
      }),
    },
  }),
  TagCreatedDetails: details(
    'tag_created',
    {
      name: text,
      description: nullable(text),
      fields: ref('FieldMap'),
      schema_version: { type: 'integer' },
      extends: texts,
      look: object({ sign: text, hue: { type: 'integer' } }, []),
    },
    ['name', 'fields'],
  ),
  EntityUpdatedDetails: details(
    'item_updated and tag_updated',
    {
      ...changes,
      renamed_fields: { type: 'object', additionalProperties: text },
      renamed_variants: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: text },
      },
    },
    Object.keys(changes),
  ),
  TagAppliedDetails: details('tag_applied', { tag_name: text, initial_values: ref('FieldValues') }),
  TagRemovedDetails: details('tag_removed', { tag_name: text, old_values: ref('FieldValues') }),
  TagValuesUpdatedDetails: details('tag_values_updated', {
    tag_name: text,
    fields_changed: texts,
    old_values: ref('FieldValues'),
    new_values: ref('FieldValues'),
  }),
  NamedDetails: details(
    'what is deleted, restored or purged; empty where it has been redacted',
    { name: text },
    [],
  ),
  RedactedDetails: details('audit_redacted: how many events were emptied', { events: { type: 'integer' } }),
}

const event = (type: string, properties: JsonSchema): JsonSchema =>
  object({ type: { type: 'string', const: type }, ...properties })
const CHAT: Record<string, JsonSchema> = {
  ChatEvent: {
    description: 'One `data:` line of the stream, by its `type`',
    oneOf: [
      'ChatSessionEvent',
      'TextDeltaEvent',
      'ToolCallEvent',
      'ReactRenderEvent',
      'DoneEvent',
      'ErrorEvent',
    ].map(ref),
    discriminator: {
      propertyName: 'type',
      mapping: {
        chat_session: '#/components/schemas/ChatSessionEvent',
        text_delta: '#/components/schemas/TextDeltaEvent',
        tool_call: '#/components/schemas/ToolCallEvent',
        react_render: '#/components/schemas/ReactRenderEvent',
        done: '#/components/schemas/DoneEvent',
        error: '#/components/schemas/ErrorEvent',
      },
    },
  },
  ChatSessionEvent: event('chat_session', { chat_id: text }),
  TextDeltaEvent: event('text_delta', { content: text }),
  ToolCallEvent: event('tool_call', {
    id: text,
    name: text,
    arguments: anything,
    status: { type: 'string', enum: ['running', 'completed'] },
    result: anything,
  }),
  ReactRenderEvent: event('react_render', { id: text, title: nullable(text), js: text, css: text }),
  DoneEvent: event('done', { response_id: text }),
  ErrorEvent: event('error', { message: text }),
}

export const NAMED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...FILTERS,
  ...FIELDS,
  ...VALUES,
  ...AUDIT,
  ...CHAT,
}
