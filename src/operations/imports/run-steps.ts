import { conflict, type ServiceError } from '#src/domain/errors.ts'
import type { FieldMap, FieldSchema } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import type { ImportPlan, Mapping, PlannedTag } from '#src/operations/imports/import-plan.ts'
import {
  addOutcome,
  checkImporter,
  type ImportPlace,
  type ImportReport,
  noOutcome,
  type Outcome,
  placeOf,
  planOf,
} from '#src/operations/imports/import-record.ts'
import { outcomeOf } from '#src/operations/imports/import-steps.ts'
import { requireParts } from '#src/operations/imports/parts-gone.ts'
import { type PlannedRow, RowPlanner } from '#src/operations/imports/plan-rows.ts'
import { writeRows } from '#src/operations/imports/write-rows.ts'
import { addNewTag } from '#src/operations/tags/add-new-tag.ts'
import { checkNewTag, nameTaken } from '#src/operations/tags/check-new-tag.ts'
import { planTagChange } from '#src/operations/tags/plan-tag-change.ts'
import { storeTagChange } from '#src/operations/tags/store-tag-change.ts'
import { invalid } from '#src/domain/errors.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { addImportChange, itemsWritten, keepRows } from '#src/storage/imports/import-changes.ts'
import { findImport, type ImportRecord, updateImport } from '#src/storage/imports/imports.ts'
import { findTagByName, liveTag } from '#src/storage/tags/tags.ts'

export interface Portion {
  import_id: Ulid
  turn: string
}

/** How it went on; null: somebody has stopped it, or it is another's turn. */
export interface Written {
  place: ImportPlace
  outcome: Outcome
}

/** The import, if it is still at that place. @throws Forbidden where its account may not write any more */
export async function atPlace(
  context: SqlContext,
  { import_id, turn }: Portion,
  job: 'run' | 'undo',
): Promise<ImportRecord | null> {
  const found = await findImport(context.db, import_id)
  if (found?.job !== job || placeOf(found).turn !== turn) return null
  await checkImporter(context, found)
  context.change.told = { import_id }
  context.change.operation = job === 'run' ? 'runImport' : 'undoImport'
  return found
}

/** Before what a row brings along is stored. @throws Forbidden where its account may not write any more */
export const checkMayStore = defineStep({
  name: 'checkMayStore',
  effect: 'read',
  inline: true,
  async run(context, { import_id }: Pick<Portion, 'import_id'>): Promise<null> {
    const found = await findImport(context.db, import_id)
    if (found) await checkImporter(context, found)
    return null
  },
})

export async function noteChange(
  { db, change }: SqlContext,
  record: ImportRecord,
  undoes = false,
): Promise<void> {
  if (change.lastEvent !== null) await addImportChange(db, record.id, change.id, undoes)
}

/** Makes the tags and fields that the rows need. */
export const prepareImport = defineStep({
  name: 'prepareImport',
  effect: 'write',
  long: true,
  async run(context, portion: Portion): Promise<Written | null> {
    const record = await atPlace(context, portion, 'run')
    if (!record || placeOf(record).pass !== 0) return null
    const plan = planOf(record)!
    const { newest } = JSON.parse(record.report!) as ImportReport
    const mapping = JSON.parse(record.mapping!) as Mapping
    await requireParts(context.db, { import_id: record.import_id, plan, mapping, newest })
    const place: ImportPlace = { ...placeOf(record), pass: 1, n: 0 }
    await makeTags(context, plan)
    await noteChange(context, record)
    const outcome = noOutcome()
    await updateImport(context.db, record.id, {
      state: 'running',
      plan: JSON.stringify(plan),
      place: JSON.stringify(place),
      outcome: JSON.stringify(outcome),
    })
    return { place, outcome }
  },
})

/** The tags of the plan as they are from now on. @throws Conflict where the base has become another since */
async function makeTags(context: SqlContext, plan: ImportPlan): Promise<void> {
  const { db } = context
  for (const tag of basesFirst(plan.tags)) {
    if (await findTagByName(db, tag.name)) throw await nameTaken(db, tag.name)
    const { name, description, look } = tag
    const bases: string[] = []
    for (const each of new Set(tag.extends)) if (await findTagByName(db, each)) bases.push(each)
    const given = {
      name,
      fields: tag.fields as Record<string, never>,
      ...(description != null && { description }),
      ...(look && { look }),
      ...(bases.length && { extends: bases }),
    }
    const problems = await checkNewTag(db, given)
    if (problems.length) throw invalid(problems)
    context.change.beginPart()
    tag.tag_id = (await addNewTag(context, given)).tag_id
    tag.isChanged = false
  }
  for (const tag of plan.tags) if (tag) await completeTag(context, plan, tag)
  for (const { columns } of plan.targets)
    for (const { to } of columns)
      if (typeof to === 'object')
        for (const t of to.of_tables) {
          const tag_id = plan.tags[t]?.tag_id
          if (tag_id && !to.of_tags.includes(tag_id)) to.of_tags.push(tag_id)
        }
}

/** New tags; those that others extend come before them. What extends itself by others comes as it stands. */
function basesFirst(tags: ImportPlan['tags']): NonNullable<PlannedTag>[] {
  const left = new Map(
    tags.flatMap((tag) => (tag?.isChanged && tag.tag_id === null ? [[tag.name, tag] as const] : [])),
  )
  const ordered: NonNullable<PlannedTag>[] = []
  const take = (tag: NonNullable<PlannedTag>): void => {
    left.delete(tag.name)
    for (const name of tag.extends ?? []) {
      const base = left.get(name)
      if (base) take(base)
    }
    ordered.push(tag)
  }
  for (const tag of left.values()) take(tag)
  return ordered
}

