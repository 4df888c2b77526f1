import type { ExportFormat } from '#web/api/export-items.ts'
import { useActions } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import type { Question } from '#web/rules/table-state.ts'

const FORMATS: readonly { format: ExportFormat; label: string }[] = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON Lines, for programs' },
  { format: 'markdown', label: 'Markdown, as a zip' },
]

interface ExportMenuProps {
  title: string
  /** What the table shows. */
  question: Question
}

/** What a table shows, as a file. */
export function ExportMenu({ title, question }: ExportMenuProps) {
  const [isBusy, alone] = useBusy()
  const entries = FORMATS.map(({ format, label }) => ({
    label,
    disabled: isBusy,
    run: () =>
      void alone(async () => {
        const { saveExport } = await import('#web/table/save-export.ts')
        await saveExport(title, question, format)
      }),
  }))
  useActions(
    entries.map(({ label, run }, i) => ({
      id: `table.export-${FORMATS[i]!.format}`,
      title: `Export as ${label}`,
      group: 'Table',
      run,
    })),
  )
  return <Menu label="Export" placement="bottom-end" button={<Icon name="download" />} entries={entries} />
}
