import type { TextTest } from '#src/domain/text-test.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { SoughtWord } from '#src/domain/words.ts'
import type { SearchPlace } from '#src/filter/language/search-form.ts'
import type { Column } from '#src/filter/language/subject.ts'
import type { CatalogField } from '#src/filter/meaning/tag-catalog.ts'

/**
 * A filter with its names resolved and its operators reduced to few primitive tests: what `filter-to-sql`, the
 * planner of the search and the words of explain work on. Every node is true or false for an item, never unknown (decision 10).
 */
export type FilterPlan =
  | { kind: 'and'; children: readonly FilterPlan[] }
  | { kind: 'or'; children: readonly FilterPlan[] }
  | { kind: 'not'; child: FilterPlan }
  /**
   * The folded name or description holds the text, which is folded; `part` says where, and how; `except` says of whom
   * not; with `waiting` there are texts of which the trigram index does not know.
   */
  | { kind: 'search'; text: string; part?: SearchPart; except?: RowIds; waiting?: true }
  | AnyPlan
  /** A value of one of these fields (row ids) holds the text, both folded. */
  | { kind: 'values'; text: string; fields: readonly number[] }
  /** One of these tags (row ids: the tag named and all that extend it) is applied. */
  | { kind: 'has_tag'; tags: readonly number[] }
  /** An event of its own has an id from the one on and before the other. */
  | { kind: 'changed'; from: Ulid; before: Ulid }
  /** Some tag is applied. */
  | { kind: 'tagged' }
  /** A column of the item; times as they are stored. */
  | { kind: 'text'; column: Exclude<Column, 'id'>; test: ValueTest }
  /** One of these items (row ids), which need not live. */
  | { kind: 'id'; items: readonly number[] }
  | { kind: 'field'; field: BoundField; test: ValueTest }
  /** A referenced item lives and satisfies `target`, which is a leaf or another hop. */
  | { kind: 'hop'; field: BoundField; target: FilterPlan }
  /** At least `min` (from 1) and at most `max` living items refer to it by the field and satisfy `filter`. */
  | { kind: 'referred'; field: BoundField; filter: FilterPlan; min: number; max?: number }
  /** One of these (row ids, live): what a pattern was found to match, on an engine that cannot match it itself. */
  | { kind: 'items'; items: readonly number[] }
  | { kind: 'always' }
  | { kind: 'never' }

/** One of the words of one of the texts occurs in one of the places. */
export interface AnyPlan {
  readonly kind: 'any'
  readonly texts: readonly (readonly SoughtWord[])[]
  readonly places: readonly SearchPlace[]
  /** The fields (row ids) of which values are looked at; undefined: all. */
  readonly fields?: readonly number[]
  /** What is looked for in place of words that no item has, by their stems. */
  readonly stands_for?: ReadonlyMap<string, readonly string[]>
}

/** A run of row ids. */
export interface RowIds {
  readonly after: number
  readonly upTo: number
}

/** The name, or the description, holds the text; the name is the text, begins with it, or has a word that does. */
export type SearchPart = 'name' | 'description' | 'whole_name' | 'name_start' | 'word_start'

/** A field that its tag's current schema has. */
export interface BoundField extends CatalogField {
  readonly tag_id: Ulid
  readonly tag_name: string
  /** Row id of the tag. */
  readonly tag: number
}

/** A value as `field_value.val` holds it: text, number, 0 or 1 for Boolean, the target's row id for references. */
export type IndexValue = string | number

/**
 * A test of one field's value, or of name or description. A field of several values satisfies
 * `one_of`, `range`, `prefix` … when one of them does.
 */
export type ValueTest =
  /** Has a value (any, also one that does not fit the current type). */
  | { test: 'present' }
  | { test: 'absent' }
  /** Of references: some item that is referred to does not live; false: there is a value, and all of them live. */
  | {
      test: 'dangling'
      dangling: boolean
      /** What is not true of an item is as if it did not live. */
      among?: FilterPlan
    }
  /** Has a value that is not of its type, or is none of these variants. */
  | { test: 'misfit'; variants?: readonly string[] }
  | { test: 'one_of'; values: readonly IndexValue[] }
  /** Has a value (also one that does not fit) that is none of these; with `or_absent` (Boolean) also none at all. */
  | { test: 'none_of'; values: readonly IndexValue[]; or_absent: boolean }
  /**
   * Between bounds of the same type (at least one), by code point for text; `also` and `except` join the two
   * spellings of a midnight, which are one point in time.
   */
  | {
      test: 'range'
      lower?: Bound
      upper?: Bound
      also?: readonly IndexValue[]
      except?: readonly IndexValue[]
    }
  | { test: 'prefix'; text: string }
  | { test: 'substring'; text: string }
  | TextTest
  /** Of a field of several values: they are exactly these distinct ones; `negated`: has a value that is not this set. */
  | { test: 'same_set'; values: readonly IndexValue[]; negated: boolean }

interface Bound {
  value: IndexValue
  inclusive: boolean
}
