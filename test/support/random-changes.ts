import { runBatch } from '#src/operations/changes/run-batch.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { bulkApplyTag } from '#src/operations/items/bulk-apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRemoveTag } from '#src/operations/items/bulk-remove-tag.ts'
import { bulkRestore } from '#src/operations/items/bulk-restore.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { mergeItems } from '#src/operations/items/merge/merge-items.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import { upsertItem } from '#src/operations/items/upsert-item.ts'
import type { SqlOperation, Step } from '#src/runtime/operation.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { migrateTagValues } from '#src/operations/tags/migrate-tag-values.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import type { Random } from '#bench/random.ts'
import type { BaseState } from '#test/support/base-state.ts'

/** A call that may be refused: it is made of what there is, at random. */
export interface RandomCall {
  operation: SqlOperation | Step
  input: Record<string, unknown>
}

const TEXTS = ['a', 'b', 'c', 'Ärger', '']
const NAMES = ['One', 'Two', 'Three', 'Four']
const FIELD_NAMES = ['n', 'text', 'kind', 'to', 'list', 'extra']
const VARIANTS = ['open', 'done', 'late']
const SCHEMAS: Record<string, unknown> = {
  n: 'Number',
  text: 'String',
  kind: { type: 'Select', variants: ['open', { name: 'done', fields: { why: 'String' } }] },
  to: 'Reference',
  list: { type: 'MultiSelect', variants: ['open', 'done'] },
  extra: 'Date',
}

/** Makes calls; with `purges`, which cannot be undone, where they are wanted. */
export class RandomChanges {
  private readonly random: Random
  private readonly purges: boolean

  constructor(random: Random, { purges }: { purges: boolean }) {
    this.random = random
    this.purges = purges
  }

  next(state: BaseState): RandomCall {
    const { random } = this
    const makers = [
      () => this.ofItems(state),
      () => this.ofItems(state),
      () => this.ofEntries(state),
      () => this.ofEntries(state),
      () => this.ofMany(state),
      () => this.ofTags(state),
      () => this.renaming(state),
      () => this.combined(state),
    ]
    if (this.purges && random.chance(0.15)) return this.purging(state)
    return random.pick(makers)()
  }

  private ofItems(state: BaseState): RandomCall {
    const { random } = this
    const item_id = this.item(state)
    return random.pick<() => RandomCall>([
      () => ({ operation: createItem, input: this.newItem(state) }),
      () => ({
        operation: updateItem,
        input: { item_id, name: random.pick(NAMES), description: random.pick(TEXTS) },
      }),
      () => ({
        operation: updateItem,
        input: { item_id, description: random.chance(0.5) ? null : random.pick(TEXTS) },
      }),
      () => ({ operation: deleteItem, input: { item_id } }),
      () => ({ operation: restoreItem, input: { item_id: this.item(state, false) } }),
      () => ({
        operation: upsertItem,
        input: {
          match: { name: random.pick(NAMES) },
          description: random.pick(TEXTS),
          tags: this.tags(state),
        },
      }),
    ])()
  }

  private ofEntries(state: BaseState): RandomCall {
    const { random } = this
    const [item_id, tag_id] = [this.item(state), this.tag(state)]
    return random.pick<() => RandomCall>([
      () => ({ operation: applyTag, input: { item_id, tag: this.tagged(state, tag_id) } }),
      () => ({ operation: removeTag, input: { item_id, tag_id } }),
      () => this.update(state, item_id),
      () => this.update(state, item_id),
    ])()
  }

  private update(state: BaseState, item_id: string): RandomCall {
    const had = Object.keys(state.items[item_id]?.tags ?? {})
    const tag_id = had.length ? this.random.pick(had) : this.tag(state)
    const merge = this.random.chance(0.7)
    return {
      operation: updateTagValues,
      input: { item_id, tag_id, field_values: this.values(state, tag_id), merge },
    }
  }

  private ofMany(state: BaseState): RandomCall {
    const { random } = this
    const tag_id = this.tag(state)
    const tag = state.tags[tag_id]
    const filter = random.pick<object>([
      { search: '' },
      { name: random.pick(NAMES) },
      { has_tag: tag?.name ?? 'x' },
    ])
    return random.pick<() => RandomCall>([
      () => ({ operation: bulkCreate, input: { items: [this.newItem(state), this.newItem(state)] } }),
      () => ({ operation: bulkApplyTag, input: { filter, tag: this.tagged(state, tag_id) } }),
      () => ({ operation: bulkRemoveTag, input: { filter, tag_id } }),
      () => ({
        operation: bulkUpdateFields,
        input: { filter, tag_id, field_values: this.values(state, tag_id), merge: true },
      }),
      () => ({ operation: bulkDelete, input: { filter: { name: random.pick(NAMES) } } }),
      () => ({ operation: bulkRestore, input: { filter } }),
      () => ({ operation: migrateTagValues, input: { tag_id, drop_unfitting: random.chance(0.5) } }),
    ])()
  }

