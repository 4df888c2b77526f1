import type { FieldType } from '#src/domain/field-schema.ts'
import type { ValueKind } from '#src/sql/filter-dialect.ts'

const KINDS: Record<FieldType, ValueKind> = {
  String: 'text',
  Number: 'number',
  Boolean: 'number',
  Date: 'text',
  Reference: 'row_id',
  Select: 'text',
  MultiSelect: 'text',
}

/** As what the values of a field of this type stand in the index. */
export const valueKind = (type: FieldType): ValueKind => KINDS[type]
