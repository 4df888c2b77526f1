import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import type { TimesBetween } from '#src/filter/language/changed-form.ts'
import type { CountTest } from '#src/filter/language/reverse-form.ts'
import type { OperatorName } from '#src/filter/language/operators.ts'
import type { SearchForm } from '#src/filter/language/search-form.ts'
import type { Column } from '#src/filter/language/subject.ts'

/** A filter as it was written, its structure proven, its names not yet resolved. */
export type FilterTree<Leaf = LeafTree> =
  | { kind: 'and' | 'or'; children: readonly FilterTree<Leaf>[] }
  | { kind: 'not'; child: FilterTree<Leaf> }
  | Leaf

/** `path` is where the leaf is in the input. */
export type LeafTree =
  | PlainLeaf
  /** null: any tag at all is lacking. `exact`: one that extends it does not count. */
  | { kind: 'has_tag'; tag: string | null; exact: boolean; path: string }
  | { kind: 'changed'; between: TimesBetween; path: string }
  | { kind: 'field'; reference: string; key: string; test: FieldTest; path: string }
  /** `reference` is the segment before the arrow, `Tag.ref_field`; `key` the whole key. */
  | { kind: 'hop'; reference: string; key: string; target: LeafTree; path: string }
  /** Items that refer by `reference`; `filter` undefined: whichever. */
  | {
      kind: 'reverse'
      reference: string
      key: string
      filter: FilterTree | undefined
      count: CountTest | undefined
      path: string
    }

/** What needs no names: the leaves that filters of tags have too, which know no columns but texts. */
export type PlainLeaf =
  | ({ kind: 'search' } & SearchForm)
  | { kind: 'column'; column: Column; test: FieldTest; path: string }

/**
 * A bare value is `eq`. `given` is the value as it was written, for filters that are written back; once it is bound,
 * the operand's relative times are absolute.
 */
export interface FieldTest {
  operator: OperatorName
  operand: unknown
  given: unknown
}

/** `tree` lacks what is faulty; it is undefined where nothing is left. */
export interface ParsedFilter<Leaf = LeafTree> {
  tree: FilterTree<Leaf> | undefined
  faults: FilterFault[]
  /** What tags would be called that keys with `<-` name, if there are such tags: then the keys are to be read by them. */
  possibleNames: ReadonlySet<string>
}
