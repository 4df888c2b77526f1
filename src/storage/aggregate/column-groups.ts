import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import { DAY_LENGTH, MINUTE_LENGTH } from '#src/storage/aggregate/group-sql.ts'
import type { RawKey } from '#src/storage/aggregate/groups.ts'
import type { PathCodes } from '#src/storage/columns/path-codes.ts'
import type { Mask } from '#src/storage/columns/plan-mask.ts'

/** Combinations up to this many have a place each; of more only those that are met. */
const MAX_PLACES = 2 ** 22

/** The items of a mask, by the combination of their keys. */
export interface ColumnGroups {
  /** By group, its keys as the database would give them. */
  readonly keys: readonly (readonly RawKey[])[]
  readonly counts: readonly number[]
  /** By row id, the number of the item's group; negative where it is in none. */
  readonly groupOf: Int32Array
}

/** One key of a grouping: by code, the position of what it becomes among `raws`. */
interface Digits {
  readonly codes: PathCodes['codes']
  readonly digitOf: Int32Array
  readonly raws: readonly RawKey[]
}

/** How a value becomes a key, as `keyRows` does it in SQL. */
function shapeOf({ form }: GroupKey, inZone: boolean): (value: string | number) => RawKey {
  if (form.as === 'width') return (value) => Math.floor(Number(value) / form.width)
  if (form.as === 'bucket') return (value) => String(value).slice(0, inZone ? MINUTE_LENGTH : DAY_LENGTH)
  return (value) => value
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
  const numberOf = numbering(digits.reduce((product, { raws }) => product * raws.length, 1))
  const places: number[] = []
  const counts: number[] = []
  const groupOf = new Int32Array(mask.length)
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) {
      groupOf[row] = -1
      continue
    }
    let place = 0
    for (const { codes, digitOf, raws } of digits) place = place * raws.length + digitOf[codes[row]!]!
    const group = numberOf(place, counts.length)
    if (group === counts.length) {
      if (group === most) return undefined
      counts.push(0)
      places.push(place)
    }
    counts[group]!++
    groupOf[row] = group
  }
  return { keys: places.map((place) => keysAt(place, digits)), counts, groupOf }
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

/** Gives a place the number that it has, or `next`. */
export function numbering(places: number): (place: number, next: number) => number {
  if (places <= MAX_PLACES) {
    const numbers = new Int32Array(places).fill(-1)
    return (place, next) => {
      const known = numbers[place]!
      return known < 0 ? (numbers[place] = next) : known
    }
  }
  const numbers = new Map<number, number>()
  return (place, next) => {
    const known = numbers.get(place)
    if (known === undefined) numbers.set(place, next)
    return known ?? next
  }
}

/** How often each value is in each group. */
export interface ValueCount {
  readonly group: number
  readonly value: string | number
  readonly count: number
}

export function countValues({ groupOf, keys }: ColumnGroups, { codes, values }: PathCodes): ValueCount[] {
  const numberOf = numbering(keys.length * values.length)
  const places: number[] = []
  const counts: number[] = []
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row]!
    if (group < 0) continue
    const place = group * values.length + codes[row]!
    const number = numberOf(place, counts.length)
    if (number === counts.length) {
      counts.push(0)
      places.push(place)
    }
    counts[number]!++
  }
  return places.flatMap((place, i) => {
    const value = values[place % values.length]!
    return value === null ? [] : [{ group: Math.floor(place / values.length), value, count: counts[i]! }]
  })
}
