import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { equalityKey } from '#src/filter/meaning/equality-key.ts'
import { rowsIn } from '#src/imports/rows/row-addresses.ts'
import type { FieldTarget, ImportRow, Ref } from '#src/imports/rows/targets.ts'
import { itemsByValue, itemsNamed, itemsWithId } from '#src/operations/imports/meet-items.ts'
import { keyOfRow, type MadeItem, type RowPlanning, targetOf } from '#src/operations/imports/import-plan.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { keptRows } from '#src/storage/imports/import-changes.ts'
import type { ItemHead } from '#src/storage/items/items.ts'

interface Fault {
  message: string
  column?: string
  suggestion?: string
}

/** Keys that are looked up at once. */
const AT_ONCE = 1000

/** What the references of a field lead to. */
export type RefOutcome =
  | { is: 'found'; value: unknown }
  /** Rows of the import whose items are not there yet. */
  | { is: 'later' }
  /** Some are to be made. */
  | { is: 'made'; items: MadeItem[]; isMany: boolean }
  /** None is there, and none has to be. */
  | { is: 'nothing' }
  | Fault

/** All that the rows of a portion mean by names, ids and keys, looked up together. */
export class Lookups {
  private readonly planning: RowPlanning
  /** By table: the items that have a key. */
  private readonly keys = new Map<number, Map<string, ItemHead[]>>()
  private readonly names = new Map<string, Map<string, ItemHead[]>>()
  private byId: ReadonlyMap<Ulid, ItemHead> = new Map()
  private kept: ReadonlyMap<number, Ulid> = new Map()
  /** By the number of a row that others lead to: the item that has its key. */
  private readonly meant = new Map<number, ItemHead>()

  private constructor(planning: RowPlanning) {
    this.planning = planning
  }

  static async of(context: SqlContext, planning: RowPlanning, rows: readonly ImportRow[]): Promise<Lookups> {
    const lookups = new Lookups(planning)
    await lookups.findKept(context, rows)
    await lookups.findKeys(context, rows)
    await lookups.findNames(context, rows)
    await lookups.findIds(context, rows)
    await lookups.findMeant(context, rows)
    return lookups
  }

  /** The item that a row meets; undefined where it makes one. */
  met(row: ImportRow): ItemHead | Fault | undefined {
    const { key } = this.planning.plan.targets[row.t]!
    const own = this.planning.isSecond ? this.kept.get(row.same ?? row.n) : undefined
    if (this.planning.isSecond) return own === undefined ? undefined : this.byId.get(own)
    if (row.same !== undefined) return this.meant.get(row.same)
    if (key === undefined) return undefined
    if (this.isById(row.t)) {
      if (row.item_id === undefined) return undefined
      const found = this.byId.get(parseUlid(row.item_id)!)
      return found ?? { column: key, message: `there is no item '${row.item_id}'` }
    }
    const found = this.keys.get(row.t)?.get(keyOfRow(this.planning.plan, row)) ?? []
    if (found.length < 2) return found[0]
    const ids = found.slice(0, 3).map(({ item_id }) => item_id)
    return {
      column: key,
      message: `${found.length} items have this ${key}, so none of them is meant (${ids.join(', ')}${found.length > 3 ? ', …' : ''})`,
      suggestion: 'Give the key to one item only, or choose another key',
    }
  }

  /** `stored`: what the field has, which may be there no longer. */
  references(row: ImportRow, field: string, refs: readonly Ref[], stored: unknown): RefOutcome {
    const target = targetOf(this.planning.plan, row.t, field)
    if (this.areStored(target, refs, stored)) return { is: 'nothing' }
    const isMany = target.type === 'MultiReference'
    const items: MadeItem[] = []
    const seen = new Set<string>()
    let isLater = false
    for (const ref of refs) {
      const found = ref.outside ? this.outside(target, ref, stored) : this.reference(target, ref)
      if (found === undefined) continue
      if (typeof found === 'object') return found
      // What stands behind it may be a fault, which is to be found before anything is written.
      if (found === 'later') {
        isLater = true
        continue
      }
      const key = found === 'made' ? `${ref.name}?` : found
      if (seen.has(key)) continue
      seen.add(key)
      items.push(found === 'made' ? { make: ref.name.trim() } : { id: found })
    }
    if (isLater) return { is: 'later' }
    if (refs.length && !items.length) return { is: 'nothing' }
    const ids = items.flatMap((each) => ('id' in each ? each.id : []))
    if (ids.length < items.length) return { is: 'made', items, isMany }
    return { is: 'found', value: isMany ? ids : ids[0] }
  }

