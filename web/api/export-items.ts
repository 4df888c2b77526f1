import type { ExportFormat, ExportInput } from '#src/operations/export/export-schemas.ts'
import { callForFile } from '#web/api/call.ts'
import type { Route } from '#web/api/route.ts'

export type { ExportFormat }

const EXPORT: Route<ExportInput, never> = { method: 'POST', path: '/api/items/export', reads: true }

/** Items as a file. @throws Fault */
export const exportItems = (input: ExportInput): Promise<Blob> => callForFile(EXPORT, input)
