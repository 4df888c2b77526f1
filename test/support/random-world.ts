import { createHash } from 'node:crypto'
import { searchAuditLog } from '#src/operations/audit/search-audit-log.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { FIELD_TYPES } from '#src/domain/field-schema.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { getTag } from '#src/operations/tags/get-tag.ts'
import { migrateTagValues } from '#src/operations/tags/migrate-tag-values.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { type Transactional, withinTransaction } from '#src/engine/transaction.ts'
import type { Db } from '#src/sql/query.ts'
import { holdFiles } from '#src/storage/files/file-uses.ts'
import { addFile } from '#src/storage/files/files.ts'
import type { Base } from '#test/support/base.ts'
import { Chance } from '#test/support/chance.ts'
import { deleteAsOneOfMany } from '#test/support/delete-as-one-of-many.ts'
import type { OracleItem, OracleTag, World } from '#test/support/oracle.ts'

type Values = Record<string, unknown>
type Fields = Record<string, unknown>
interface Variant {
  name: string
  fields?: Fields
}

/** A little more than what an index of PostgreSQL holds of a text. */
const LONG = 'long 😀 '.repeat(72)
/** What names, texts and variants are made of; filters draw from the same, so that they meet. */
export const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'open',
  'Öffnen',
  'öFFNEN',
  'ΟΔΥΣΣΕΥΣ',
  'οδυσσεύς',
  'straße STRAẞE',
  'İstanbul ısı',
  '100%',
  '100_',
  'a%b_c*',
  `it's "quoted"`,
  '<p>back\\slash</p>',
  'line\nbreak',
  '<p>S&eacute;o &amp; <b>Tom</b>e\u0301</p><p>x</p>',
  '😀 smile',
  'ﬁ ligature',
  '\uffee end',
  '10',
  'true',
  '2024-02-29',
  '2024-02-29T00:00:00',
  '2024-02-29T12:30:00',
  '2024-03-01',
  '2023-02-29',
  '2024-02-29 x',
  '2024-02-29T12:30Z',
  '2024-02-29T14:30:00.000+02:00',
  '2024-02-29T12:30:00.0005Z',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:30:00-01:00',
  '2024-02-29T24:00:00',
  '0000-01-01',
  LONG,
  `${LONG}\uffee`,
  `${LONG}😀`,
] as const
export const NUMBERS = [0, 1, -1, 2, 10, 1.5, -3.25, 0.1 + 0.2, 1e21, 5e-324, 2 ** 53 - 1] as const
export const DATES = ['2024-02-29', '2024-03-01', '2023-12-31', '0000-01-01', '9999-12-31'] as const
export const DATE_TIMES = [
  '2024-02-29T00:00:00.000Z',
  '2024-02-29T12:30:00.000Z',
  '2024-02-29T12:30:00.001Z',
  '2024-02-29T14:30+02:00',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
] as const
export const VARIANTS = [
  'open',
  'doing',
  'done',
  'Öffnen',
  'a%b',
  `it's`,
  '😀',
  `${LONG}1`,
  `${LONG}2`,
] as const
const MAX_NAME = 1000
const FIRST_ID = '0'.repeat(26)
const FIELD_NAMES = [
  'text',
  'n',
  'flag',
  'day',
  'ref',
  'other ref',
  'refs',
  'moment',
  'files',
  'status',
  'set',
  'constructor',
  `we"ird 'ö%_`,
]
const TAG_NAMES = ['Task', 'A', 'A.b', `O'Neil "q"`, '100%_', 'Ünï 😀']

/** What a field of such a name mostly is. */
const USUAL = new Map<string, (typeof FIELD_TYPES)[number]>([
  ['ref', 'Reference'],
  ['other ref', 'Reference'],
  ['refs', 'MultiReference'],
  ['moment', 'DateTime'],
  ['status', 'Select'],
  ['files', 'File'],
])

/**
 * Tags, items and values after a random history, made by the service's own operations: schemas that changed under
 * values, variants that were retired, items and tags that were deleted, restored, purged. Where the seed is odd, the
 * indexes still have some of what was deleted.
 */
export async function randomWorld(base: Base, seed: number, items = 36): Promise<World> {
  const world = new WorldMaker(base, new Chance(seed).next, seed % 2 ? deleteAsOneOfMany : deleteItem)
  await world.begin(items)
  for (let i = 0; i < 60; i++) await world.change()
  await world.strand()
  return world.snapshot()
}

