import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import type { Column } from '#src/filter/language/subject.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { CatalogTag } from '#src/filter/meaning/tag-catalog.ts'

/** A filter whose names are resolved and whose tests stand as they were written: for words, defaults and views. */
export type BoundFilter =
  | { kind: 'and' | 'or'; children: readonly BoundFilter[] }
  | { kind: 'not'; child: BoundFilter }
  | BoundLeaf

export type BoundLeaf =
  | { kind: 'search'; text: string }
  /** `tags`: row ids of the tag and all that extend it. */
  | { kind: 'has_tag'; tag: CatalogTag; tags: readonly number[] }
  | { kind: 'column'; column: Column; test: FieldTest; path: string }
  | { kind: 'field'; reference: FieldReference; test: FieldTest; path: string }
  | { kind: 'hop'; reference: FieldReference & { field: BoundField }; target: BoundLeaf }

/** `Tag.field`; `field` is undefined where the tag's schema has none of that name. */
export interface FieldReference {
  tag: CatalogTag
  name: string
  field: BoundField | undefined
}
