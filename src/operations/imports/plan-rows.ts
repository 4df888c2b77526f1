import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { listCell } from '#src/domain/csv-text.ts'
import { type FlatFields, flattenFields } from '#src/domain/field-schema.ts'
import { type FieldValueChanges, fieldValueChanges } from '#src/domain/field-value-changes.ts'
import { type FieldValues, valueOf } from '#src/domain/field-values.ts'
import { elementsOf, fileIdOf, type KnownFiles } from '#src/domain/file-values.ts'
import { MAX_NAME } from '#src/domain/names.ts'
import { mergeFieldValues } from '#src/domain/merge-field-values.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { htmlToMarkdown } from '#src/markdown/html-to-markdown.ts'
import { foreseen, withRows } from '#src/imports/rows/row-addresses.ts'
import type { ImportRow, Ref } from '#src/imports/rows/targets.ts'
import { noFile } from '#src/imports/values/read-cell.ts'
import {
  type ImportPlan,
  keyOfRow,
  type MadeItem,
  type RowPlanning,
} from '#src/operations/imports/import-plan.ts'
import { Lookups } from '#src/operations/imports/lookups.ts'
import { knownFiles } from '#src/operations/files/known-files.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { itemsWithTag, type ItemWithTag } from '#src/storage/items/item-tags.ts'
import { type ItemRow, liveItemRows } from '#src/storage/items/items.ts'
import { throwIfEnded } from '#src/storage/search/matching-time.ts'
import { findTagById, type StoredTag } from '#src/storage/tags/tags.ts'

export interface RowFault {
  table: string
  line: number
  file?: string
  column?: string
  message: string
  suggestion?: string
}

/** What becomes of a row. */
export type PlannedRow = { row: ImportRow } & (
  | { is: 'fault'; fault: RowFault }
  | { is: 'skipped' }
  | { is: 'created'; name: string; description: string | null; values: FieldValues; made: MadeRef[] }
  | ({ is: 'changed' } & PlannedChange)
  | { is: 'unchanged'; item: ItemRow }
)

export interface PlannedChange {
  item: ItemRow
  name: string
  description: string | null
  /** Null: the item lacks the tag, if there is one, and gets it. */
  entry: ItemWithTag | null
  values: FieldValues
  changes: FieldValueChanges
  made: MadeRef[]
}

/** A field that gets items which are still to be made. */
export interface MadeRef {
  field: string
  items: readonly MadeItem[]
  isMany: boolean
}

interface Texts {
  name: string
  description: string | null
  /** The description leads to rows whose items are not there yet. */
  isLater?: boolean
  fault?: { column: string | undefined; message: string }
}

const MAX_DESCRIPTION = 1024 * 1024

/** Between two texts that may take long: calls of the same thread go on, and this one ends where it is to. */
async function giveWay(db: Db): Promise<void> {
  await new Promise(setImmediate)
  throwIfEnded(db)
}

/** What becomes of rows, each by itself: nothing is written. */
export class RowPlanner {
  readonly tags: readonly (StoredTag | null)[]
  readonly schemas: readonly FlatFields[]
  private readonly context: SqlContext
  private readonly planning: RowPlanning
  /** Whose descriptions say what their items have. */
  private readonly same = new Set<ImportRow>()

  private constructor(context: SqlContext, planning: RowPlanning, tags: readonly (StoredTag | null)[]) {
    this.context = context
    this.planning = planning
    this.tags = tags
    this.schemas = planning.plan.tags.map((tag, t) =>
      tag?.isChanged || !tags[t]
        ? new Map([...(tags[t]?.schema ?? []), ...flattenFields(tag?.fields ?? {})])
        : tags[t].schema,
    )
  }

  static async make(context: SqlContext, planning: RowPlanning): Promise<RowPlanner> {
    const tags: (StoredTag | null)[] = []
    for (const tag of planning.plan.tags)
      tags.push(tag?.tag_id ? ((await findTagById(context.db, tag.tag_id)) ?? null) : null)
    return new RowPlanner(context, planning, tags)
  }

