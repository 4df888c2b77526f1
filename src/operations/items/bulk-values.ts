import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { idsIn } from '#src/domain/convert-value.ts'
import type { KnownFiles } from '#src/domain/file-values.ts'
import { isEdit } from '#src/domain/edit-value.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { fieldValueChanges, type FieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { mergeFieldValues } from '#src/domain/merge-field-values.ts'
import { missingTargets, takenForInherited, textsOf } from '#src/operations/items/accept-values.ts'
import { knownFiles } from '#src/operations/files/known-files.ts'
import { faultsOfNamedFiles } from '#src/operations/files/named-files.ts'
import { type Sourced, ValueSources } from '#src/operations/items/value-sources.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import type { ItemWithTag } from '#src/storage/items/item-tags.ts'
import { findTargets, type ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** Faults of items that are named at once. */
const MAX_NAMED = 20

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
  private readonly removedFieldNulls: Map<string, { found: boolean }>
  /** What each item gets by itself: edits of what it has, and what is taken from elsewhere. */
  private readonly edits: ReadonlySet<string>
  private readonly sources: ValueSources
  private readonly caller: SqlContext['caller']
  private readonly files: KnownFiles

  private constructor(
    { caller }: SqlContext,
    files: KnownFiles,
    tag: StoredTag,
    given: FieldValues,
    merge: boolean,
    targets: ReferenceTargets,
    removedFieldNulls: Map<string, { found: boolean }>,
    sources: ValueSources,
  ) {
    this.caller = caller
    this.files = files
    this.tag = tag
    this.given = given
    this.merge = merge
    this.targets = targets
    this.removedFieldNulls = removedFieldNulls
    this.sources = sources
    this.edits = new Set(
      merge ? Object.keys(given).filter((name) => isEdit(tag.schema.get(name), given[name])) : [],
    )
  }

  /**
   * For these items (row ids), before anything of them is changed.
   * @throws BadRequest with every fault that the values have on any item
   */
  static async check(
    context: SqlContext,
    items: readonly number[],
    { tag, given, merge }: { tag: StoredTag; given: FieldValues; merge: boolean },
  ): Promise<BulkValues> {
    const removedFieldNulls = removedFieldNullsOf(tag, given, merge)
    const { sources, problems: unbound } = await ValueSources.bind(context, tag, given)
    const own = without(without(given, removedFieldNulls), sources.fields)
    const files = await knownFiles(context, [[tag.schema, own]])
    const above = await takenForInherited(context, tag, own)
    const { problems, values, references } = checkFieldValues(tag.schema, own, { merge, files, above })
    if (!merge && !sources.fields.size) problems.push(...checkSubFields(tag.schema, values, values))
    problems.push(...unbound)
    if (problems.length) throw invalid(problems)
    const targets = await findTargets(
      context.db,
      references.map(({ item_id }) => item_id),
    )
    await sources.prepare(context.db, items)
    // An edit is worked out for each item.
    const kept = Object.entries(values).filter(
      ([name]) => !(merge && isEdit(tag.schema.get(name), given[name])),
    )
    const all = { ...without(given, sources.fields), ...Object.fromEntries(kept) }
    return new BulkValues(context, files, tag, all, merge, targets, removedFieldNulls, sources)
  }

  /** Fields that items get different values for. */
  get varying(): ReadonlySet<string> {
    return this.edits.union(this.sources.fields)
  }

  /** Whether what an item gets depends on nothing but the item and what is given. */
  get standAlone(): boolean {
    return !this.sources.fields.size && !this.removedFieldNulls.size
  }

  /** This many items were planned elsewhere. */
  pass(items: number): void {
    this.planned += items
  }

  async planAll(db: Db, items: readonly ItemWithTag[]): Promise<PlannedValues[]> {
    const planned = await this.planEach(db, items)
    await this.checkTexts(db, planned)
    return planned
  }

  private async planEach(db: Db, items: readonly ItemWithTag[]): Promise<PlannedValues[]> {
    if (!this.sources.fields.size)
      return items.map((item) => this.plan(item, { values: {}, problems: [] }, this.targets, this.files))
    const valuesOf = await this.sources.load(
      db,
      items.map(({ item }) => item),
    )
    const loaded = new Map(items.map(({ item }) => [item, valuesOf(item)]))
    const found = await findTargets(
      db,
      new Set([...loaded.values()].flatMap(({ values }) => [...idsIn(values)])),
    )
    const targets = new Map([...this.targets, ...found])
    const taken = await knownFiles(
      { db, caller: this.caller },
      [...loaded.values()].map(({ values }) => [this.tag.schema, values] as const),
    )
    const files = new Map([...this.files, ...taken])
    return items.map((item) => this.plan(item, loaded.get(item.item)!, targets, files))
  }

  private plan(
    item: ItemWithTag,
    taken: Sourced,
    targets: ReferenceTargets,
    files: KnownFiles,
  ): PlannedValues {
    const { tag, merge } = this
    this.planned++
    this.fault(item, taken.problems)
    const before = JSON.parse(item.field_values) as FieldValues
    const given = { ...this.givenFor(before), ...taken.values }
    const { problems, references, values } = checkFieldValues(tag.schema, given, {
      stored: before,
      merge,
      files,
    })
    if (this.varying.size) this.fault(item, problems)
    const after = merge ? mergeFieldValues(tag.schema, before, values) : values
    this.fault(item, missingTargets(references, targets))
    if (merge || this.sources.fields.size) this.fault(item, checkSubFields(tag.schema, values, after))
    const changes = fieldValueChanges(before, after)
    const changed = changes.fields_changed.length > 0 || item.schema_version !== tag.schema_version
    return { item, before, after, changed, ...changes }
  }

  /** What the items get of texts, before it is written. */
  private async checkTexts(db: Db, planned: readonly PlannedValues[]): Promise<void> {
    const { caller, tag } = this
    const faults = await faultsOfNamedFiles({ db, caller }, () =>
      planned.map(({ before, after }) => ({
        path: 'field_values.',
        texts: textsOf(tag.schema, after),
        stored: before,
      })),
    )
    for (const [i, problems] of faults.entries()) this.fault(planned[i]!.item, problems)
  }

  /** When all items were planned or passed. @throws BadRequest where one item does not take the values */
  finish(): void {
    for (const [name, { found }] of this.removedFieldNulls)
      if (!found) this.problems.push(...checkFieldValues(this.tag.schema, { [name]: null }).problems)
    if (!this.planned) {
      const { references } = checkFieldValues(this.tag.schema, without(this.given, this.removedFieldNulls), {
        merge: this.merge,
        files: this.files,
      })
      this.problems.push(...missingTargets(references, this.targets))
    }
    this.throwProblems()
  }

  get failed(): boolean {
    return this.problems.length > 0
  }

  private givenFor(before: FieldValues): FieldValues {
    if (!this.removedFieldNulls.size) return this.given
    const absent = new Map(this.removedFieldNulls)
    for (const [name, removed] of this.removedFieldNulls)
      if (Object.hasOwn(before, name)) {
        removed.found = true
        absent.delete(name)
      }
    return without(this.given, absent)
  }

  private fault({ item_id, name }: ItemWithTag, problems: readonly Problem[]): void {
    for (const { path, message } of problems)
      this.problems.push({ path, message: `${message} (item '${item_id}', ${JSON.stringify(name)})` })
    if (this.problems.length >= MAX_NAMED) this.throwProblems()
  }

  private throwProblems(): void {
    if (this.problems.length) throw invalid(this.problems)
  }
}

const removedFieldNullsOf = (tag: StoredTag, given: FieldValues, merge: boolean) =>
  new Map(
    merge
      ? Object.keys(given)
          .filter((name) => given[name] === null && !tag.schema.has(name))
          .map((name) => [name, { found: false }])
      : [],
  )

const without = (values: FieldValues, names: ReadonlySetLike<string>): FieldValues =>
  names.size ? Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name))) : values
