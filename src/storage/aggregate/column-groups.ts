import { type GroupKey, widestOf, widthAsWhole } from '#src/storage/aggregate/group-key.ts'
import { DAY_LENGTH, MINUTE_LENGTH } from '#src/storage/aggregate/group-sql.ts'
import type { RawKey } from '#src/storage/aggregate/groups.ts'
import type { PathCodes } from '#src/storage/columns/path-codes.ts'
import type { Mask } from '#src/storage/columns/plan-mask.ts'

/** Combinations up to this many are counted in an array; of more only those that are met, in a map. */
const MAX_PLACES = 2 ** 22
/** Places below are whole numbers of 32 bits. */
const MAX_SHORT = 2 ** 31

/** The items of a mask, by the combination of their keys. */
export interface ColumnGroups {
  readonly mask: Mask
  readonly digits: readonly Digits[]
  /** A group's keys as the database would give them, and its items; `place` is what names it here. */
  readonly groups: readonly {
    readonly place: number
    readonly keys: readonly RawKey[]
    readonly count: number
  }[]
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
  if (form.as === 'bucket') return (value) => String(value).slice(0, inZone ? MINUTE_LENGTH : DAY_LENGTH)
  return (value) => value
}

/** The lower bounds of ranges, as `lowerBound` makes them in SQL. */
function lowerBounds(width: number): (value: number) => number {
  const { whole, per } = widthAsWhole(width)
  const widest = widestOf(width)
  const start = (n: number) => (n * whole) / per
  return (value) => {
    if (Math.abs(value) > widest) return value
    const range = Math.floor(value / width)
    if (per === 1) return start(range)
    if (start(range + 1) <= value) return start(range + 1)
    return start(range) > value ? start(range - 1) : start(range)
  }
}

/** Values that become one key get one digit. */
export function digitsOf({ codes, values }: PathCodes, key: GroupKey, inZone: boolean): Digits {
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

/** Undefined where there are more than `most` groups. */
export function groupRows(mask: Mask, digits: readonly Digits[], most: number): ColumnGroups | undefined {
  const counted = countPlaces(mask, digits)
  if (counted.length > most) return undefined
  const groups = counted.map(([place, count]) => ({ place, keys: keysAt(place, digits), count }))
  return { mask, digits, groups }
}

/** How many rows of the mask have each combination that is met. */
function countPlaces(mask: Mask, digits: readonly Digits[]): [place: number, count: number][] {
  const places = digits.reduce((product, { raws }) => product * raws.length, 1)
  const placeAt = placesOf(mask.length, digits, places)
  if (places > MAX_PLACES) {
    const counts = new Map<number, number>()
    for (let row = 0; row < mask.length; row++)
      if (mask[row]) counts.set(placeAt[row]!, (counts.get(placeAt[row]!) ?? 0) + 1)
    return [...counts]
  }
  const counts = new Uint32Array(places)
  for (let row = 0; row < mask.length; row++) if (mask[row]) counts[placeAt[row]!]!++
  const met: [number, number][] = []
  for (const [place, count] of counts.entries()) if (count) met.push([place, count])
  return met
}

/** By row id, the place of its combination among all. */
function placesOf(rows: number, digits: readonly Digits[], places: number): Int32Array | Float64Array {
  if (places <= MAX_SHORT) {
    const placeAt = new Int32Array(rows)
    for (const { codes, digitOf, raws } of digits) {
      const { length } = raws
      for (let row = 0; row < rows; row++) placeAt[row] = placeAt[row]! * length + digitOf[codes[row]!]!
    }
    return placeAt
  }
  const placeAt = new Float64Array(rows)
  for (const { codes, digitOf, raws } of digits) {
    const { length } = raws
    for (let row = 0; row < rows; row++) placeAt[row] = placeAt[row]! * length + digitOf[codes[row]!]!
  }
  return placeAt
}

function keysAt(place: number, digits: readonly Digits[]): RawKey[] {
  const keys: RawKey[] = []
  let rest = place
  for (const { raws } of digits.toReversed()) {
    keys.unshift(raws[rest % raws.length]!)
    rest = Math.floor(rest / raws.length)
  }
  return keys
}

/** How often each value is in each group. */
export interface ValueCount {
  /** The place of the group. */
  readonly group: number
  readonly value: string | number
  readonly count: number
}

export function countValues({ mask, digits }: ColumnGroups, { codes, values }: PathCodes): ValueCount[] {
  const digitOf = Int32Array.from(values.keys())
  return countPlaces(mask, [...digits, { codes, digitOf, raws: values }]).flatMap(([place, count]) => {
    const value = values[place % values.length]!
    return value === null ? [] : [{ group: Math.floor(place / values.length), value, count }]
  })
}