  async plan(rows: readonly ImportRow[]): Promise<PlannedRow[]> {
    const { context, planning } = this
    const again = metAgain(planning.plan, rows)
    const whole = rows.filter((row) => !row.fault && !row.overtaken && !again.has(row))
    const lookups = await Lookups.of(context, planning, whole)
    const files = await knownFiles(
      context,
      whole.map(({ t, values }) => [this.schemas[t]!, values] as const),
    )
    const met = new Map<ImportRow, number>()
    for (const row of whole) {
      const found = lookups.met(row)
      if (found && !('message' in found)) met.set(row, found.id)
    }
    const items = await liveItemRows(context.db, new Set(met.values()))
    const entries = await this.entriesOf(met)
    const planRow = (row: ImportRow): PlannedRow => {
      if (row.overtaken || again.has(row)) return { row, is: 'skipped' }
      if (row.fault) return this.fault(row, row.fault)
      const found = lookups.met(row)
      if (found && 'message' in found) return this.fault(row, found)
      const item = items.get(met.get(row) ?? -1)
      if (!item && this.needsItem(row)) return { row, is: 'skipped' }
      return this.planOne(row, { lookups, files }, item, item && entries.get(`${row.t} ${item.id}`))
    }
    const planned: PlannedRow[] = []
    for (const row of rows) {
      if (planning.compares_texts && row.from_markdown) await giveWay(context.db)
      planned.push(planRow(row))
    }
    return planned
  }

  /** Rows without the descriptions that say what their items have. */
  async withoutSameTexts(rows: readonly ImportRow[]): Promise<ImportRow[]> {
    await this.plan(rows)
    return rows.map((each) => {
      const { description: _, linked: _linked, ...row } = each
      return this.same.has(each) ? row : each
    })
  }

  /** Whether a row adds to an item that another row or the first pass made: without it, that one was left out. */
  private needsItem({ same }: ImportRow): boolean {
    const { isSecond, import: id } = this.planning
    return isSecond || (same !== undefined && id !== null)
  }

  private async entriesOf(met: ReadonlyMap<ImportRow, number>): Promise<Map<string, ItemWithTag>> {
    const entries = new Map<string, ItemWithTag>()
    for (const [t, tag] of this.tags.entries()) {
      const items = [...met].filter(([row]) => row.t === t).map(([, id]) => id)
      if (!tag || !items.length) continue
      for (const entry of await itemsWithTag(this.context.db, tag.id, items))
        entries.set(`${t} ${entry.item}`, entry)
    }
    return entries
  }

  private planOne(
    row: ImportRow,
    { lookups, files }: { lookups: Lookups; files: KnownFiles },
    item: ItemRow | undefined,
    entry: ItemWithTag | undefined,
  ): PlannedRow {
    const stored = entry ? (JSON.parse(entry.field_values) as FieldValues) : {}
    const noFiles = this.textsThatAreNoFiles(row, stored)
    if (noFiles) return this.fault(row, noFiles)
    const given = withoutUnknownFiles(row.values, { schema: this.schemas[row.t]!, files, stored })
    const made: MadeRef[] = []
    // Files that the base does not have yet.
    let isLater = Object.keys(row.files ?? {}).some((field) => !Object.hasOwn(row.values, field))
    for (const [field, refs] of Object.entries(row.refs)) {
      const found = lookups.references(row, field, refs, valueOf(stored, field))
      // It has what is not there any more, and keeps it.
      if ('message' in found && isSame(valueOf(stored, field), refs)) continue
      if ('message' in found) return this.fault(row, { ...found, column: this.columnOf(row.t, field) })
      if (found.is === 'later') isLater = true
      else if (found.is === 'made') made.push({ field, items: found.items, isMany: found.isMany })
      else if (found.is === 'found') given[field] = found.value
    }
    const texts = this.textsOf(row, lookups, item)
    if (!texts.name) return this.fault(row, texts.fault!)
    const schema = this.schemas[row.t]!
    const checked = checkFieldValues(schema, given, { path: '', stored, merge: item !== undefined, files })
    const values = entry ? mergeFieldValues(schema, stored, checked.values) : checked.values
    const [problem] = [...checked.problems, ...checkSubFields(schema, checked.values, values, '')]
    if (problem) return this.fault(row, this.problemAt(row, problem))
    const { name, description } = texts
    if (!item) return { row, is: 'created', name, description, values, made }
    const changes = fieldValueChanges(stored, values)
    const lacks = this.planning.plan.tags[row.t] !== null && !entry
    const isUnchanged =
      !lacks &&
      !made.length &&
      !isLater &&
      !texts.isLater &&
      !changes.fields_changed.length &&
      item.name === name &&
      item.description === description
    if (isUnchanged) return { row, is: 'unchanged', item }
    return { row, is: 'changed', item, name, description, entry: entry ?? null, values, changes, made }
  }

  /** As our CSV has files: their names alone, which leave the item the files that it has. */
  private textsThatAreNoFiles({ t, file_texts = {} }: ImportRow, stored: FieldValues) {
    for (const [field, text] of Object.entries(file_texts)) {
      const names = elementsOf(valueOf(stored, field)).map(({ name }) => name)
      if (listCell(names).trim() !== text) return { ...noFile(text), column: this.columnOf(t, field) }
    }
    return undefined
  }

