import type { ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { SurveyAnswer } from '#src/imports/import-worker.ts'
import { type Look, namesOf, toReference, toReferences } from '#src/imports/look/look.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import { usableFiles } from '#src/operations/files/known-files.ts'
import type { ImportPlan, Mapping, RowPlanning } from '#src/operations/imports/import-plan.ts'
import {
  addOutcome,
  type ImportError,
  isStillAt,
  MAX_FAULTS,
  noOutcome,
  type Outcome,
  placeOf,
  type Reached,
} from '#src/operations/imports/import-record.ts'
import { itemsNamed, itemsWithId } from '#src/operations/imports/meet-items.ts'
import { requireParts, requireVariants, type Settled } from '#src/operations/imports/parts-gone.ts'
import { type PlannedRow, RowPlanner } from '#src/operations/imports/plan-rows.ts'
import { settlePlan } from '#src/operations/imports/settle-plan.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import type { Db } from '#src/sql/query.ts'
import { fileInUse, type FileSought } from '#src/storage/files/files.ts'
import { findImport, type ImportRecord, updateImport, waitingImports } from '#src/storage/imports/imports.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import { tell } from '#src/storage/notifications/notifications.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

const SHOWN = 1000

/** Files that items of ours had, and that this base lacks: the text of their items does not have their bytes. */
async function missingFiles(
  context: SqlContext,
  { files = [] }: Pick<Look, 'files'>,
): Promise<Look['left_out']> {
  const known = await usableFiles(context, new Set(files.map(({ file_id }) => file_id)))
  const missing = files.filter(({ file_id }) => !known.has(file_id))
  const left_out = missing.slice(0, SHOWN).map(({ name }) => ({ name, reason: NO_BYTES }))
  const more = missing.length - left_out.length
  return more ? [...left_out, { name: `${more} more files`, reason: NO_BYTES }] : left_out
}

const NO_BYTES = 'its bytes are not in the file, and this base has no such file; a Markdown export has them'

/** Whether all ids are those of living items. */
async function areItems(context: SqlContext, ids: readonly string[]): Promise<boolean> {
  const found = await itemsWithId(context, ids)
  return ids.every((id) => found.has(id))
}

/** Imports that something is to be done with, oldest first. */
export const findWaitingImports = defineStep({
  name: 'findWaitingImports',
  effect: 'read',
  run: ({ db }) => waitingImports(db),
})

/** An import whose job is to be done; null where it has none any more. */
export const findImportJob = defineStep({
  name: 'findImportJob',
  effect: 'read',
  async run({ db }, { import_id }: { import_id: Ulid }): Promise<ImportRecord | null> {
    const found = await findImport(db, import_id)
    return found?.job ? found : null
  },
})

/** The same look, with columns whose values are names or ids of items as references. */
export const referToTags = defineStep({
  name: 'referToTags',
  effect: 'read',
  long: true,
  async run(context, { look }: { look: Look }): Promise<Look> {
    look.left_out.push(...(await missingFiles(context, look)))
    delete look.files
    for (const { columns } of look.tables)
      for (const column of columns) {
        if (column.ids && (await areItems(context, column.ids))) toReferences(column)
        delete column.ids
        if (column.to !== null && typeof column.to !== 'string' && !column.of)
          for (const [names, isMany] of namesOf(column)) {
            const tag = await tagOfNames(context, names)
            if (tag === undefined) continue
            toReference(column, tag, isMany)
            break
          }
        delete column.names
        delete column.parts
      }
    return look
  },
})

interface Turn {
  import_id: Ulid
  turn: string
}

/** Before the first row is written. */
const CHECKING: Reached = { pass: 0, n: null }

/** The import, if the job of that turn is still to be done and no other process has gone on with it. */
async function jobAt(
  db: Db,
  { import_id, turn, reached }: Turn & { reached: Reached },
): Promise<ImportRecord | null> {
  const found = await findImport(db, import_id)
  return found?.job && placeOf(found).turn === turn && isStillAt(found, reached) ? found : null
}

/** Ends a job with what it found, if it is still the one that is wanted, and no other process has gone on with it. */
export const endImportJob = defineStep({
  name: 'endImportJob',
  effect: 'write',
  async run(
    context,
    {
      import_id,
      turn,
      reached,
      values,
    }: Turn & { reached: Reached; values: Partial<Omit<ImportRecord, 'id' | 'import_id' | 'user_id'>> },
  ): Promise<boolean> {
    const { db } = context
    const found = await jobAt(db, { import_id, turn, reached: reached })
    if (!found) return false
    await updateImport(db, found.id, { ...values, job: null })
    const { user_id } = found
    if (found.job === 'run' && user_id !== null)
      await tell(context, [user_id], { kind: 'import_done', about: import_id, done_by: user_id })
    return true
  },
})

export const settleImport = defineStep({
  name: 'settleImport',
  effect: 'read',
  run: (
    { db },
    { look, mapping, found }: { look: Look; mapping: Mapping; found?: SurveyAnswer['variants'] },
  ): Promise<ImportPlan> => settlePlan(db, look, mapping, found),
})

/** Whether what a mapping was settled upon is still there; `now`: as it is settled anew. */
export const requireImportParts = defineStep({
  name: 'requireImportParts',
  effect: 'read',
  long: true,
  async run({ db }, { now, ...settled }: Settled & { now?: ImportPlan }): Promise<null> {
    if (now) await requireVariants(db, settled, now)
    else await requireParts(db, settled)
    return null
  },
})

export const findNewestEvent = defineStep({
  name: 'findNewestEvent',
  effect: 'read',
  run: ({ db }): Promise<Ulid | null> => newestEvent(db),
})

/** What would become of rows, which come as JSON, behind those that were `checked` before. */
export const checkImportRows = defineStep({
  name: 'checkImportRows',
  effect: 'read',
  long: true,
  async run(
    context,
    { plan, rows, checked }: { plan: ImportPlan; rows: string; checked: Checked },
  ): Promise<{ checked: Checked; named: NamedRows }> {
    const planner = await RowPlanner.make(context, {
      plan,
      import: null,
      isSecond: false,
      compares_texts: true,
    })
    const planned = await planner.plan(JSON.parse(rows) as ImportRow[])
    return { checked: withPlanned(checked, planned), named: namedRows(planned) }
  },
})

/** Rows of notes, which come as JSON, without the descriptions that say what their items have: others write meanwhile. */
export const leaveSameTexts = defineStep({
  name: 'leaveSameTexts',
  effect: 'read',
  long: true,
  async run(
    context,
    { rows, ...planning }: Pick<RowPlanning, 'plan' | 'import' | 'isSecond'> & { rows: string },
  ): Promise<string> {
    const planner = await RowPlanner.make(context, { ...planning, compares_texts: true })
    return JSON.stringify(await planner.withoutSameTexts(JSON.parse(rows) as ImportRow[]))
  },
})

/** The file that a file of the archive would be; null: a new one. */
export const findFileAlike = defineStep({
  name: 'findFileAlike',
  effect: 'read',
  run: async ({ db }, file: FileSought): Promise<Ulid | null> => (await fileInUse(db, file)) ?? null,
})

/** Rows that were checked, and the last one that would leave its item as it is. */
export interface Checked {
  outcome: Outcome
  unchanged: number | null
}

/** Rows with a fault, and rows that others lead to: each by its number and its name. */
export interface NamedRows {
  left_out: { t: number; row: string | number }[]
  sought: (string | number)[]
}

function namedRows(planned: readonly PlannedRow[]): NamedRows {
  const left_out = planned.flatMap(({ is, row: { t, n, name } }) =>
    is === 'fault' && name ? [name, n].map((row) => ({ t, row })) : [],
  )
  const refs = planned.flatMap(({ row }) => Object.values(row.refs).flat())
  return { left_out, sought: [...new Set(refs.flatMap(({ name, n, rows }) => n ?? (rows ? name : [])))] }
}

/** What says more of a row's item is no row of its own, but for its faults: it can change an item that had not changed. */
function withPlanned(checked: Checked, planned: readonly PlannedRow[]): Checked {
  const outcome = outcomeOf(planned.filter((each) => each.row.same === undefined || each.is === 'fault'))
  let { unchanged } = checked
  for (const { row, is } of planned)
    if (row.same === undefined) unchanged = is === 'unchanged' ? row.n : null
    else if (is === 'changed' && row.same === unchanged) {
      outcome.unchanged--
      outcome.changed++
      unchanged = null
    }
  return { outcome: addOutcome(checked.outcome, outcome), unchanged }
}

export function outcomeOf(planned: readonly PlannedRow[]): Outcome {
  const outcome = noOutcome()
  for (const each of planned) {
    if (each.is !== 'fault') outcome[each.is]++
    else if (outcome.fault_count++ < MAX_FAULTS) outcome.faults.push(each.fault)
    if (each.is === 'fault') outcome.skipped++
  }
  return outcome
}

/** What was checked once more, before it is written. */
export const keepImportPlan = defineStep({
  name: 'keepImportPlan',
  effect: 'write',
  async run(
    { db },
    { import_id, turn, ...values }: Turn & { plan: string; report: string },
  ): Promise<boolean> {
    const found = await jobAt(db, { import_id, turn, reached: CHECKING })
    if (!found) return false
    await updateImport(db, found.id, { ...values, place: JSON.stringify({ ...placeOf(found), n: 0 }) })
    return true
  },
})

/** How far checking has come, for anyone who looks; false where another process writes by now. */
export const noteImportProgress = defineStep({
  name: 'noteImportProgress',
  effect: 'write',
  async run({ db }, { import_id, turn, n }: Turn & { n: number }): Promise<boolean> {
    const found = await jobAt(db, { import_id, turn, reached: CHECKING })
    if (!found) return false
    await updateImport(db, found.id, { place: JSON.stringify({ ...placeOf(found), n }) })
    return true
  },
})

export const asImportError = ({ code, message, suggestion, details }: ServiceError): ImportError => ({
  code,
  message,
  ...(suggestion !== undefined && { suggestion }),
  ...(details && { details }),
})

/** The tag of which some item has each of the names; undefined where there is none. */
async function tagOfNames(context: SqlContext, names: readonly string[]): Promise<string | undefined> {
  const found = await itemsNamed(context, names, [])
  if (found.size < names.length) return undefined
  const nameOf = new Map([...found].flatMap(([name, items]) => items.map(({ id }) => [id, name])))
  const namesByTag = new Map<number, Set<string>>()
  for (const { item, tag } of await tagsOfItems(context.db, [...nameOf.keys()]))
    (namesByTag.get(tag) ?? namesByTag.set(tag, new Set()).get(tag)!).add(nameOf.get(item)!)
  const tag = [...namesByTag].find(([, named]) => named.size === names.length)?.[0]
  return tag === undefined ? undefined : (await findTagByRow(context.db, tag))?.name
}
