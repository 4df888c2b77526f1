import { Type } from 'typebox'
import { CHECKS } from '#src/domain/check-value.ts'
import { convertValue, convertValues, idsIn } from '#src/domain/convert-value.ts'
import { didYouMean } from '#src/domain/message-words.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import type { ReferenceUse } from '#src/domain/check-field-values.ts'
import { type FlatField, isReference } from '#src/domain/field-schema.ts'
import { completeFiles } from '#src/domain/file-values.ts'
import { moveAndMap, type Rearrangement } from '#src/domain/move-and-map.ts'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { recordChange, writeChange } from '#src/operations/changes/recorded-change.ts'
import { knownFiles } from '#src/operations/files/known-files.ts'
import { missingTargets } from '#src/operations/items/accept-values.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import type { Ulid as ItemId } from '#src/domain/ulid.ts'
import { DryRun, TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { tagOfCall } from '#src/operations/tags/tag-answer.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { replaceItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { pagesOfTaggedItems, type TaggedItem } from '#src/storage/items/tagged-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Values that an answer names; the rest is counted. */
const MAX_UNFITTING = 1000

export const migrateTagValues = defineOperation({
  name: 'migrateTagValues',
  summary:
    'Bring the values of items that have an older version of a tag to its present schema, where they fit.',
  description:
    'Converts what loses nothing: numbers and dates written as text, names of variants, a Reference to a ' +
    'MultiReference of one; `move` and `map` come first, on items of the present version too that have a value which ' +
    'does not fit. An item with a value that does not fit stays as it is, unless `drop_unfitting`. ' +
    `\`unfitting\` names the first ${MAX_UNFITTING} such values, \`unfitting_count\` counts all.`,
  tool_description:
    'Converts what loses nothing. An item with a value that does not fit stays as it is, unless `drop_unfitting`.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/tags/{tag_id}/migrate',
  tool: 'migrate_tag_values',
  hints: { destructive: true, idempotent: true },
  input: Type.Object(
    {
      tag_id: TagIdInPath,
      dry_run: Type.Optional(DryRun),
      drop_unfitting: Type.Optional(
        Type.Boolean({ description: 'Take values that do not fit off the items; default false' }),
      ),
      map: Type.Optional(
        Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
          brief: true,
          inTools:
            '{field: {"<old>": new}}: old is a variant’s name (of lists each), a text itself, else JSON; null takes off',
          description:
            '{field: {"<old>": new}}: <old> is a variant’s name (of a MultiSelect each), a text itself, else its JSON; null takes it off',
        }),
      ),
      move: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          brief: true,
          inTools: '{old field: new field}, before map; what is there already stays',
          description: '{"<old field>": "<new field>"}, before map; a value that is there already stays',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    migrated: Type.Integer({ minimum: 0, description: 'Items' }),
    unfitting: Type.Array(
      Type.Object({ item_id: Ulid, field: Type.String(), value: Type.Unsafe<unknown>({}) }),
      { description: `The first ${MAX_UNFITTING} values that do not fit, oldest versions first` },
    ),
    unfitting_count: Type.Integer({ minimum: 0 }),
    dry_run: Type.Boolean(),
  }),
  errors: ['NotFound'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG', dry_run: true } },
  plan: (context, input) => recordChange(context, (recording) => migrateValues(recording, input)),
  run: async (context, input) => (await writeChange(context)) ?? migrateValues(context, input),
})

interface MigrateInput {
  tag_id: string
  dry_run?: boolean
  drop_unfitting?: boolean
  map?: Rearrangement['map']
  move?: Rearrangement['move']
}

async function migrateValues(
  context: SqlContext,
  { tag_id, dry_run = false, drop_unfitting = false, map = {}, move = {} }: MigrateInput,
) {
  const { db } = context
  const tag = await tagOfCall(context, tag_id)
  const rearrangement = await rearrangementFor(context, tag, { map, move })
  const unfitting: { item_id: ItemId; field: string; value: unknown }[] = []
  let [migrated, unfitting_count] = [0, 0]
  // Values that have left the schema can be on items of the present version too: a merge brings these to it.
  const below = rearrangement ? undefined : tag.schema_version
  for await (const page of pagesOfTaggedItems(db, tag.id, below)) {
    const found = await convertPage(context, tag, page, rearrangement)
    for (const { row, moved, lost } of found)
      for (const field of lost)
        if (++unfitting_count <= MAX_UNFITTING)
          unfitting.push({ item_id: row.item_id, field, value: moved[field] })
    const fitting = found.filter(({ lost }) => drop_unfitting || !lost.length)
    migrated += fitting.length
    if (!dry_run && fitting.length) await store(context, tag, fitting)
  }
  return { migrated, unfitting, unfitting_count, dry_run }
}

interface Conversion {
  row: TaggedItem
  before: FieldValues
  /** Before they are converted. */
  moved: FieldValues
  after: FieldValues
  /** Fields of which the value does not fit. */
  lost: string[]
}

/** In a map the name of a variant will do. */
function asWritten({ type }: FlatField, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return type === 'Select' ? { variant: value } : type === 'MultiSelect' ? [value] : value
}

/**
 * @throws BadRequest with every field and value that the schema does not know, or every item and file that is not there
 */
