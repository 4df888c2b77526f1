import type { BoundField, FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { CodedColumn } from '#src/storage/columns/column.ts'
import { type Columns } from '#src/storage/columns/columns.ts'
import { hasColumn } from '#src/storage/columns/read-column.ts'
import { valueHolds } from '#src/storage/columns/value-holds.ts'

/** By row id: 1 for the live items of which something is true. */
export type Mask = Uint8Array

type FieldTest = Exclude<ValueTest, { test: 'dangling' | 'misfit' | 'same_set' }>

/** What a column does not tell. */
const PROBED: ReadonlySet<ValueTest['test']> = new Set(['dangling', 'misfit', 'same_set'])

/** Whether columns can have all that the plan looks at. */
export function fitsColumns(plan: FilterPlan): boolean {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return plan.children.every(fitsColumns)
    case 'not':
      return fitsColumns(plan.child)
    case 'field':
      return hasColumn(plan.field) && !PROBED.has(plan.test.test)
    case 'hop':
      return plan.field.type === 'Reference' && fitsColumns(plan.target)
    case 'referred':
      return plan.field.type === 'Reference' && fitsColumns(plan.filter)
    case 'has_tag':
    case 'id':
    case 'items':
    case 'always':
    case 'never':
      return true
    case 'search':
    case 'values':
    case 'any':
    case 'tagged':
    case 'changed':
    case 'text':
      return false
  }
}

/**
 * What the items of a plan are worked out by, once all columns are there: in one go, so that no other call brings them
 * further meanwhile. Undefined where a column is missing.
 */
export async function maskOf(columns: Columns, plan: FilterPlan): Promise<(() => Mask) | undefined> {
  const live = await columns.live()
  return live && fitsColumns(plan) ? new Masks(columns, live.flags).of(plan) : undefined
}

type Evaluate = () => Mask

class Masks {
  private readonly columns: Columns
  private readonly live: Uint8Array

  constructor(columns: Columns, live: Uint8Array) {
    this.columns = columns
    this.live = live
  }

  async of(plan: FilterPlan): Promise<Evaluate | undefined> {
    switch (plan.kind) {
      case 'always':
        return () => this.live.slice(0, this.columns.rows)
      case 'never':
        return () => this.empty()
      case 'and':
      case 'or':
        return this.joined(plan.children, plan.kind)
      case 'not': {
        const child = await this.of(plan.child)
        return child && (() => this.without(child()))
      }
      case 'id':
      case 'items':
        return () => this.ofItems(plan.items)
      case 'has_tag':
        return this.ofTags(plan.tags)
      case 'field':
        return this.ofField(plan.field, plan.test as FieldTest)
      case 'hop':
        return this.ofHop(plan.field, plan.target)
      case 'referred':
        return this.ofReferred(plan)
      default:
        return undefined
    }
  }

  private empty = (): Mask => new Uint8Array(this.columns.rows)

  private without(mask: Mask): Mask {
    const { live } = this
    for (let row = 0; row < mask.length; row++) mask[row] = live[row]! & ~mask[row]!
    return mask
  }

  private async joined(plans: readonly FilterPlan[], operator: 'and' | 'or'): Promise<Evaluate | undefined> {
    const parts: Evaluate[] = []
    for (const plan of plans) {
      const part = await this.of(plan)
      if (!part) return undefined
      parts.push(part)
    }
    return () => {
      const [first, ...others] = parts.map((part) => part())
      const mask = first!
      for (const other of others)
        if (operator === 'and') for (let row = 0; row < mask.length; row++) mask[row]! &= other[row]!
        else for (let row = 0; row < mask.length; row++) mask[row]! |= other[row]!
      return mask
    }
  }

  private ofItems(items: readonly number[]): Mask {
    const mask = this.empty()
    for (const item of items) if (item < mask.length) mask[item] = this.live[item]!
    return mask
  }

  private async ofTags(tags: readonly number[]): Promise<Evaluate | undefined> {
    const columns: { flags: Uint8Array }[] = []
    for (const tag of tags) {
      const column = await this.columns.tag(tag)
      if (!column) return undefined
      columns.push(column)
    }
    return () => {
      const mask = this.empty()
      for (const { flags } of columns) for (let row = 0; row < mask.length; row++) mask[row]! |= flags[row]!
      return mask
    }
  }

  private async ofField(field: BoundField, test: FieldTest): Promise<Evaluate | undefined> {
    if (test.test === 'absent' || (test.test === 'none_of' && test.or_absent)) {
      const opposite: FieldTest =
        test.test === 'absent' ? { test: 'present' } : { test: 'one_of', values: test.values }
      const child = await this.ofField(field, opposite)
      return child && (() => this.without(child()))
    }
    const column = await this.columns.field(field)
    if (!column) return undefined
    const holds = test.test === 'present' ? () => true : valueHolds(test)
    // What does not fit is there, and none of anything.
    const misfit = test.test === 'present' || test.test === 'none_of'
    if (column instanceof CodedColumn)
      return () => {
        const table = column.table(holds, { misfit })
        const { codes } = column
        const mask = this.empty()
        for (let row = 0; row < mask.length; row++) mask[row] = table[codes[row]!]!
        return mask
      }
    return () => {
      const { numbers } = column
      const mask = this.empty()
      for (let row = 0; row < mask.length; row++) {
        const value = numbers[row]!
        if (value === Infinity) mask[row] = misfit ? 1 : 0
        else if (value === value && holds(value)) mask[row] = 1
      }
      return mask
    }
  }

  private async ofHop(field: BoundField, target: FilterPlan): Promise<Evaluate | undefined> {
    const column = await this.columns.field(field)
    const satisfies = await this.of(target)
    if (!column || !satisfies) return undefined
    return () => {
      const targets = satisfies()
      const mask = this.empty()
      const take = followed(column)
      for (let row = 0; row < mask.length; row++) mask[row] = targets[take(row)] ?? 0
      return mask
    }
  }

  private async ofReferred({
    field,
    filter,
    min,
    max = Infinity,
  }: Extract<FilterPlan, { kind: 'referred' }>): Promise<Evaluate | undefined> {
    const column = await this.columns.field(field)
    const satisfies = await this.of(filter)
    if (!column || !satisfies) return undefined
    return () => {
      const referring = satisfies()
      const counts = new Uint32Array(this.columns.rows)
      const target = followed(column)
      for (let row = 0; row < referring.length; row++) {
        if (!referring[row]) continue
        const to = target(row)
        if (to < counts.length) counts[to]!++
      }
      const mask = this.empty()
      for (let row = 0; row < mask.length; row++)
        if (counts[row]! >= min && counts[row]! <= max) mask[row] = this.live[row]!
      return mask
    }
  }
}

/** The row id that an item refers to; one beyond all where it refers to none. */
export function followed(column: CodedColumn | { numbers: Float64Array }): (row: number) => number {
  if (column instanceof CodedColumn) {
    const targets = column.values.map((value) => (typeof value === 'number' ? value : Infinity))
    const { codes } = column
    return (row) => targets[codes[row]!]!
  }
  const { numbers } = column
  return (row) => {
    const to = numbers[row]!
    return to === to ? to : Infinity // NaN is no value
  }
}
