import { type IndexEntry, indexValues } from '#src/domain/index-values.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import type { StoredItem } from '#src/storage/live/item-states.ts'
import { type AppliedValues, referencedIds } from '#src/storage/value-index/field-values.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'
import { findTargets, type ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'
import { type ItemWords, wordsOfTexts } from '#src/storage/words/item-words.ts'

/** An item as a filter sees it: what the value index and the folded texts have of it, or would have. */
export class LookedAt {
  readonly item: StoredItem
  /** Row ids. */
  readonly tags: ReadonlySet<number>
  /** By field (row id). */
  readonly entries: ReadonlyMap<number, readonly IndexEntry[]>
  private folded: { name: string; description: string | null } | undefined
  private readonly words = new Map<readonly number[], ItemWords>()

  constructor(item: StoredItem, applied: readonly AppliedValues[], targets: ReferenceTargets) {
    this.item = item
    const tags = new Set<number>()
    const entries = new Map<number, IndexEntry[]>()
    for (const { tag, values } of applied) {
      tags.add(tag.id)
      for (const [name, value] of Object.entries(values)) {
        const field = tag.rows.get(name)
        if (!field) continue
        const found = indexValues(field.kind, value, (item_id) => targets.get(item_id)?.id)
        if (found.length) entries.set(field.id, found)
      }
    }
    this.tags = tags
    this.entries = entries
  }

  get texts(): { name: string; description: string | null } {
    const { name, description } = this.item
    return (this.folded ??= {
      name: foldForSearch(name),
      description: description === null ? null : foldDescription(description),
    })
  }

  /** `fields`: those whose values are texts. */
  wordsOf(fields: readonly number[]): ItemWords {
    const known = this.words.get(fields)
    if (known) return known
    const words = wordsOfTexts({ ...this.texts, name_length: 0, values: this.textsOf(fields) })
    this.words.set(fields, words)
    return words
  }

  textsOf(fields: readonly number[]): string[] {
    return fields.flatMap((field) =>
      (this.entries.get(field) ?? []).flatMap((entry) => (entry.as === 'text' ? [entry.text] : [])),
    )
  }

  /** Row ids of what it refers to by a field. */
  referencesBy(field: number): number[] {
    return (this.entries.get(field) ?? []).flatMap((entry) => (entry.as === 'reference' ? [entry.item] : []))
  }
}

/** The items with their values as the tags of a time had them in the index. */
export async function lookedAt(
  db: Db,
  items: readonly StoredItem[],
  tagOf: (tag_id: Ulid) => Promise<IndexedTag | undefined>,
): Promise<LookedAt[]> {
  const applied: AppliedValues[][] = []
  for (const { id, tags } of items) {
    const own: AppliedValues[] = []
    for (const [tag_id, values] of tags) {
      const tag = await tagOf(tag_id)
      if (tag) own.push({ item: id, tag, values })
    }
    applied.push(own)
  }
  const targets = await findTargets(db, referencedIds(applied.flat()))
  return items.map((item, i) => new LookedAt(item, applied[i]!, targets))
}
