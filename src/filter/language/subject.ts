import type { FieldType } from '#src/domain/field-schema.ts'

/** What an operator looks at: a field by its type, or `Text`: the item's name or description. */
export type SubjectType = FieldType | 'Text'

export interface Subject {
  /** As the reader knows it: `Task.priority`, `name`. */
  readonly label: string
  readonly type: SubjectType
  /** Of a Select or MultiSelect, in order. */
  readonly variants: readonly string[]
}