/** The same change by change, with nothing purged: each state can be asked of the log. */
export async function randomHistory(base: Base, seed: number, items = 24) {
  const world = new WorldMaker(base, new Chance(seed).next, seed % 2 ? deleteAsOneOfMany : deleteItem, false)
  await world.begin(items)
  return world
}

/** Files that everybody reads, whatever refers to them. */
const UNKNOWN_USER = '01JJXZ5T7GQ3M8K4B9R2C6D0FZ'
/** Of one byte each, `fileText`, which no store has. */
export const FILE_IDS = ['A', 'B', 'C', 'D'].map((each) => `01JJXZ5T7GQ3M8K4B9R2C6D0F${each}`)
export const fileText = (file_id: string): string => file_id.at(-1)!

async function addFiles(db: Db): Promise<void> {
  const made = { user_id: UNKNOWN_USER, size: 1, type: 'text/plain', created_at: '2026-01-01T00:00:00.000Z' }
  for (const file_id of FILE_IDS) {
    const sha256 = createHash('sha256').update(fileText(file_id)).digest('hex')
    await addFile(db, { file_id, blob: file_id, name: `${file_id}.txt`, sha256, ...made })
  }
  await holdFiles(db, FILE_IDS, 'test', { shared: true })
}

class WorldMaker {
  private readonly base: Base
  private readonly random: () => number
  private readonly deleteOther: typeof deleteItem
  private readonly purges: boolean
  private readonly tagIds: string[] = []
  private readonly itemIds: string[] = []

  constructor(base: Base, random: () => number, deleteOther: typeof deleteItem, purges = true) {
    this.purges = purges
    this.base = base
    this.deleteOther = deleteOther
    this.random = random
  }

  private below = (limit: number) => Math.floor(this.random() * limit)
  private chance = (probability: number) => this.random() < probability
  private pick = <T>(list: readonly T[]): T => list[this.below(list.length)]!
  /** In an order of their own, none twice. */
  private some = <T>(list: readonly T[], most: number): T[] => {
    const chosen = new Set<number>()
    const count = Math.min(this.below(most + 1), list.length)
    while (chosen.size < count) chosen.add(this.below(list.length))
    return [...chosen].map((index) => list[index]!)
  }

  async begin(items: number): Promise<void> {
    const db = this.base.db as Transactional
    await withinTransaction(db, db.dialect.begin.write, () => addFiles(db))
    for (const name of TAG_NAMES) {
      const extended = this.chance(0.5) ? this.some(this.tagIds, 2) : []
      const { tag_id } = await this.base.run(createTag, { name, fields: this.fields(), extends: extended })
      this.tagIds.push(tag_id)
    }
    // A tag that is named like the id of another.
    const { tag_id } = await this.base.run(createTag, { name: this.tagIds[0]!, fields: this.fields() })
    this.tagIds.push(tag_id)
    // In three steps, so that later items can refer to earlier ones.
    for (let step = 0; step < 3; step++) {
      const list = await Promise.all(Array.from({ length: Math.ceil(items / 3) }, () => this.item()))
      const made = await this.base.run(bulkCreate, { items: list })
      this.itemIds.push(...made.map(({ item_id }) => item_id))
    }
  }

