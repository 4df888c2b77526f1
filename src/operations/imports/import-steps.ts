import type { ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Look } from '#src/imports/look/look.ts'
import { namesOf, toReference, toReferences } from '#src/imports/look/look.ts'
import type { SurveyAnswer } from '#src/imports/import-worker.ts'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import type { ImportPlan, Mapping } from '#src/operations/imports/import-plan.ts'
import {
  type ImportError,
  MAX_FAULTS,
  noOutcome,
  type Outcome,
  placeOf,
} from '#src/operations/imports/import-record.ts'
import { type PlannedRow, RowPlanner } from '#src/operations/imports/plan-rows.ts'
import { areItems, missingFiles } from '#src/operations/imports/own-look.ts'
import { settlePlan } from '#src/operations/imports/settle-plan.ts'
import { tagOfNames } from '#src/operations/imports/tag-of-names.ts'
import { defineStep } from '#src/runtime/step.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { tell } from '#src/storage/notifications/notifications.ts'
import { findImport, type ImportRecord, updateImport, waitingImports } from '#src/storage/imports/imports.ts'

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
        if (typeof column.to !== 'string' && !column.of)
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

/** Ends a job with what it found, if it is still the one that is wanted. */
export const endImportJob = defineStep({
  name: 'endImportJob',
  effect: 'write',
  async run(
    context,
    {
      import_id,
      turn,
      values,
    }: Turn & { values: Partial<Omit<ImportRecord, 'id' | 'import_id' | 'user_id'>> },
  ): Promise<boolean> {
    const { db } = context
    const found = await findImport(db, import_id)
    if (!found?.job || placeOf(found).turn !== turn) return false
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

export const findNewestEvent = defineStep({
  name: 'findNewestEvent',
  effect: 'read',
  run: ({ db }): Promise<Ulid | null> => newestEvent(db),
})

/** What would become of rows, which come as JSON. */
export const checkImportRows = defineStep({
  name: 'checkImportRows',
  effect: 'read',
  long: true,
  async run(context, { plan, rows }: { plan: ImportPlan; rows: string }): Promise<Outcome> {
    const planner = await RowPlanner.make(context, { plan, import: null, isSecond: false })
    const planned = await planner.plan(JSON.parse(rows) as ImportRow[])
    // What says more of a row's item is no row of its own, but for its faults.
    return outcomeOf(planned.filter((each) => each.row.same === undefined || each.is === 'fault'))
  },
})

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
    const found = await findImport(db, import_id)
    if (!found?.job || placeOf(found).turn !== turn) return false
    await updateImport(db, found.id, { ...values, place: JSON.stringify({ ...placeOf(found), n: 0 }) })
    return true
  },
})

/** How far checking has come, for anyone who looks. */
export const noteImportProgress = defineStep({
  name: 'noteImportProgress',
  effect: 'write',
  async run({ db }, { import_id, turn, n }: Turn & { n: number }): Promise<boolean> {
    const found = await findImport(db, import_id)
    if (!found?.job || placeOf(found).turn !== turn) return false
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
