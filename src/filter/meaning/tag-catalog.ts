import type { FieldType, SubFieldParent } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { RequestTime } from '#src/filter/language/relative-time.ts'

/** What a filter's names are resolved by: the tags as they are now, deleted ones unknown. Storage implements it. */
export interface TagCatalog {
  /** What relative times go by. */
  readonly time: RequestTime
  byId(tag_id: Ulid): Promise<CatalogTag | undefined>
  byName(name: string): Promise<CatalogTag | undefined>
  /** Names of all tags, for "did you mean". */
  names(): Promise<readonly string[]>
  /** Row ids of all fields whose values are texts: what somebody wrote, or variants by their names. */
  textFields(): Promise<readonly number[]>
  /** Row ids of the tag itself and of every tag that extends it, over any number of levels. */
  extending(tag: CatalogTag): Promise<readonly number[]>
  /** The tags that it extends itself: their fields are no fields of its own, and somebody may take them for it. */
  bases(tag: CatalogTag): Promise<readonly CatalogTag[]>
  /** Row ids of items that exist, are deleted or have been purged (a reference may still point at them); others are left out. */
  itemRowIds(item_ids: readonly Ulid[]): Promise<ReadonlyMap<Ulid, number>>
}

export interface CatalogTag {
  /** Row id. */
  readonly id: number
  readonly tag_id: Ulid
  readonly name: string
  /** Fields and sub-fields of the current schema by name, in the schema's order. */
  readonly fields: ReadonlyMap<string, CatalogField>
  /** Fields that have left the schema, by name: items may still have values of them. */
  readonly left?: ReadonlyMap<string, CatalogField>
}

export interface CatalogField {
  /** Row id in `field`. */
  readonly id: number
  readonly name: string
  readonly type: FieldType
  /** Names in order of a Select or MultiSelect; empty for other types. */
  readonly variants: readonly string[]
  /** Of a sub-field: the Selects and their variants under which it may have a value. */
  readonly parents?: readonly SubFieldParent[] | undefined
}
