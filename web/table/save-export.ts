import { type ExportFormat, exportItems } from '#web/api/export-items.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { timeZone } from '#web/data/time-zone.ts'
import { saveFile } from '#web/parts/save-file.ts'
import { toast } from '#web/parts/toast.tsx'
import { plainName } from '#web/rules/plain-name.ts'
import type { Question } from '#web/rules/table-state.ts'

const ENDINGS: Record<ExportFormat, string> = { csv: 'csv', jsonl: 'jsonl', markdown: 'zip' }

/** Saves what a table shows, all of it, in its order. */
export async function saveExport(
  title: string,
  question: Question,
  format: ExportFormat,
  fields?: readonly string[],
): Promise<void> {
  const { snippets: _, ...asked } = question
  toast({ text: `Exporting ${title} …` })
  const file = await exportItems({
    ...asked,
    format,
    time_zone: timeZone(),
    // A zip of notes has whole items.
    ...(fields && format !== 'markdown' && { fields: [...fields] }),
  }).catch(toFault)
  if (file instanceof Fault) return toast({ text: file.message, kind: 'danger' })
  saveFile(file, `${plainName(title)}.${ENDINGS[format]}`)
  toast({ text: `Exported ${title}` })
}
