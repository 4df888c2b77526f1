import type { ComponentType } from 'react'
import type { Column, FieldColumn } from '#web/rules/column.ts'

export interface ValueEditorProps {
  column: Column
  name: string
  value: unknown
  typed: string | null
  box: DOMRect
  onSave: (value: unknown, then: string) => void
  onRefuse: (value: unknown, message: string) => void
  /** Left before it is known what the value is: what this gives writes it once it is there. */
  onLater: () => (value: unknown) => void
  onCancel: (then?: string) => void
}

/** How values are shown and edited: as in the table, which the page gives in. */
export interface ValueParts {
  View: ComponentType<{
    column: Column
    value: unknown
    isOpen?: boolean
    inButton?: boolean
  }>
  Editor: ComponentType<ValueEditorProps>
  /** What opens alongside it: files, and where a text leads. */
  Open?: ComponentType<{ column: FieldColumn; value: unknown }>
}