/** Fields that a tag is to have besides, and what they refer to, now that all tags are there. */
async function completeTag(
  context: SqlContext,
  plan: ImportPlan,
  tag: NonNullable<PlannedTag>,
): Promise<void> {
  const of_tables = Object.entries(tag.of_tables)
  if (!tag.isChanged && !of_tables.length) return
  const stored = await liveTag(context.db, tag.tag_id!)
  const fields: Record<string, FieldSchema> = { ...(JSON.parse(stored.fields) as FieldMap) }
  if (tag.isChanged) for (const [name, schema] of Object.entries(tag.fields)) fields[name] = schema
  for (const [name, tables] of of_tables) {
    const schema = fields[name]!
    const known = typeof schema === 'object' && 'of' in schema ? (schema.of ?? []) : []
    const type = (typeof schema === 'string' ? schema : schema.type) as 'Reference'
    fields[name] = {
      ...(typeof schema === 'object' && schema),
      type,
      of: [...new Set([...known, ...tables.map((t) => plan.tags[t]!.tag_id!)])],
    }
  }
  const change = await planTagChange(context.db, stored, {
    tag_id: stored.tag_id,
    fields: fields,
  })
  context.change.beginPart()
  if (Object.keys(change.new_values).length) await storeTagChange(context, stored, change)
  tag.isChanged = false
  tag.of_tables = {}
}

/**
 * Writes a portion of rows, which come as JSON, and how far that is, in one transaction: never twice, and null where
 * another process has gone on from there.
 */
export const writeImportRows = defineStep({
  name: 'writeImportRows',
  effect: 'write',
  long: true,
  async run(
    context,
    {
      rows: text,
      next,
      from,
      pass,
      ...portion
    }: Portion & { rows: string; pass: number; from: number; next: number },
  ): Promise<Written | null> {
    const record = await atPlace(context, portion, 'run')
    if (!record) return null
    const before = placeOf(record)
    const sum = JSON.parse(record.outcome!) as Outcome
    if (before.pass !== pass) return null
    if (before.n !== from) return before.n === next ? { place: before, outcome: sum } : null
    const plan = planOf(record)!
    const rows = JSON.parse(text) as ImportRow[]
    const isSecond = before.pass === 2
    const { newest } = JSON.parse(record.report!) as ImportReport
    const planner = await RowPlanner.make(context, { plan, import: record.id, newest, isSecond })
    const planned = await planner.plan(rows)
    const outcome = outcomeOf(planned)
    if (before.on_fault === 'refuse' && outcome.fault_count) throw faultMeanwhile(outcome)
    const gained = isSecond ? await gainedByTags(context, record, planned) : 0
    const items = await writeRows(context, plan, planner, planned)
    if (!isSecond) {
      const kept = rows.flatMap(({ n, kept: isKept }) => {
        const item_id = items.get(n)
        return isKept && item_id !== undefined ? [[n, item_id] as const] : []
      })
      await keepRows(context.db, record.id, kept)
    }
    const place: ImportPlace = { ...before, n: next }
    const written = addOutcome(sum, isSecond ? ofSecondPass(planned, outcome, gained) : outcome)
    await noteChange(context, record)
    await updateImport(context.db, record.id, {
      place: JSON.stringify(place),
      outcome: JSON.stringify(written),
    })
    return { place, outcome: written }
  },
})

/** The first pass has counted the rows, but for those that say more of the item of another one. */
function ofSecondPass(
  planned: readonly PlannedRow[],
  { faults, fault_count }: Outcome,
  gained: number,
): Outcome {
  const skipped = planned.filter(({ is, row }) => is === 'fault' && row.same !== undefined).length
  return { ...noOutcome(), changed: gained, unchanged: -gained, skipped, faults, fault_count }
}

/** How many items that the import has left as they are now change by what further tags say of them. */
async function gainedByTags(
  { db }: SqlContext,
  { id }: ImportRecord,
  planned: readonly PlannedRow[],
): Promise<number> {
  const changing = planned.flatMap((each) =>
    each.is === 'changed' && each.row.same !== undefined ? [each.item.item_id] : [],
  )
  if (!changing.length) return 0
  const written = await itemsWritten(db, id, changing)
  return new Set(changing).difference(written).size
}

function faultMeanwhile({ faults: [first], fault_count }: Outcome): ServiceError {
  const more = fault_count > 1 ? ` (and ${fault_count - 1} more)` : ''
  return conflict(
    `The base has changed since the rows were checked: line ${first!.line}: ${first!.message}${more}`,
    {
      suggestion: 'Undo the import, or import the file again with on_fault: "skip" and a key',
    },
  )
}

/** All rows, up to that one, are items: what is left is what rows say of each other. */
export const beginSecondPass = defineStep({
  name: 'beginSecondPass',
  effect: 'write',
  async run(context, { from, ...portion }: Portion & { from: number }): Promise<Written | null> {
    const record = await atPlace(context, portion, 'run')
    if (!record) return null
    const before = placeOf(record)
    if (before.pass !== 1 || before.n !== from) return null
    const place: ImportPlace = { ...before, pass: 2, n: 0 }
    await updateImport(context.db, record.id, { place: JSON.stringify(place) })
    return { place, outcome: JSON.parse(record.outcome!) as Outcome }
  },
})
