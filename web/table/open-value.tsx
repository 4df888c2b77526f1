import { Icon } from '#web/parts/icon.tsx'
import type { FieldColumn } from '#web/rules/column.ts'
import { linkOf } from '#web/rules/shown-value.ts'
import { OpenFiles } from '#web/table/file-view.tsx'
import css from '#web/table/open-value.module.css'

/** Alongside a value that is edited when it is pressed: what opens it. */
export function OpenValue({ column: { field }, value }: { column: FieldColumn; value: unknown }) {
  if (field.type === 'File') return <OpenFiles value={value} label={field.name} />
  const href = typeof value === 'string' ? linkOf(field.schema, value) : undefined
  if (!href) return null
  return (
    <a
      href={href}
      className={css.open}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Open ${field.name}`}
      title={href}
    >
      <Icon name={href.startsWith('mailto:') ? 'mail' : 'external'} />
    </a>
  )
}
