import { type GroupKey, widestOf, widthAsWhole } from '#src/storage/aggregate/group-key.ts'
import { DAY_LENGTH, localPart } from '#src/storage/aggregate/time-bucket.ts'
import type { RawKey } from '#src/storage/aggregate/groups.ts'
import type { PathCodes } from '#src/storage/columns/path-codes.ts'
import { NumberTable } from '#src/storage/columns/number-table.ts'
import type { Mask } from '#src/storage/columns/plan-mask.ts'
import { countMask } from '#src/storage/search/column-matches.ts'

/** Places up to this many are numbered by a table of all; of more only those that are met have room. */
const MAX_PLACES = 2 ** 22

/** The items of a mask, by the combination of their keys. */
export interface ColumnGroups {
  readonly mask: Mask
  /** By row id, which of the groups it is in; of rows outside of the mask it says nothing. */
  readonly groupAt: Int32Array
  /** By group, a group's keys as the database would give them, and its items. */
  readonly groups: readonly { readonly keys: RawKey[]; readonly count: number }[]
}

/** One key of a grouping: by code, the position of what it becomes among `raws`. */
interface Digits {
  readonly codes: PathCodes['codes']
  readonly digitOf: Int32Array
  readonly raws: readonly RawKey[]
}

/** How a value becomes a key, as `keyRows` does it in SQL. */
function shapeOf({ form }: GroupKey, inZone: boolean): (value: string | number) => RawKey {
  if (form.as === 'width') {
    const bound = lowerBounds(form.width)
    return (value) => bound(Number(value))
  }
  if (form.as === 'bucket')
    return (value) => (inZone ? localPart(String(value)) : String(value).slice(0, DAY_LENGTH))
  return (value) => value
}

/** The lower bounds of ranges, as `lowerBound` makes them in SQL. */
function lowerBounds(width: number): (value: number) => number {
  const { whole, per } = widthAsWhole(width)
  const widest = widestOf(width)
  const start = (n: number) => (n * whole) / per
  return (value) => {
    if (Math.abs(value) > widest) return value
    const range = Math.abs(value) >= width ? Math.floor(value / width) : value < 0 ? -1 : 0
    if (per === 1) return start(range)
    if (start(range + 1) <= value) return start(range + 1)
    return start(range) > value ? start(range - 1) : start(range)
  }
}

/** Values that become one key get one digit. */
export function digitsOf({ codes, values }: PathCodes, key: GroupKey, inZone: boolean): Digits {
  if (key.form.as === 'value' || key.form.as === 'fold')
    return { codes, digitOf: positionsOf(values), raws: values }
  const shape = shapeOf(key, inZone)
  const raws: RawKey[] = []
  const positions = new Map<RawKey, number>()
  const digitOf = Int32Array.from(values, (value) => {
    const raw = value === null ? null : shape(value)
    let digit = positions.get(raw)
    if (digit === undefined) {
      digit = raws.push(raw) - 1
      positions.set(raw, digit)
    }
    return digit
  })
  return { codes, digitOf, raws }
}

/** Values are different from each other but for nulls, all of which get the place of the first. */
function positionsOf(values: PathCodes['values']): Int32Array {
  const positions = new Int32Array(values.length)
  const none = values.indexOf(null)
  for (let code = 0; code < values.length; code++) positions[code] = values[code] === null ? none : code
  return positions
}

/** Undefined where there are more than `most` groups. */
export function groupRows(mask: Mask, digits: readonly Digits[], most: number): ColumnGroups | undefined {
  const { numberAt, rows, counts } = digits
    .reduce((places, each) => places.with(each), new Places(mask))
    .numbered()
  if (rows.length > most) return undefined
  const keysAt = (row: number) => digits.map(({ codes, digitOf, raws }) => raws[digitOf[codes[row]!]!]!)
  return {
    mask,
    groupAt: numberAt,
    groups: rows.map((row, group) => ({ keys: keysAt(row), count: counts[group]! })),
  }
}

/** How often each value is in each group. */
export interface ValueCount {
  readonly group: number
  readonly value: string | number
  readonly count: number
}

export function countValues(
  { mask, groupAt, groups }: ColumnGroups,
  { codes, values }: PathCodes,
): ValueCount[] {
  const { rows, counts } = new Places(mask, groupAt, groups.length)
    .with({ codes, digitOf: positionsOf(values), raws: values })
    .numbered()
  return rows.flatMap((row, i) => {
    const value = values[codes[row]!]!
    return value === null ? [] : [{ group: groupAt[row]!, value, count: counts[i]! }]
  })
}

/** Places that are met, numbered from 0 in the order in which they are. */
interface Numbered {
  /** By row id; of rows outside of the mask it says nothing. */
  readonly numberAt: Int32Array
  /** By number, the first row, and how many rows there are. */
  readonly rows: readonly number[]
  readonly counts: readonly number[]
}

/**
 * By row id, the place of its combination among all that there could be. These become many more than a number can tell
 * apart, so that they are numbered anew wherever there are many.
 */
class Places {
  private readonly mask: Mask
  private readonly placeAt: Int32Array | Float64Array
  private readonly places: number

  constructor(mask: Mask, placeAt: Places['placeAt'] = new Int32Array(mask.length), places = 1) {
    this.mask = mask
    this.placeAt = placeAt
    this.places = places
  }

  /** One more key. */
  with(digits: Digits): Places {
    const { raws } = digits
    const isMany = this.places > 1 && this.places * raws.length > MAX_PLACES
    if (!isMany) return this.times(digits)
    const { numberAt, rows } = this.numbered()
    return new Places(this.mask, numberAt, rows.length).times(digits)
  }

  private times({ codes, digitOf, raws: { length } }: Digits): Places {
    const { mask, placeAt } = this
    const places = this.places * length
    const at = places > MAX_PLACES ? new Float64Array(mask.length) : new Int32Array(mask.length)
    for (let row = 0; row < mask.length; row++)
      if (mask[row]) at[row] = placeAt[row]! * length + digitOf[codes[row]!]!
    return new Places(mask, at, places)
  }

  numbered(): Numbered {
    const { mask, placeAt, places } = this
    const table = places > MAX_PLACES ? new NumberTable(countMask(mask)) : new PlaceTable(places)
    const numberAt = new Int32Array(mask.length)
    const rows: number[] = []
    const counts: number[] = []
    for (let row = 0; row < mask.length; row++) {
      if (!mask[row]) continue
      const number = table.positionOf(placeAt[row]!)
      if (number === rows.length) {
        rows.push(row)
        counts.push(0)
      }
      numberAt[row] = number
      counts[number]!++
    }
    table.free()
    return { numberAt, rows, counts }
  }
}

/** As a `NumberTable`, with room for each place that there could be. */
class PlaceTable {
  private readonly positionIn: Int32Array<ArrayBuffer>
  private met = 0

  constructor(places: number) {
    this.positionIn = new Int32Array(places)
  }

  positionOf(place: number): number {
    return (this.positionIn[place] ||= ++this.met) - 1
  }

  free(): void {
    this.positionIn.buffer.transfer(0)
  }
}