  /** Names of what the field has, in its order: of those that several items have, these are meant. */
  private areStored(target: FieldTarget, refs: readonly Ref[], stored: unknown): boolean {
    if (refs.some(({ n, outside }) => n !== undefined || outside)) return false
    const found = this.names.get(signatureOf(target))
    const nameOf = new Map(
      refs.flatMap(({ name }) => (found?.get(name) ?? []).map(({ item_id }) => [item_id, name] as const)),
    )
    const names = new Set([stored ?? []].flat().map((id) => nameOf.get(id as Ulid)))
    return names.size === refs.length && [...names].every((name, i) => name === refs[i]!.name)
  }

  private reference(
    target: FieldTarget,
    { name, n, rows = 0, left_out }: Ref,
  ): Ulid | 'later' | 'made' | Fault {
    const { isSecond } = this.planning
    if (n !== undefined) {
      const own = this.itemOf(n)
      return (
        own ?? (isSecond || left_out ? { message: `the row that '${name}' leads to was left out` } : 'later')
      )
    }
    const found = this.names.get(signatureOf(target))?.get(name) ?? []
    const { targets } = this.planning.plan
    const meant = target.of_tables.length || target.of_tags.length ? target.of_tables : targets.keys()
    const isKeyed = [...meant].every((t) => targets[t]!.key !== undefined)
    // Before they are written: rows that meet items by a key are those items.
    const before = isKeyed ? 0 : this.thereBefore(found).length
    const total = isSecond ? found.length : before + Math.max(found.length - before, rows)
    if (total > 1)
      return {
        message: `${total} items are called '${name.slice(0, 100)}'`,
        suggestion: 'Give the id of the one that is meant, or another name to the others',
      }
    if (found.length) return found[0]!.item_id
    if (rows && !isSecond) return 'later'
    const id = parseUlid(name)
    if (id !== null && this.byId.has(id)) return id
    if (target.make && name.trim()) return 'made'
    if (left_out)
      return {
        message: `the row called '${name.slice(0, 100)}' is left out, so it is no item`,
        suggestion: 'Correct that row',
      }
    return {
      message: `there is no item called '${name.slice(0, 100)}'`,
      suggestion: 'Correct the name, or let the column make what is missing: make: true',
    }
  }

  /** An item of ours by its id, or by its name where one alone has it. */
  private outside(target: FieldTarget, { name, outside }: Ref, stored: unknown): Ulid | 'made' | undefined {
    const id = outside?.item_id === undefined ? null : parseUlid(outside.item_id)
    if (id !== null && (this.byId.has(id) || [stored].flat().includes(id))) return id
    const found = this.thereBefore(this.names.get(signatureOf(target))?.get(name) ?? [])
    if (found.length === 1) return found[0]!.item_id
    return target.make && !found.length && name.trim() ? 'made' : undefined
  }

  /** Items that no row of the import has made: of those that are newer than its check nobody knows. */
  private thereBefore(found: readonly ItemHead[]): readonly ItemHead[] {
    const { import: id, newest } = this.planning
    if (id === null) return found
    return newest ? found.filter(({ item_id }) => item_id <= newest) : []
  }

  private isById(t: number): boolean {
    const { key, columns } = this.planning.plan.targets[t]!
    return columns.find(({ column }) => column === key)?.to === 'item_id'
  }

  private async findKept({ db }: SqlContext, rows: readonly ImportRow[]): Promise<void> {
    const { import: id, isSecond } = this.planning
    if (id === null) return
    const wanted = new Set(
      rows.flatMap(({ refs }) => Object.values(refs).flatMap((all) => all.flatMap(({ n }) => n ?? []))),
    )
    for (const { description, linked } of rows)
      if (linked) for (const n of rowsIn(description ?? '', linked)) wanted.add(Number(n))
    if (isSecond) for (const { n, same = n } of rows) wanted.add(same)
    if (wanted.size) this.kept = await keptRows(db, id, wanted)
  }

