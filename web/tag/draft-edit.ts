import type { ComponentType } from 'react'
import type { Tag } from '#web/data/tags-query.ts'
import type { FieldDraft } from '#web/rules/tag-draft.ts'

export interface FieldListProps {
  /** Where they are: `Task`, or `done`. */
  of: string
  fields: readonly FieldDraft[]
  edit: DraftEdit
  onFields: (fields: FieldDraft[]) => void
  /** Of a variant. */
  isSub?: boolean
}

/** What the rows of the tag editor share. */
export interface DraftEdit {
  /** By the key of a field or variant. */
  faults: ReadonlyMap<string, string>
  /** Whose items a reference may mean. */
  tags: readonly Tag[]
  /** Sub-fields are listed as fields are. */
  List: ComponentType<FieldListProps>
  change: (key: string, change: (field: FieldDraft) => FieldDraft | null) => void
  rename: (key: string, name: string) => void
}
