import type { FieldType } from '#src/domain/field-schema.ts'

/**
 * A filter with its names resolved and its operators reduced to few primitive tests: what `filter-to-sql`, the
 * planner of the search and the words of explain work on. Every node is true or false for an item, never unknown.
 */
export type FilterPlan =
  | { kind: 'and'; children: readonly FilterPlan[] }
  | { kind: 'or'; children: readonly FilterPlan[] }
  | { kind: 'not'; child: FilterPlan }
  /** Substring of the folded name or description; `text` is folded. */
  | { kind: 'search'; text: string }
  /** One of these tags (row ids: the tag named and all that extend it) is applied. */
  | { kind: 'has_tag'; tags: readonly number[] }
  | { kind: 'text'; column: 'name' | 'description'; test: ValueTest }
  | { kind: 'field'; field: BoundField; test: ValueTest }
  /** The referenced item lives and satisfies `target`. */
  | { kind: 'hop'; field: BoundField; target: FilterPlan }
  | { kind: 'always' }
  | { kind: 'never' }

/** A field that its tag's current schema has. */
export interface BoundField {
  /** Row id in `field`. */
  id: number
  tag_name: string
  name: string
  type: FieldType
}

/** A value as `field_value.val` holds it: text, number, 0 or 1 for Boolean, the target's row id for Reference. */
export type IndexValue = string | number

/**
 * A test of one field's value, or of name or description. A MultiSelect satisfies `one_of`, `range`, `prefix` …
 * when one of its chosen variants does.
 */
export type ValueTest =
  /** Has a value (any, also one that does not fit the current type). */
  | { test: 'present' }
  | { test: 'absent' }
  | { test: 'one_of'; values: readonly IndexValue[] }
  /** Has a value that is none of these; with `or_absent` (Boolean) also none at all. */
  | { test: 'none_of'; values: readonly IndexValue[]; or_absent: boolean }
  /** Between bounds of the same type; by code point for text. */
  | {
      test: 'range'
      lower?: Bound
      upper?: Bound
      also?: readonly IndexValue[]
      except?: readonly IndexValue[]
    }
  | { test: 'prefix'; text: string }
  | { test: 'substring'; text: string }
  /** RE2. */
  | { test: 'regex'; pattern: string }
  /** MultiSelect: exactly these variants are chosen. */
  | { test: 'same_set'; values: readonly string[]; negated: boolean }

export interface Bound {
  value: IndexValue
  inclusive: boolean
}
