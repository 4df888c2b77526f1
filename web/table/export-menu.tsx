import type { ExportFormat } from '#web/api/export-items.ts'
import { useActions } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { sayNotLoaded } from '#web/parts/not-loaded.tsx'
import { useIfSettled } from '#web/parts/unsettled.ts'
import { useBusy } from '#web/parts/use-busy.ts'
import type { RowSource } from '#web/data/row-source.ts'
import type { Column } from '#web/rules/column.ts'
import { exportedFields } from '#web/rules/path-column.ts'
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
  source: RowSource | null
  columns: readonly Column[]
}

/** What a table shows, as a file or for the clipboard. */
export function ExportMenu({ title, question, source, columns }: ExportMenuProps) {
  const [isBusy, alone] = useBusy()
  const ifSettled = useIfSettled()
  const entries = FORMATS.map(({ format, label }) => ({
    label,
    disabled: isBusy,
    run: () =>
      ifSettled(
        () =>
          void alone(async () => {
            const part = await import('#web/table/save-export.ts').catch(() => sayNotLoaded())
            await part?.saveExport(title, question, format, exportedFields(columns))
          }),
      ),
  }))
  const copy = {
    label: 'Copy as a table',
    icon: 'copy' as const,
    parted: true,
    disabled: !source,
    run: () =>
      ifSettled(
        () =>
          void alone(async () => {
            const part = await import('#web/table/copy-table.ts').catch(() => sayNotLoaded())
            if (source) await part?.copyTable(source, columns)
          }),
      ),
  }
  useActions([
    { id: 'table.copy', title: copy.label, group: 'Table', run: copy.run },
    ...entries.map(({ label, run }, i) => ({
      id: `table.export-${FORMATS[i]!.format}`,
      title: `Export as ${label}`,
      group: 'Table',
      run,
    })),
  ])
  return (
    <Menu
      label="Export"
      placement="bottom-end"
      button={<Icon name="download" />}
      entries={[...entries, copy]}
    />
  )
}
