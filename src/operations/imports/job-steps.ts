import {
  checkImportRows,
  endImportJob,
  findFileAlike,
  findNewestEvent,
  keepImportPlan,
  leaveSameTexts,
  noteImportProgress,
  referToTags,
  requireImportParts,
  settleImport,
} from '#src/operations/imports/import-steps.ts'
import { beginSecondPass, prepareImport, writeImportRows } from '#src/operations/imports/run-steps.ts'
import { findImportConflicts, undoImportChange } from '#src/operations/imports/undo-steps.ts'
import type { Step } from '#src/runtime/operation.ts'

/** What a job calls (`ImportJob`), in the service or by a command. */
export const IMPORT_JOB_STEPS: readonly Step[] = [
  beginSecondPass,
  checkImportRows,
  endImportJob,
  findFileAlike,
  findImportConflicts,
  findNewestEvent,
  keepImportPlan,
  leaveSameTexts,
  noteImportProgress,
  prepareImport,
  referToTags,
  requireImportParts,
  settleImport,
  undoImportChange,
  writeImportRows,
]