async function rearrangementFor(
  context: SqlContext,
  tag: StoredTag,
  { map, move }: Rearrangement,
): Promise<Rearrangement | undefined> {
  if (!Object.keys(map).length && !Object.keys(move).length) return undefined
  const names = [...tag.schema.keys()]
  const unknown = (path: string, name: string) =>
    tag.schema.has(name)
      ? []
      : [{ path, message: `tag '${tag.name}' has no field '${name}'; ${didYouMean(name, names)}` }]
  const moves = Object.entries(move).flatMap(([from, to]): Problem[] => {
    if (from === to) return [{ path: `move.${from}`, message: 'leads to the field itself' }]
    return [...(tag.rows.has(from) ? [] : unknown(`move.${from}`, from)), ...unknown(`move.${from}`, to)]
  })
  const maps = Object.entries(map).flatMap(([name, replacements]) => [
    ...unknown(`map.${name}`, name),
    ...Object.entries(replacements).flatMap(([old, value]): Problem[] => {
      const field = tag.schema.get(name)
      if (!field || value === null || convertValue(field, value, () => true) !== undefined) return []
      const [fault] = CHECKS[field.type](asWritten(field, value), field, '')
      const message = `is no value of the ${field.type} '${name}': ${fault!.message}`
      return [{ path: `map.${name}.${old}`, message }]
    }),
  ])
  const problems = [...moves, ...maps]
  if (problems.length) throw invalid(problems)
  const references = referencesIn(tag, map)
  const targets = await findTargets(
    context.db,
    references.map(({ item_id }) => item_id),
  )
  const missing = missingTargets(references, targets)
  const files = await withFiles(context, tag, map)
  if (missing.length || files.problems.length) throw invalid([...missing, ...files.problems])
  return { move, map: files.map }
}

function referencesIn(tag: StoredTag, map: Rearrangement['map']): ReferenceUse[] {
  return Object.entries(map).flatMap(([name, by]) => {
    const field = tag.schema.get(name)
    if (!field || !isReference(field.type)) return []
    return Object.entries(by).flatMap(([old, value]) => {
      const ids = value === null ? [] : (convertValue(field, value, () => true) as ItemId | ItemId[])
      const path = `map.${name}.${old}`
      return Array.isArray(ids)
        ? ids.map((item_id, i) => ({ path: `${path}[${i}]`, item_id, unchanged: false }))
        : [{ path, item_id: ids, unchanged: false }]
    })
  })
}

/** What is put in the place of values of a File as it is stored: with name, size and type. */
async function withFiles(
  context: SqlContext,
  tag: StoredTag,
  map: Rearrangement['map'],
): Promise<{ map: Rearrangement['map']; problems: Problem[] }> {
  const given = Object.entries(map).filter(([name]) => tag.schema.get(name)?.type === 'File')
  const files = await knownFiles(
    context,
    given.flatMap(([name, by]) => Object.values(by).map((value) => [tag.schema, { [name]: value }] as const)),
  )
  const problems: Problem[] = []
  const complete = given.map(([name, by]) => {
    const values = Object.entries(by).map(([old, value]): [string, unknown] => {
      if (value === null) return [old, value]
      const result = completeFiles(value as unknown[], undefined, files, `map.${name}.${old}`)
      problems.push(...result.problems)
      return [old, result.value]
    })
    return [name, Object.fromEntries(values)] as const
  })
  return { map: { ...map, ...Object.fromEntries(complete) }, problems }
}

async function convertPage(
  { db }: SqlContext,
  tag: StoredTag,
  page: readonly TaggedItem[],
  rearrangement: Rearrangement | undefined,
): Promise<Conversion[]> {
  const live = page
    .filter(({ deleted_at }) => deleted_at === null)
    .map((row) => {
      const before = JSON.parse(row.field_values) as FieldValues
      const { values, blocked } = rearrangement
        ? moveAndMap(before, rearrangement)
        : { values: before, blocked: [] }
      return { row, before, moved: values, blocked }
    })
  const ids = live.flatMap(({ before, moved }) => [...idsIn(before), ...idsIn(moved)])
  const targets = await findTargets(db, new Set(ids))
  const isItem = (item_id: ItemId) => targets.has(item_id)
  return live.flatMap(({ row, before, moved, blocked }) => {
    const present = row.schema_version === tag.schema_version
    if (present && !convertValues(tag.schema, before, isItem).unfitting.length) return []
    const { values, unfitting } = convertValues(tag.schema, moved, isItem)
    const kept = blocked.length ? without(values, blocked) : values
    return [{ row, before, moved, after: kept, lost: [...new Set([...unfitting, ...blocked])] }]
  })
}

const without = (values: FieldValues, names: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

async function store(context: SqlContext, tag: StoredTag, converted: readonly Conversion[]): Promise<void> {
  const { db, now } = context
  const { schema_version } = tag
  const changed = converted.map(({ row: { item }, before, after }) => ({ item, before, after }))
  await replaceItemTags(
    db,
    tag.id,
    changed.map(({ item, after }) => ({ item, schema_version, field_values: JSON.stringify(after) })),
  )
  await reindexValuesOfMany(db, tag, changed)
  await touchItems(
    db,
    changed.map(({ item }) => item),
    now,
  )
  await appendEvents(
    db,
    context,
    converted.map(({ row, before, after }) =>
      tagValuesUpdated(row.item_id, tag, fieldValueChanges(before, after), row.schema_version),
    ),
  )
}