  private textsOf(row: ImportRow, lookups: Lookups, item: ItemRow | undefined): Texts {
    const name = row.name ?? item?.name
    // What leads to rows that are not there yet is written when they are.
    const asked = row.linked ? this.linked({ row, mark: row.linked, lookups }) : row.description
    const had = item?.description ?? null
    const description = asked === undefined || this.saysSame(row, had, asked) ? had : asked
    const isLater = row.linked !== undefined && asked === undefined
    const fault = (place: 'name' | 'description', message: string): Texts => ({
      name: '',
      description: null,
      fault: { column: this.columnTo(row, place), message },
    })
    if (!name) return fault('name', 'an item needs a name')
    if (name.length > MAX_NAME)
      return fault('name', `a name has at most ${MAX_NAME} characters, not ${name.length}`)
    if ((description?.length ?? 0) > MAX_DESCRIPTION)
      return fault('description', 'a description has at most 1 MiB')
    return { name, description, isLater }
  }

  /** Whether a note says what the item has: the marks of HTML that Markdown has no signs for are no change. */
  private saysSame(row: ImportRow, had: string | null, asked: string | null): boolean {
    if (!row.from_markdown || !this.planning.compares_texts || !had || !asked || had === asked) return false
    const isSame = htmlToMarkdown(had) === htmlToMarkdown(asked)
    if (isSame) this.same.add(row)
    return isSame
  }

  /** A description whose links lead to the items of rows; undefined while one of these is not there yet. */
  private linked({
    row: { description },
    mark,
    lookups,
  }: {
    row: ImportRow
    mark: string
    lookups: Lookups
  }): string | undefined {
    let isWhole = true
    const html = withRows(description ?? '', mark, (n) => {
      const item_id = lookups.itemOf(Number(n))
      isWhole &&= item_id !== undefined
      return item_id && `/items/${item_id}`
    })
    return isWhole || this.planning.isSecond ? foreseen(html, mark) : undefined
  }

  private fault(
    row: ImportRow,
    { message, column, suggestion }: { message: string; column?: string | undefined; suggestion?: string },
  ): PlannedRow {
    const fault: RowFault = {
      table: this.planning.plan.targets[row.t]!.table,
      line: row.line,
      ...(row.file !== undefined && { file: row.file }),
      ...(column !== undefined && { column }),
      message,
      ...(suggestion !== undefined && { suggestion }),
    }
    return { row, is: 'fault', fault }
  }

  /** `.due` or `.tags[3]`: of which column. */
  private problemAt(row: ImportRow, { path, message }: { path: string; message: string }) {
    const { columns } = this.planning.plan.targets[row.t]!
    const at = path.slice(1)
    const column = columns.find(
      ({ to }) =>
        typeof to === 'object' &&
        (at === to.field || at.startsWith(`${to.field}.`) || at.startsWith(`${to.field}[`)),
    )
    return { message, column: column?.column }
  }

  private columnOf(t: number, field: string): string | undefined {
    const { columns } = this.planning.plan.targets[t]!
    return columns.find(({ to }) => typeof to === 'object' && to.field === field)?.column
  }

  private columnTo(row: ImportRow, place: 'name' | 'description'): string | undefined {
    return this.planning.plan.targets[row.t]!.columns.find(({ to }) => to === place)?.column
  }
}

/** Values of a File without those files that are not there, as the look said. */
function withoutUnknownFiles(
  values: FieldValues,
  { schema, files, stored }: { schema: FlatFields; files: KnownFiles; stored: FieldValues },
): Record<string, unknown> {
  const given: Record<string, unknown> = { ...values }
  for (const [field, value] of Object.entries(values)) {
    if (schema.get(field)?.type !== 'File' || !Array.isArray(value) || !value.length) continue
    const before = new Set(elementsOf(valueOf(stored, field)).map(({ file_id }) => file_id))
    const known = value.filter((each) => {
      const file_id = fileIdOf(each)
      return file_id === null || files.has(file_id) || before.has(file_id)
    })
    if (known.length) given[field] = known
    else delete given[field]
  }
  return given
}

const isSame = (stored: unknown, refs: readonly Ref[]): boolean =>
  JSON.stringify([stored].flat()) === JSON.stringify(refs.map(({ name }) => name))

/** Rows that others behind them overtake, whose keys are the same written otherwise. */
function metAgain(plan: ImportPlan, rows: readonly ImportRow[]): ReadonlySet<ImportRow> {
  const seen = new Set<string>()
  const again = new Set<ImportRow>()
  for (const row of rows.toReversed()) {
    const key = row.key === undefined ? row.item_id && parseUlid(row.item_id) : keyOfRow(plan, row)
    if (row.fault || row.overtaken || key === undefined || key === null) continue
    const place = `${row.t} ${key}`
    if (seen.has(place)) again.add(row)
    seen.add(place)
  }
  return again
}
