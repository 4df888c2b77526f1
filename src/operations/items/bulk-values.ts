import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { invalid, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { fieldValueChanges, type FieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { mergeFieldValues } from '#src/domain/merge-field-values.ts'
import { missingTargets } from '#src/operations/items/accept-values.ts'
import type { Db } from '#src/sql/query.ts'
import type { ItemWithTag } from '#src/storage/items/item-tags.ts'
import { findTargets, type ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** What one item gets out of values that are given to many. */
export interface PlannedValues extends FieldValueChanges {
  item: ItemWithTag
  before: FieldValues
  after: FieldValues
  /** False where neither values nor version move. */
  changed: boolean
}

/**
 * Values given to many items at once: checked once for what holds for every item, and once more for each item where
 * its own values decide (sub-fields, unchanged references, fields that have left the schema).
 */
export class BulkValues {
  readonly targets: ReferenceTargets
  private readonly tag: StoredTag
  private readonly given: FieldValues
  private readonly merge: boolean
  private readonly problems: Problem[] = []
  private planned = 0
  /** Nulls for fields that the schema does not have: right where an item has them still. */
  private readonly strays: Map<string, { met: boolean }>

  private constructor(
    tag: StoredTag,
    given: FieldValues,
    merge: boolean,
    targets: ReferenceTargets,
    strays: Map<string, { met: boolean }>,
  ) {
    this.tag = tag
    this.given = given
    this.merge = merge
    this.targets = targets
    this.strays = strays
  }

  /** @throws BadRequest with every fault that the values have on any item */
  static async check(db: Db, tag: StoredTag, given: FieldValues, merge: boolean): Promise<BulkValues> {
    const strays = straysOf(tag, given, merge)
    const { problems, values, references } = checkFieldValues(tag.schema, without(given, strays))
    if (!merge) problems.push(...checkSubFields(tag.schema, values, values))
    if (problems.length) throw invalid(problems)
    const targets = await findTargets(
      db,
      references.map(({ item_id }) => item_id),
    )
    return new BulkValues(tag, { ...given, ...values }, merge, targets, strays)
  }

  plan(item: ItemWithTag): PlannedValues {
    const { tag, merge } = this
    this.planned++
    const before = JSON.parse(item.field_values) as FieldValues
    const given = this.givenFor(before)
    const after = merge ? mergeFieldValues(tag.schema, before, given) : given
    const { references } = checkFieldValues(tag.schema, given, { stored: before, merge })
    this.fault(item, missingTargets(references, this.targets))
    if (merge) this.fault(item, checkSubFields(tag.schema, given, after))
    const changes = fieldValueChanges(before, after)
    const changed = changes.fields_changed.length > 0 || item.schema_version !== tag.schema_version
    return { item, before, after, changed, ...changes }
  }

  /** To be called at the end. @throws BadRequest where one item does not take the values */
  finish(): void {
    for (const [name, { met }] of this.strays)
      if (!met) this.problems.push(...checkFieldValues(this.tag.schema, { [name]: null }).problems)
    if (!this.planned) {
      const { references } = checkFieldValues(this.tag.schema, without(this.given, this.strays))
      this.problems.push(...missingTargets(references, this.targets))
    }
    this.throwProblems()
  }

  get failed(): boolean {
    return this.problems.length > 0
  }

  private givenFor(before: FieldValues): FieldValues {
    if (!this.strays.size) return this.given
    const absent = new Map(this.strays)
    for (const [name, stray] of this.strays)
      if (Object.hasOwn(before, name)) {
        stray.met = true
        absent.delete(name)
      }
    return without(this.given, absent)
  }

  private fault({ item_id }: ItemWithTag, problems: readonly Problem[]): void {
    for (const { path, message } of problems)
      this.problems.push({ path, message: `${message} (item '${item_id}')` })
    if (this.problems.length >= MAX_PROBLEMS) this.throwProblems()
  }

  private throwProblems(): void {
    if (this.problems.length) throw invalid(this.problems)
  }
}

const straysOf = (tag: StoredTag, given: FieldValues, merge: boolean) =>
  new Map(
    merge
      ? Object.keys(given)
          .filter((name) => given[name] === null && !tag.schema.has(name))
          .map((name) => [name, { met: false }])
      : [],
  )

const without = (values: FieldValues, names: ReadonlyMap<string, unknown>): FieldValues =>
  names.size ? Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name))) : values
