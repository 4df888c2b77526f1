import { isTextTest } from '#src/domain/text-test.ts'
import type { FieldType } from '#src/domain/field-schema.ts'
import type { IndexValue, ValueTest } from '#src/filter/meaning/plan.ts'
import type { CatalogField } from '#src/filter/meaning/tag-catalog.ts'
import type { FilterDialect, ValueKind } from '#src/sql/filter-dialect.ts'

const KINDS: Record<FieldType, ValueKind> = {
  String: 'text',
  Number: 'number',
  Boolean: 'number',
  Date: 'text',
  DateTime: 'text',
  Reference: 'row_id',
  MultiReference: 'row_id',
  Select: 'text',
  MultiSelect: 'text',
  File: 'text',
}

/** As what the values of a field of this type are in the index. */
export const valueKind = (type: FieldType): ValueKind => KINDS[type]

/** As what values of this type are in the index where a test looks at them. */
export function testedKind(type: FieldType, test: ValueTest, dialect: FilterDialect): ValueKind {
  const kind = valueKind(type)
  return kind === 'text' ? textKind(test, dialect) : kind
}

/** As what a test looks at texts. */
export function textKind(test: ValueTest, dialect: FilterDialect): 'text' | 'full_text' {
  const looksAtWhole = test.test === 'substring' || isTextTest(test)
  return looksAtWhole || operandsOf(test).some((each) => isCutInIndex(each, dialect)) ? 'full_text' : 'text'
}

/** As what the values of a field are put in order and counted: exactly. Variants are mostly in the index whole. */
export function exactKind({ type, variants }: CatalogField, dialect: FilterDialect): ValueKind {
  if (type === 'String' || type === 'File') return 'full_text'
  return variants.some((each) => isCutInIndex(each, dialect)) ? 'full_text' : valueKind(type)
}

/** Whether an engine has only the beginning of it in its index. */
export const isCutInIndex = (value: IndexValue | undefined, dialect: FilterDialect): boolean =>
  typeof value === 'string' && dialect.needsFullText(value)

function operandsOf(test: ValueTest): readonly (IndexValue | undefined)[] {
  switch (test.test) {
    case 'prefix':
      return [test.text]
    case 'range':
      return [test.lower?.value, test.upper?.value]
    case 'one_of':
    case 'none_of':
    case 'same_set':
      return test.values
    case 'misfit':
      return test.variants ?? []
    default:
      return []
  }
}