  /** The item of a row that others lead to: made by this import, or there by the key that the row has. */
  itemOf(n: number): Ulid | undefined {
    return this.kept.get(n) ?? this.meant.get(n)?.item_id
  }

  /** What rows that others lead to meet by their keys, where they are not known to be items already. */
  private async findMeant(context: SqlContext, rows: readonly ImportRow[]): Promise<void> {
    const wanted = new Map(rows.flatMap(({ means = {} }) => Object.entries(means)))
    const left = [...wanted].filter(([n]) => !this.kept.has(Number(n)))
    for (const [t, all] of Map.groupBy(left, ([, each]) => each.t))
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const some = all.slice(i, i + AT_ONCE)
        const found = await this.itemsOfKeys(
          context,
          t,
          some.map(([, { key }]) => key),
        )
        for (const [n, each] of some) {
          const items =
            found.get(this.isById(t) ? String(each.key) : keyOfRow(this.planning.plan, each)) ?? []
          if (items.length === 1) this.meant.set(Number(n), items[0]!)
        }
      }
  }

  private async findKeys(context: SqlContext, rows: readonly ImportRow[]): Promise<void> {
    if (this.planning.isSecond) return
    for (const t of this.planning.plan.targets.keys()) {
      const given = rows.filter((row) => row.t === t && row.key !== undefined).map((row) => row.key)
      if (!this.isById(t)) this.keys.set(t, await this.itemsOfKeys(context, t, given))
    }
  }

  private async itemsOfKeys(
    context: SqlContext,
    t: number,
    given: readonly unknown[],
  ): Promise<Map<string, ItemHead[]>> {
    const { targets, tags } = this.planning.plan
    const { key, columns } = targets[t]!
    const to = columns.find(({ column }) => column === key)?.to
    if (to === 'item_id') {
      const ids = (given as string[]).map((each) => [each, parseUlid(each)] as const)
      const found = await itemsWithId(
        context,
        ids.flatMap(([, id]) => id ?? []),
      )
      return new Map(ids.map(([each, id]) => [each, [found.get(id ?? '') ?? []].flat()]))
    }
    if (to === 'name') {
      const found = await itemsNamed(context, [...new Set(given as string[])], [])
      return new Map([...found].map(([name, heads]) => [equalityKey('name', name), heads]))
    }
    const tag_id = tags[t]?.tag_id
    // A tag that is still to be made is on no item.
    if (typeof to !== 'object' || !tag_id) return new Map()
    return itemsByValue(context, { place: `${tag_id}.${to.field}`, type: to.type }, given)
  }

  private async findNames(context: SqlContext, rows: readonly ImportRow[]): Promise<void> {
    const wanted = new Map<string, { target: FieldTarget; names: Set<string> }>()
    for (const { t, refs } of rows)
      for (const [field, all] of Object.entries(refs)) {
        const target = targetOf(this.planning.plan, t, field)
        const signature = signatureOf(target)
        let found = wanted.get(signature)
        if (!found) wanted.set(signature, (found = { target, names: new Set() }))
        for (const { name, n } of all) if (n === undefined) found.names.add(name)
      }
    for (const [signature, { target, names }] of wanted) {
      // Of tags alone that are still to be made there is no item.
      const none = !target.of_tags.length && target.of_tables.length
      if (!none) this.names.set(signature, await itemsNamed(context, [...names], target.of_tags))
    }
  }

  private async findIds(context: SqlContext, rows: readonly ImportRow[]): Promise<void> {
    const ids = new Set<Ulid>(this.kept.values())
    for (const { item_id, refs } of rows) {
      const named = Object.values(refs).flatMap((all) =>
        all.flatMap(({ name, outside }) => [name, outside?.item_id]),
      )
      for (const text of [item_id, ...named]) {
        const id = text === undefined ? null : parseUlid(text)
        if (id !== null) ids.add(id)
      }
    }
    if (ids.size) this.byId = await itemsWithId(context, [...ids])
  }
}

const signatureOf = ({ of_tags, of_tables }: FieldTarget): string => `${of_tags.join()} ${of_tables.join()}`
