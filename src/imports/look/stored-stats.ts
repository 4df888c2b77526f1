import { chosenVariant } from '#src/domain/field-values.ts'
import { fileIdOf } from '#src/domain/file-values.ts'
import { type FieldType } from '#src/domain/field-schema.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { GuessedColumn } from '#src/imports/look/guessed-column.ts'
import { plainOf } from '#src/imports/values/stored-value.ts'

/** Ids that are remembered, to see whether they are those of items. */
const MOST_IDS = 1000
const MOST_VARIANTS = 300
const SAMPLES = 5
const LONGEST_SAMPLE = 200
const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Sees the values that a field of ours had: what it was is in their shape, but for what all texts have. */
export class StoredStats {
  private readonly counts = new Map<FieldType | 'empty' | 'id' | 'ids', number>()
  private count = 0
  private readonly samples = new Set<string>()
  private readonly variants = new Set<string>()
  private readonly ids = new Set<string>()

  take(stored: unknown): void {
    this.count++
    const kind = this.kindOf(stored)
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    if (this.samples.size < SAMPLES) this.samples.add(String(plainOf(stored)).slice(0, LONGEST_SAMPLE))
  }

  guess(): GuessedColumn {
    const samples = [...this.samples].filter(Boolean)
    const isAll = (...kinds: readonly (FieldType | 'empty' | 'id' | 'ids')[]) =>
      kinds.reduce((sum, kind) => sum + (this.counts.get(kind) ?? 0), 0) === this.count
    if (isAll('empty')) return { type: 'MultiReference', samples }
    for (const type of ['Number', 'Boolean', 'Date', 'DateTime'] as const)
      if (isAll(type)) return { type, samples }
    if (isAll('File', 'empty')) return { type: 'File', samples }
    const variants = this.variants.size <= MOST_VARIANTS ? [...this.variants] : []
    const choice = (type: 'Select' | 'MultiSelect') => ({
      type,
      samples,
      ...(variants.length && { variants }),
    })
    if (isAll('Select')) return choice('Select')
    const ids = this.ids.size ? { ids: [...this.ids] } : {}
    if (isAll('ids', 'empty')) return { ...choice('MultiSelect'), ...ids }
    if (isAll('ids', 'MultiSelect', 'empty')) return choice('MultiSelect')
    return { type: 'String', samples, ...(isAll('id') && ids) }
  }

  private kindOf(stored: unknown): FieldType | 'empty' | 'id' | 'ids' {
    if (typeof stored === 'number') return 'Number'
    if (typeof stored === 'boolean') return 'Boolean'
    if (typeof stored === 'string') return this.kindOfText(stored)
    const variant = chosenVariant(stored)
    if (variant !== null) {
      this.takeVariant(variant)
      return 'Select'
    }
    if (!Array.isArray(stored)) return 'String'
    return stored.length ? this.kindOfList(stored) : 'empty'
  }

  private kindOfText(text: string): FieldType | 'id' {
    if (DATE.test(text)) return 'Date'
    if (MOMENT.test(text)) return 'DateTime'
    return this.takeId(text) ? 'id' : 'String'
  }

  private kindOfList(list: readonly unknown[]): FieldType | 'ids' {
    if (list.every((each) => fileIdOf(each) !== null)) return 'File'
    if (!list.every((each) => typeof each === 'string')) return 'String'
    for (const each of list) this.takeVariant(each)
    return list.every((each) => this.takeId(each)) ? 'ids' : 'MultiSelect'
  }

  private takeVariant(variant: string): void {
    if (this.variants.size <= MOST_VARIANTS) this.variants.add(variant)
  }

  private takeId(text: string): boolean {
    const id = parseUlid(text)
    if (id !== null && this.ids.size < MOST_IDS) this.ids.add(id)
    return id !== null
  }
}
