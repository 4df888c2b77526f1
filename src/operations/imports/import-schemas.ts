import { Type } from 'typebox'
import { FIELD_TYPES } from '#src/domain/field-schema.ts'
import { COLUMN_FORMATS } from '#src/imports/rows/targets.ts'
import { IMPORT_FORMATS, type ImportFormat } from '#src/imports/source.ts'
import { Id, TagFields, TagName, MAX_ID } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'
import { IMPORT_STATES, type ImportState } from '#src/storage/imports/imports.ts'

const closed = { additionalProperties: false } as const
const MAX_TABLES = 1000
const MAX_TEXT = 1000
const Text = Type.String({ maxLength: MAX_TEXT })

export const ImportId = Id('Id of the import')
export const Format = Type.Unsafe<ImportFormat>(
  Type.Union(
    IMPORT_FORMATS.map((each) => Type.Literal(each)),
    { description: 'Without it by the name of the file and what is in it; csv is TSV too, json JSON Lines' },
  ),
)
export const HeaderRow = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'Of CSV the line, of .xlsx the row of each sheet that has the headings, from 1; what is above is left out. Without it they are looked for',
})
export const OnFault = Type.Union([Type.Literal('refuse'), Type.Literal('skip')], {
  description: 'With rows that have a fault: 409, or they are left out',
})

const Column = Type.Union(
  [
    Type.Null(),
    Type.Literal('item_id'),
    Type.Literal('name'),
    Type.Literal('description'),
    Type.Object(
      {
        field: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
        type: Type.Optional(Type.Union(FIELD_TYPES.map((each) => Type.Literal(each)))),
        variants: Type.Optional(Type.Array(Text, { maxItems: 1000 })),
        of: Type.Optional(
          Type.Array(Text, {
            maxItems: 100,
            description: 'Tables of the import, and tags, whose items are meant',
          }),
        ),
        make: Type.Optional(
          Type.Boolean({ description: 'Items that references name and variants that are missing are made' }),
        ),
        format: Type.Optional(
          Type.Union(
            COLUMN_FORMATS.map((each) => Type.Literal(each)),
            { description: 'How dates or numbers are written' },
          ),
        ),
      },
      closed,
    ),
  ],
  { description: 'Where the cells go; null: nowhere' },
)

const Table = Type.Object(
  {
    name: Text,
    tag: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Object({ id: Type.String({ maxLength: MAX_ID, description: 'Id or name of a tag' }) }, closed),
        Type.Object(
          { new: Type.Object({ name: TagName, fields: Type.Optional(TagFields) }, closed) },
          closed,
        ),
      ]),
    ),
    key: Type.Optional(
      Type.String({
        maxLength: MAX_TEXT,
        description: 'The column by whose values rows meet items that are there',
      }),
    ),
    clear: Type.Optional(Type.Boolean({ description: 'With key: empty cells clear what the item has' })),
    columns: Type.Optional(Type.Record(Type.String(), Column, { maxProperties: 1000 })),
  },
  closed,
)

export const MappingInput = {
  tables: Type.Optional(
    Type.Array(Table, {
      maxItems: MAX_TABLES,
      description: 'Those that are imported; without it all of them',
    }),
  ),
}

const Fault = Type.Object({
  table: Type.String(),
  line: Type.Integer({
    description: 'From 1: of a text its lines, of a sheet its rows, of JSON the elements',
  }),
  file: Type.Optional(Type.String({ description: 'Of a zip' })),
  column: Type.Optional(Type.String()),
  message: Type.String(),
  suggestion: Type.Optional(Type.String()),
})
const Count = (description: string) => Type.Optional(Type.Integer({ description }))

export const Import = Type.Object({
  import_id: Ulid,
  file_id: Type.Union([Ulid, Type.Null()]),
  name: Type.String({ description: 'Of the file' }),
  format: Type.String(),
  state: Type.Unsafe<ImportState>({ type: 'string', enum: [...IMPORT_STATES] }),
  created_at: Timestamp,
  expires_at: Timestamp,
  done: Type.Integer({ description: 'Rows that have been checked or written' }),
  total: Type.Integer(),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      rows: Type.Integer(),
      columns: Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.String({ description: 'What its cells seem to be' }),
          variants: Type.Optional(Type.Array(Type.String())),
          of: Type.Optional(
            Type.Array(Type.String(), { description: 'Tables or tags whose items it names' }),
          ),
          format: Type.Optional(Type.String({ description: 'How its dates or numbers are written' })),
          hints: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), {
              description: 'Of numbers that all have one unit: what a new field says of them',
            }),
          ),
          samples: Type.Array(Type.String()),
          to: Type.Unknown({
            description: 'Where it goes if nothing else is said: "name", {"field"} …; null: nowhere',
          }),
        }),
      ),
      first: Type.Optional(
        Type.Array(Type.Record(Type.String(), Type.String()), {
          description: 'The first rows, their cells as texts by column',
        }),
      ),
      read_as: Type.Optional(
        Type.Object(
          { encoding: Type.String(), separator: Type.String() },
          { description: 'Of a text: how it is read' },
        ),
      ),
      header_row: Type.Optional(
        Type.Integer({ description: 'The line or row that its headings were found in' }),
      ),
      untagged: Type.Optional(
        Type.Boolean({ description: 'Its items have no tag, if nothing else is said' }),
      ),
    }),
  ),
  left_out: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
  mapping: Type.Optional(
    Type.Object(
      { tables: Type.Optional(Type.Array(Table)) },
      { description: 'Where columns go, as it was said last' },
    ),
  ),
  created: Count('Items that would be made, or have been'),
  changed: Count('Items that get other values'),
  unchanged: Count('Items that have all of it already'),
  skipped: Count('Rows that are left out: with a fault, or overtaken by a later row with the same key'),
  faults: Type.Optional(Type.Array(Fault, { description: 'The first 100' })),
  fault_count: Type.Optional(Type.Integer()),
  change_ids: Type.Array(Ulid, { description: 'Oldest first' }),
  undone: Type.Boolean({ description: 'Whether all of it is taken back, as it is now' }),
  undone_by: Type.Array(Ulid, { description: 'The changes that took it back, at least in part, and stand' }),
  error: Type.Union(
    [
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        suggestion: Type.Optional(Type.String()),
        details: Type.Optional(Type.Unknown()),
      }),
      Type.Null(),
    ],
    { description: 'Why it ended, or what was asked of it last was not done' },
  ),
  resumable: Type.Optional(
    Type.Boolean({ description: 'It failed by a fault of the service: to run it goes on where it was' }),
  ),
})