  private ofTags(state: BaseState): RandomCall {
    const { random } = this
    const tag_id = this.tag(state)
    const fields = this.fields()
    return random.pick<() => RandomCall>([
      () => ({
        operation: createTag,
        input: { name: this.tagName(), fields, description: random.pick(TEXTS) },
      }),
      () => ({ operation: updateTag, input: { tag_id, fields } }),
      () => ({
        operation: updateTag,
        input: { tag_id, name: this.tagName(), description: random.pick(TEXTS) },
      }),
      () => ({ operation: updateTag, input: { tag_id, extends: [this.tag(state)] } }),
      () => ({ operation: deleteTag, input: { tag_id } }),
      () => ({ operation: restoreTag, input: { tag_id: this.tag(state, false) } }),
    ])()
  }

  private renaming(state: BaseState): RandomCall {
    const { random } = this
    const tag_id = this.tag(state)
    const names = Object.keys(state.tags[tag_id]?.fields ?? {})
    if (names.length && random.chance(0.7))
      return {
        operation: updateTag,
        input: { tag_id, rename_fields: { [random.pick(names)]: random.pick(FIELD_NAMES) } },
      }
    const rename = { [random.pick(VARIANTS)]: random.pick(VARIANTS) }
    return {
      operation: updateTag,
      input: { tag_id, rename_variants: { [random.pick(['kind', 'list'])]: rename } },
    }
  }

  private combined(state: BaseState): RandomCall {
    const { random } = this
    if (random.chance(0.3))
      return { operation: mergeItems, input: { item_id: this.item(state), from: [this.item(state)] } }
    const operations = Array.from({ length: 2 + random.below(3) }, () => {
      const { operation, input } = random.pick([
        () => this.ofItems(state),
        () => this.ofEntries(state),
        () => this.ofMany(state),
      ])()
      return { operation: operation.name, input }
    })
    return { operation: runBatch, input: { operations, dry_run: false } }
  }

  private purging(state: BaseState): RandomCall {
    const ids = this.random.chance(0.7)
      ? { item_ids: [this.item(state, false)] }
      : { tag_ids: [this.tag(state, false)] }
    return { operation: purgeDeleted, input: ids }
  }

  private item(state: BaseState, live = true): string {
    const ids = Object.keys(state.items).filter((id) => state.items[id]!.live === live)
    return ids.length ? this.random.pick(ids) : '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
  }

  private tag(state: BaseState, live = true): string {
    const ids = Object.keys(state.tags).filter((id) => state.tags[id]!.live === live)
    return ids.length ? this.random.pick(ids) : '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
  }

  private readonly tagName = () => `Tag ${this.random.below(5)}`

  private fields(): Record<string, unknown> {
    const names = FIELD_NAMES.filter(() => this.random.chance(0.6))
    return Object.fromEntries(
      names.map((name) => [
        name,
        this.random.chance(0.8) ? SCHEMAS[name] : this.random.pick(Object.values(SCHEMAS)),
      ]),
    )
  }

  private newItem(state: BaseState): Record<string, unknown> {
    const { random } = this
    return { name: random.pick(NAMES), description: random.pick([...TEXTS, null]), tags: this.tags(state) }
  }

  private tags(state: BaseState): object[] {
    return this.random.chance(0.6) ? [this.tagged(state, this.tag(state))] : []
  }

  private tagged(state: BaseState, tag_id: string): { tag_ref: object; field_values: object } {
    if (this.random.chance(0.1))
      return { tag_ref: { New: { name: this.tagName(), fields: this.fields() } }, field_values: {} }
    return { tag_ref: { Existing: tag_id }, field_values: this.values(state, tag_id) }
  }

  private values(state: BaseState, tag_id: string): Record<string, unknown> {
    const { random } = this
    const fields = Object.entries(state.tags[tag_id]?.fields ?? {}).filter(() => random.chance(0.6))
    return Object.fromEntries(fields.map(([name, schema]) => [name, this.value(state, schema)]))
  }

  private value(state: BaseState, schema: unknown): unknown {
    const { random } = this
    if (random.chance(0.15)) return null
    const variants = (schema as { variants?: unknown[] }).variants?.map((each) =>
      typeof each === 'string' ? each : (each as { name: string }).name,
    )
    if (variants && (schema as { type: string }).type === 'Select') return { variant: random.pick(variants) }
    if (variants) return variants.filter(() => random.chance(0.5))
    if (schema === 'Number') return random.below(4)
    if (schema === 'String') return random.pick(TEXTS)
    if (schema === 'Date') return random.pick(['2026-01-01', '2026-02-01'])
    return this.item(state)
  }
}
