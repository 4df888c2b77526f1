import type { TimesBetween } from '#src/filter/language/changed-form.ts'
import type { SearchForm } from '#src/filter/language/search-form.ts'
import type { CountTest } from '#src/filter/language/reverse-form.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import type { Column } from '#src/filter/language/subject.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { CatalogTag } from '#src/filter/meaning/tag-catalog.ts'

/** A filter whose names are resolved and whose tests are as they were written: for words, defaults and views. */
export type BoundFilter =
  | { kind: 'and' | 'or'; children: readonly BoundFilter[] }
  | { kind: 'not'; child: BoundFilter }
  | BoundLeaf

export type BoundLeaf =
  /** `fields`: row ids of those whose values are searched, where they are. */
  | ({ kind: 'search'; fields?: readonly number[] } & SearchForm)
  /** `tags`: row ids of the tag and, unless it is `exact`, of all that extend it; `tag` null: none at all. */
  | { kind: 'has_tag'; tag: CatalogTag | null; exact: boolean; tags: readonly number[] }
  /** `from` and `before` are whole milliseconds. */
  | { kind: 'changed'; between: TimesBetween; from: number; before: number }
  | { kind: 'column'; column: Column; test: FieldTest; path: string }
  | { kind: 'field'; reference: FieldReference; test: FieldTest; path: string }
  | { kind: 'hop'; reference: FieldReference & { field: BoundField }; target: BoundLeaf }
  /** Items that refer by `reference` and satisfy `filter` (undefined: any): this many, or some. */
  | {
      kind: 'reverse'
      reference: FieldReference & { field: BoundField }
      filter: BoundFilter | undefined
      count: CountTest | undefined
    }

/** `Tag.field`; `field` is undefined where the tag's schema has none of that name. */
export interface FieldReference {
  tag: CatalogTag
  name: string
  field: BoundField | undefined
  /** `Base.field`, where the tag has no such field, but one that it extends has: nothing is inherited. */
  above?: string | undefined
}
