import type { FieldType } from '#src/domain/field-schema.ts'
import type { ValueTest } from '#src/filter/plan.ts'
import type { FilterDialect, ValueKind } from '#src/sql/filter-dialect.ts'

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

/** As what values of this type stand in the index where a test looks at them. */
export function testedKind(type: FieldType, test: ValueTest, dialect: FilterDialect): ValueKind {
  const kind = valueKind(type)
  return kind === 'text' && looksAtWhole(test, dialect) ? 'full_text' : kind
}

function looksAtWhole(test: ValueTest, dialect: FilterDialect): boolean {
  if (test.test === 'substring' || test.test === 'regex') return true
  const bounds =
    test.test === 'prefix' ? [test.text] : test.test === 'range' ? [test.lower?.value, test.upper?.value] : []
  return bounds.some((each) => typeof each === 'string' && dialect.needsFullText(each))
}
