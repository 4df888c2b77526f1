import { createHash } from 'node:crypto'
import { isReference } from '#src/domain/field-schema.ts'
import type { FieldTarget, Ref, TableTarget } from '#src/imports/rows/targets.ts'
import { type Cell, isRich, type SourceRecord, type SourceRow } from '#src/imports/source.ts'
import { ListCount, type ListSign } from '#src/domain/list-text.ts'
import { elementsOf, isItemId } from '#src/imports/values/read-cell.ts'
import { plainOf } from '#src/imports/values/stored-value.ts'

/** Variants that a column may bring. */
const MOST_VARIANTS = 1000
const MANY = new Set(['MultiSelect', 'MultiReference'])

/**
 * What must be known of the whole file before the first row of it is read as an item: which rows are overtaken by later
 * ones, which names and ids rows have, how lists are parted, which variants there are.
 */
export class Survey {
  /** Whether reading rows depends on others: else there is nothing to see beforehand. */
  readonly isNeeded: boolean
  private rows = 0
  private readonly targets: readonly TableTarget[]
  private readonly byTable: ReadonlyMap<string, number>
  private readonly listSigns = new Map<string, ListCount>()
  private readonly lastOfKey = new Map<string, number>()
  /** By the same: what the last row is called, where names are counted. */
  private readonly nameOfKey = new Map<string, string>()
  /** How many rows of each table have a name; null where nobody refers to rows. */
  private readonly names: Map<string, number>[] | null
  private readonly leftOut: readonly ReadonlyMap<string | number, number>[]
  private readonly ids = new Map<string, number>()
  /** The row before, or the one that it says more of, where that is met by its id. */
  private metById: { id: string; n: number } | undefined
  /** What rows with an id are met by. */
  private readonly keys = new Map<number, { t: number; text: string }>()
  private readonly found = new Map<string, Set<string>>()

  constructor(targets: readonly TableTarget[]) {
    this.targets = targets
    this.isNeeded = targets.some(
      ({ key, columns }) => key !== undefined || columns.some(({ to }) => typeof to === 'object' && asks(to)),
    )
    this.byTable = new Map(targets.map(({ table }, t) => [table, t]))
    const refers = targets.some(({ columns }) =>
      columns.some(({ to }) => typeof to === 'object' && isReference(to.type)),
    )
    this.names = refers ? targets.map(() => new Map()) : null
    this.leftOut = targets.map(({ left_out }) => new Map(left_out))
  }

  take(records: readonly SourceRecord[]): void {
    for (const record of records) {
      if (record.is !== 'row') continue
      const t = this.byTable.get(record.table)
      if (t !== undefined) this.takeRow(t, record)
      this.rows++
    }
  }

  tableOf(row: SourceRow): number | undefined {
    return this.byTable.get(row.table)
  }

  isOvertaken(t: number, key: string, n: number): boolean {
    const last = this.lastOfKey.get(hashOf(t, key))
    return last !== undefined && last > n
  }

  /** How many rows have the name, of those tables, or of all; `left_out`: there are some, all of them with faults. */
  rowsNamed(name: string, { of_tables, of_tags }: FieldTarget): Pick<Ref, 'rows' | 'left_out'> {
    const tables = of_tables.length || of_tags.length ? of_tables : this.targets.keys()
    let rows = 0
    let isNamed = false
    for (const t of this.names ? tables : []) {
      const all = this.names![t]!.get(name) ?? 0
      isNamed ||= all > 0
      if (all > (this.leftOut[t]!.get(name) ?? 0)) rows += all
    }
    return { rows, ...(isNamed && !rows && { left_out: true }) }
  }

  rowWithId(id: string): number | undefined {
    return this.ids.get(id)
  }

  isLeftOut(n: number): boolean {
    return this.leftOut.some((rows) => rows.has(n))
  }

  /** Of a row with an id in a table with a key: its table, and the text of its key. */
  keyOf(n: number): { t: number; text: string } | undefined {
    return this.keys.get(n)
  }

  /** Whether rows are meant by ids: they are taken a second time, when all are there. */
  get hasIds(): boolean {
    return this.ids.size > 0
  }

  get hasRows(): boolean {
    return this.rows > 0
  }

  /** Whether the row is of an item of this base, by whose id others mean it: nothing has to be made first. */
  private isMetById(t: number, id: string): boolean {
    const { key, columns } = this.targets[t]!
    return isItemId(id) && columns.some(({ column, to }) => column === key && to === 'item_id')
  }

  listSign(t: number, column: string): ListSign {
    return this.listSigns.get(`${t} ${column}`)?.sign ?? ', '
  }

