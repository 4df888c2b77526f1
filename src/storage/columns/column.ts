/** What a column has for a row without a value, and for one whose value does not fit the field's type. */
const ABSENT = 0
const MISFIT = 1
/** More different values than these are not coded. */
export const MAX_CODES = 65_536
/** New rows find room without a copy each time. */
const SPARE = 1024
const GROWTH = 1.05

/** As the value index has it; null for a value that does not fit, undefined for none. */
export type HeldValue = string | number | null | undefined

/** What all items have of one thing, by row id. */
export type Column = FlagColumn | CodedColumn | NumberColumn

const capacityFor = (rows: number): number => Math.ceil(rows * GROWTH) + SPARE

/** True or false of each item. */
export class FlagColumn {
  flags: Uint8Array

  constructor(rows: number) {
    this.flags = new Uint8Array(capacityFor(rows))
  }

  get bytes(): number {
    return this.flags.byteLength
  }

  grow(rows: number): void {
    if (this.flags.length < rows) this.flags = copied(this.flags, new Uint8Array(capacityFor(rows)))
  }

  set(row: number, value: HeldValue): boolean {
    this.flags[row] = value === undefined ? 0 : 1
    return true
  }
}

/** Few different values: each has a code. */
export class CodedColumn {
  codes: Uint16Array
  /** By code; the first two stand for no value and for one that does not fit. */
  readonly values: (string | number | null)[] = [null, null]
  private readonly codeOf = new Map<string | number, number>()

  constructor(rows: number) {
    this.codes = new Uint16Array(capacityFor(rows))
  }

  get bytes(): number {
    const perValue = 100 // the text, and its place in the map
    return this.codes.byteLength + this.values.length * perValue
  }

  grow(rows: number): void {
    if (this.codes.length < rows) this.codes = copied(this.codes, new Uint16Array(capacityFor(rows)))
  }

  /** False where there is no code left. */
  set(row: number, value: HeldValue): boolean {
    const code = this.code(value)
    if (code === undefined) return false
    this.codes[row] = code
    return true
  }

  /** For each code whether `holds` is true of its value. */
  table(
    holds: (value: string | number) => boolean,
    { absent = false, misfit = false }: { absent?: boolean; misfit?: boolean } = {},
  ): Uint8Array {
    const table = Uint8Array.from(this.values, (value) => (value !== null && holds(value) ? 1 : 0))
    table[ABSENT] = absent ? 1 : 0
    table[MISFIT] = misfit ? 1 : 0
    return table
  }

  private code(value: HeldValue): number | undefined {
    if (value === undefined) return ABSENT
    if (value === null) return MISFIT
    let code = this.codeOf.get(value)
    if (code === undefined) {
      if (this.values.length === MAX_CODES) return undefined
      code = this.values.push(value) - 1
      this.codeOf.set(value, code)
    }
    return code
  }
}

/** Numbers, or row ids of what is referred to: NaN for none, infinite for one that does not fit. */
export class NumberColumn {
  numbers: Float64Array

  constructor(rows: number) {
    this.numbers = new Float64Array(capacityFor(rows)).fill(NaN)
  }

  get bytes(): number {
    return this.numbers.byteLength
  }

  grow(rows: number): void {
    if (this.numbers.length >= rows) return
    this.numbers = copied(this.numbers, new Float64Array(capacityFor(rows)).fill(NaN))
  }

  set(row: number, value: HeldValue): boolean {
    this.numbers[row] = value === undefined ? NaN : typeof value === 'number' ? value : Infinity
    return true
  }
}

function copied<T extends Uint8Array | Uint16Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}
