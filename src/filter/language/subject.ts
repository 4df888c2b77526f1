import type { FieldType } from '#src/domain/field-schema.ts'

/** What an operator looks at: a field by its type, or what every item has: a name or description, its id, its times. */
export type SubjectType = FieldType | 'Text' | 'Id' | 'Time'

export interface Subject {
  /** As the reader knows it: `Task.priority`, `name`. */
  readonly label: string
  readonly type: SubjectType
  /** Of a Select or MultiSelect, in order. */
  readonly variants: readonly string[]
  /** A value in words, where readers know it as another text than JSON's. */
  readonly say?: ((value: unknown) => string) | undefined
}

/** What every item has of its own. */
export const COLUMN_TYPES = {
  name: 'Text',
  description: 'Text',
  id: 'Id',
  created_at: 'Time',
  updated_at: 'Time',
} as const satisfies Record<string, SubjectType>
export type Column = keyof typeof COLUMN_TYPES