  /** The variants that a column has, in the order of the file; undefined where they were not asked for. */
  variants(t: number, column: string): string[] | undefined {
    const found = this.found.get(`${t} ${column}`)
    return found && [...found]
  }

  private takeRow(t: number, { cells, id, same_as }: SourceRow): void {
    const { key, columns } = this.targets[t]!
    if (same_as !== undefined && this.metById?.id === same_as) this.ids.set(same_as, this.metById.n)
    // Where the rows of its item before are left out, this is its first one.
    const own = id ?? (this.ids.has(same_as!) ? undefined : same_as)
    if (own !== undefined) this.takeId(t, own)
    const hash = key === undefined ? undefined : this.takeKey(t, keyText(this.targets[t]!, cells), own)
    for (const { column, to } of columns) {
      const cell = cells.get(column)
      if (cell === undefined || cell === null) continue
      if (to === 'name') this.takeName(t, nameText(this.targets[t]!, cell), hash)
      else if (typeof to === 'object') this.takeCell(`${t} ${column}`, cell, to)
    }
  }

  private takeId(t: number, id: string): void {
    if (this.isMetById(t, id)) this.metById = { id, n: this.rows }
    else this.ids.set(id, this.rows)
  }

  /** The hash of the key. A row that is overtaken lends its name to no item. */
  private takeKey(t: number, text: string, id: string | undefined): string | undefined {
    if (text === '') return undefined
    const hash = hashOf(t, text)
    this.lastOfKey.set(hash, this.rows)
    if (id !== undefined) this.keys.set(this.rows, { t, text })
    const names = this.names?.[t]
    const before = this.nameOfKey.get(hash)
    if (names && before !== undefined) names.set(before, names.get(before)! - 1)
    this.nameOfKey.delete(hash)
    return hash
  }

  private takeName(t: number, name: string, hash: string | undefined): void {
    const names = this.names?.[t]
    if (!names || !name) return
    names.set(name, (names.get(name) ?? 0) + 1)
    if (hash !== undefined) this.nameOfKey.set(hash, name)
  }

  private takeCell(place: string, given: Cell, { type, variants, make }: FieldTarget): void {
    const cell = isStored(given) ? plainOf(given.stored) : given
    if (MANY.has(type) && typeof cell === 'string') {
      let sign = this.listSigns.get(place)
      if (!sign) this.listSigns.set(place, (sign = new ListCount()))
      sign.take(cell)
    }
    if ((type !== 'Select' && type !== 'MultiSelect') || (variants && !make)) return
    let found = this.found.get(place)
    if (!found) this.found.set(place, (found = new Set()))
    const text = cellText(cell)
    // Both ways to part a list are kept until the sign is known: the shorter parts are never more.
    const parts = type === 'Select' ? [text] : Array.isArray(cell) ? (cell as string[]) : [text]
    for (const each of parts) if (each && found.size <= MOST_VARIANTS * 10) found.add(each)
  }

  /** The variants of a column of lists, parted; call it when all has been taken. */
  partedVariants(t: number, column: string, type: string): string[] {
    const found = this.variants(t, column) ?? []
    if (type === 'Select') return found
    const list_sign = this.listSign(t, column)
    return [...new Set(found.flatMap((each) => elementsOf(each, { list_sign })))]
  }
}

/** Whether cells of such a field are read by what others have. */
const asks = ({ type, variants, make }: FieldTarget): boolean =>
  isReference(type) || MANY.has(type) || (type === 'Select' && (!variants || make))

export function cellText(given: Cell | undefined): string {
  const cell = isStored(given) ? plainOf(given.stored) : given
  if (typeof cell === 'string') return cell.trim()
  return cell === null || cell === undefined || typeof cell === 'object' ? '' : String(cell)
}

/** To the letter where it was the name, or a text, of an item. */
export function nameText({ has_own_texts }: TableTarget, given: Cell | undefined): string {
  const cell = isStored(given) ? plainOf(given.stored) : given
  return has_own_texts && typeof cell === 'string' ? cell : cellText(cell)
}

export function keyText(target: TableTarget, cells: SourceRow['cells']): string {
  const { key = '', columns } = target
  const to = columns.find(({ column }) => column === key)?.to
  const isText = to === 'name' || (typeof to === 'object' && to.type === 'String')
  return isText ? nameText(target, cells.get(key)) : cellText(cells.get(key))
}

const isStored = (cell: Cell | undefined): cell is { stored: unknown } => isRich(cell) && 'stored' in cell

/** Of many keys as little as tells them apart. */
const hashOf = (t: number, key: string): string =>
  createHash('sha256').update(`${t} ${key}`).digest().toString('latin1', 0, 16)