  /** Whatever is refused (a tag that is there already, a sub-field without its variant) changes nothing. */
  async change(): Promise<void> {
    try {
      await this.pick(this.changes)()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }

  private readonly changes: (() => Promise<unknown>)[] = [
    () => this.base.run(updateItem, { item_id: this.pick(this.itemIds), name: this.name() }),
    () => this.base.run(updateItem, { item_id: this.pick(this.itemIds), description: this.text() }),
    () => this.base.run(updateItem, { item_id: this.pick(this.itemIds), description: null }),
    () => this.reschema(),
    () => this.rename(),
    () => this.rename(),
    () =>
      this.base.run(migrateTagValues, { tag_id: this.pick(this.tagIds), drop_unfitting: this.chance(0.3) }),
    () => this.reschema(),
    () => this.reschema(),
    () => this.revalue(),
    () => this.revalue(),
    () => this.revalue(),
    () => this.tagItem(),
    () => this.base.run(removeTag, { item_id: this.pick(this.itemIds), tag_id: this.pick(this.tagIds) }),
    () => this.base.run(deleteItem, { item_id: this.pick(this.itemIds) }),
    () => this.base.run(this.deleteOther, { item_id: this.pick(this.itemIds) }),
    () => this.base.run(restoreItem, { item_id: this.pick(this.itemIds) }),
    () =>
      this.purges ? this.base.run(purgeDeleted, { item_ids: [this.pick(this.itemIds)] }) : this.revalue(),
    () => (this.chance(0.3) ? this.base.run(deleteTag, { tag_id: this.pick(this.tagIds) }) : this.reschema()),
    () => this.base.run(restoreTag, { tag_id: this.pick(this.tagIds) }),
    () => this.base.run(updateTag, { tag_id: this.pick(this.tagIds), name: `Renamed ${this.below(1000)}` }),
    () => this.base.run(updateTag, { tag_id: this.pick(this.tagIds), extends: this.some(this.tagIds, 2) }),
  ]

  async snapshot(): Promise<World> {
    const tags = await this.found((tag_id) => this.base.run(getTag, { tag_id }), this.tagIds)
    const events = await this.events()
    const items = await this.found((item_id) => this.base.run(getItem, { item_id }), this.itemIds)
    return {
      tags: tags as unknown as OracleTag[],
      items: items.map((item) => ({
        ...item,
        events: events.get(item.item_id) ?? [],
      })) as unknown as OracleItem[],
      known: new Set(this.itemIds),
    }
  }

  /** The times of the events of each item. */
  private async events(): Promise<Map<string, string[]>> {
    const events = new Map<string, string[]>()
    for (let after_event = FIRST_ID; ;) {
      const page = await this.base.run(searchAuditLog, { after_event, limit: 1000 })
      for (const { item_id, created_at } of page)
        if (item_id !== null) events.set(item_id, [...(events.get(item_id) ?? []), created_at])
      if (page.length < 1000) return events
      after_event = page.at(-1)!.event_id
    }
  }

  private async found<T>(get: (id: string) => Promise<T>, ids: readonly string[]): Promise<T[]> {
    const all: T[] = []
    for (const id of ids)
      try {
        all.push(await get(id))
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'NotFound')) throw error
      }
    return all
  }

  private text = (): string => {
    const text = this.pick(TEXTS)
    return this.chance(0.2) ? text + this.pick(TEXTS) : text
  }

  private name = (): string => this.text().trim().slice(0, MAX_NAME) || 'x'

  private async item() {
    const entries = []
    for (const tag_id of this.some(this.tagIds, this.tagIds.length)) {
      const { fields } = await this.base.run(getTag, { tag_id })
      entries.push({ tag_ref: { Existing: tag_id }, field_values: this.values(fields) })
    }
    return {
      name: this.chance(0.9) ? this.name() : 'x',
      ...(this.chance(0.6) && { description: this.text() }),
      tags: entries,
    }
  }

  private async reschema() {
    const tag_id = this.pick(this.tagIds)
    const { fields } = await this.base.run(getTag, { tag_id })
    return this.base.run(updateTag, { tag_id, fields: this.changed(fields) })
  }

  private async rename() {
    const tag_id = this.pick(this.tagIds)
    const { fields } = await this.base.run(getTag, { tag_id })
    const field = this.pick(Object.keys(fields))
    const [variant] = (fields[field] as { variants?: (string | Variant)[] }).variants ?? []
    const old = typeof variant === 'object' ? variant.name : variant
    return this.chance(0.5) && old !== undefined
      ? this.base.run(updateTag, { tag_id, rename_variants: { [field]: { [old]: this.pick(VARIANTS) } } })
      : this.base.run(updateTag, { tag_id, rename_fields: { [field]: this.pick(FIELD_NAMES) } })
  }

  /** Of some tags the sub-fields are those of other variants, and have fewer variants themselves: values stay outside. */
  async strand(): Promise<void> {
    for (const tag_id of this.tagIds) {
      if (this.chance(0.3)) continue
      const tag = await this.base.run(getTag, { tag_id }).catch(() => undefined)
      if (!tag) continue
      const fields = Object.entries(tag.fields as Fields).map(([name, schema]) => [
        name,
        this.stranded(schema),
      ])
      await this.base.run(updateTag, { tag_id, fields: Object.fromEntries(fields) })
    }
  }

  private stranded(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null || !('variants' in schema)) return schema
    const variants = schema.variants as (string | Variant)[]
    const under = variants.map((each) => (typeof each === 'object' ? each.fields : undefined))
    const moved = variants.map((each, i) => {
      const [name, left] = [typeof each === 'object' ? each.name : each, under.at(i - 1)]
      if (!left) return name
      const fields = Object.entries(left).map(([field, sub]) => [field, this.shuffled(this.stranded(sub))])
      return { name, fields: Object.fromEntries(fields) as Fields }
    })
    return { ...schema, variants: moved }
  }

  private async revalue() {
    const [item_id, merge] = [this.pick(this.itemIds), this.chance(0.6)]
    const tag_id = this.pick(Object.keys((await this.base.run(getItem, { item_id })).data))
    if (tag_id === undefined) return
    const { fields } = await this.base.run(getTag, { tag_id })
    const values = Object.entries(this.values(fields)).filter(() => !merge || this.chance(0.5))
    await this.base.run(updateTagValues, { item_id, tag_id, merge, field_values: Object.fromEntries(values) })
  }

  private async tagItem() {
    const tag_id = this.pick(this.tagIds)
    const { fields } = await this.base.run(getTag, { tag_id })
    const tag = { tag_ref: { Existing: tag_id }, field_values: this.values(fields) }
    await this.base.run(applyTag, { item_id: this.pick(this.itemIds), tag })
  }

  private fields(): Fields {
    const names = this.some(FIELD_NAMES, FIELD_NAMES.length)
    const fields: Fields = {}
    for (const name of names) fields[name] = this.schema(name)
    return {
      ...fields,
      text: 'String',
      ref: 'Reference',
      refs: 'MultiReference',
      files: 'File',
      status: this.schema('status'),
    }
  }

  private schema(name: string, depth = 0): unknown {
    const usual = USUAL.get(name)
    const type = usual && this.chance(0.9) ? usual : this.pick(FIELD_TYPES)
    if (type === 'MultiSelect') return { type, variants: [this.pick(VARIANTS), 'also', 'too'] }
    if (type !== 'Select') return type
    const names = new Set([this.pick(VARIANTS), ...this.some(VARIANTS, 4)])
    const variants = [...names].map((variant, i) =>
      depth < 2 && this.chance(0.4)
        ? { name: variant, fields: { [`${name}_${i}`]: this.schema(`${name}_${i}`, depth + 1) } }
        : variant,
    )
    return { type, variants }
  }

  /** Other types, fewer fields, variants in another order or gone. */
  private changed(fields: Fields): Fields {
    const next: Fields = {}
    for (const [name, schema] of Object.entries(fields)) {
      if (this.chance(0.05)) continue
      next[name] = this.chance(0.15) ? this.schema(name) : this.chance(0.4) ? this.shuffled(schema) : schema
    }
    const name = this.pick(FIELD_NAMES)
    return this.chance(0.3) ? { ...next, [name]: this.schema(name) } : next
  }

  private shuffled(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema
    const { type, variants } = schema as { type: string; variants: unknown[] }
    const mixed = this.some(variants, variants.length)
    return { type, variants: mixed.length ? mixed : ['left'] }
  }

  private values(fields: Fields): Values {
    const values: Values = {}
    for (const [name, schema] of Object.entries(fields)) {
      if (this.chance(0.1)) continue
      values[name] = this.chance(0.05) ? null : this.value(schema)
      const variant = (values[name] as { variant?: string } | null)?.variant
      const { variants = [] } = schema as { variants?: (string | Variant)[] }
      const chosen = variants.find((each) => typeof each === 'object' && each.name === variant) as Variant
      if (chosen?.fields) Object.assign(values, this.values(chosen.fields))
    }
    return values
  }

  private file(file_id: string): object {
    // eslint-disable-next-line no-control-regex
    const name = this.text().replaceAll(/[\u0000-\u001f\u007f-\u009f/\\]/g, '')
    return name.trim() ? { file_id, name: Array.from(name).slice(0, MAX_NAME).join('').trim() } : { file_id }
  }

  private value(schema: unknown): unknown {
    if (typeof schema === 'object' && schema !== null) {
      const { type, variants } = schema as { type: string; variants: (string | Variant)[] }
      const names = variants.map((each) => (typeof each === 'string' ? each : each.name))
      return type === 'Select' ? { variant: this.pick(names) } : this.some(names, names.length)
    }
    if (schema === 'Number') return this.pick(NUMBERS)
    if (schema === 'Boolean') return this.chance(0.5)
    if (schema === 'Date') return this.pick(DATES)
    if (schema === 'DateTime') return this.pick(DATE_TIMES)
    if (schema === 'MultiReference') return this.some(this.itemIds, 4)
    if (schema === 'File') return this.some(FILE_IDS, 3).map((file_id) => this.file(file_id))
    if (schema === 'Reference') return this.itemIds.length ? this.pick(this.itemIds) : null
    // Texts that fit when the field's type changes.
    if (this.chance(0.1) && this.itemIds.length) return this.pick(this.itemIds)
    return this.text()
  }
}
