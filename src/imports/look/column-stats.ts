import { checkVariantName } from '#src/domain/check-field-schema.ts'
import { amountOf } from '#src/domain/amount-text.ts'
import { type DateOrder, hasTime, OrderCount } from '#src/domain/date-text.ts'
import { type DecimalSign, hasTooManyDigits, readNumber, SignCount } from '#src/domain/number-text.ts'
import { AmountCount } from '#src/imports/look/amount-count.ts'
import type { GuessedColumn } from '#src/imports/look/guessed-column.ts'
import { StoredStats } from '#src/imports/look/stored-stats.ts'
import { type Cell, isRich } from '#src/imports/source.ts'
import { isClearlyBoolean, readDate, readMoment } from '#src/imports/values/read-text.ts'
import { ListCount, listOf } from '#src/domain/list-text.ts'

/** A hundredth may be typed wrongly: those are faults of theirs, not of the type. */
const MISFITS = 0.01
/** What people write where they have nothing to say. */
const NOTHING = /^(?:n\.?\/?a\.?|none|null|nil|unknown|tbd|-+|–|—|\?+)$/i
const MOST_NOTHING = 0.2
const LONGEST_VARIANT = 60
/** Different values that are remembered: of a choice, and of what may be names of items. */
const MOST_VARIANTS = 60
const MOST_NAMES = 300
const LONGEST_NAME = 300
const SAMPLES = 5
const LONGEST_SAMPLE = 200
/** Longer texts are neither dates nor numbers. */
const LONGEST_FIT = 60
/** What begins with 0, and phone numbers: `+49 301 234`, or eight digits and more behind the sign. */
const CODE = /^(?:0\d|\+\d+(?:\s\d+)+$|\+\d+(?:\.\d+){2,}$|\+\d{8,}$)/
/** Of a machine: four numbers up to 255. In German `192.168.100.200` is a number as well. */
const ADDRESS = /^(?:(?:1?\d?\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/
const ORDERS: readonly DateOrder[] = ['DMY', 'MDY', 'YMD']
const SIGNS: readonly DecimalSign[] = ['.', ',']

/** Sees the cells of a column, one after the other, and remembers a bounded part of them. */
export class ColumnStats {
  private count = 0
  private nothing = 0
  private readonly misfits = { date: 0, moment: 0, number: 0, amount: 0, address: 0, boolean: 0 }
  private lists = 0
  private html = 0
  private files = 0
  private links = 0
  private isCode = false
  private readonly orders = new OrderCount()
  private readonly signs = new SignCount()
  private readonly amounts = new AmountCount()
  private readonly listSigns = new ListCount()
  private readonly samples = new Set<string>()
  private readonly whole = new Distinct(MOST_NAMES)
  private readonly parts = { ', ': new Distinct(MOST_NAMES), ';': new Distinct(MOST_NAMES) }
  /** Parts of different cells. */
  private readonly partsOfDifferent = { ', ': 0, ';': 0 }
  private multiple = 0
  private stored: StoredStats | undefined

  take(cell: Cell): void {
    if (isRich(cell) && 'error' in cell) return
    this.count++
    if (typeof cell === 'number') return this.takeNumber(cell)
    if (typeof cell === 'boolean') return this.takeBoolean(cell)
    if (typeof cell === 'string') return this.takeText(cell.trim())
    if (cell === null) return
    if (isList(cell)) this.takeList(cell)
    else if ('files' in cell) this.files++
    else if ('links' in cell) {
      this.links++
      if (cell.links.length > 1) this.multiple++
    } else if ('stored' in cell) (this.stored ??= new StoredStats()).take(cell.stored)
    else this.html++
  }

  /** How its numbers are written, where they show it. */
  get sign(): DecimalSign | undefined {
    return this.guess().type === 'Number' ? this.signs.shown : undefined
  }

  /** `others`: how the numbers of other columns are written, which decides where these can be read in two ways. */
  guess(others?: DecimalSign): GuessedColumn {
    if (this.stored) return this.stored.guess()
    const samples = [...this.samples]
    const real = this.count - this.nothing
    // Where others say something else, files are told by their names.
    if (this.files) return { type: this.files === this.count ? 'File' : 'String', samples }
    if (this.links) return { type: this.multiple ? 'MultiReference' : 'Reference', samples }
    if (!real || this.nothing > MOST_NOTHING * this.count) return { ...this.listType(), samples }
    const fits = (misfits: number) => misfits <= Math.floor(real * MISFITS)
    const { order } = this.orders
    const format = order === undefined || order === 'YMD' ? {} : { format: order }
    if (fits(this.misfits.date)) return { type: 'Date', ...format, samples }
    if (fits(this.misfits.moment)) return { type: 'DateTime', ...format, samples }
    // The comma only where it is clear: else `1.234` and `1,234` are read as programs write them.
    const sign = this.signs.sign ?? others
    const written = sign === ',' ? { format: '1.234,5' as const } : {}
    if (fits(this.misfits.number) && !this.isCode && !fits(this.misfits.address))
      return { type: 'Number', ...written, samples }
    const hints = this.amounts.hints(sign)
    if (hints && fits(this.misfits.amount)) return { type: 'Number', ...written, hints, samples }
    if (!this.misfits.boolean) return { type: 'Boolean', samples }
    // Of texts, too: somebody may say that they are numbers.
    return { ...this.listType(), ...(hints && { hints }), samples }
  }

  private listType(): Pick<GuessedColumn, 'type' | 'variants' | 'names' | 'parts'> {
    const parts = this.parts[this.listSigns.sign]
    const areLists = parts.count > this.whole.count
    const names = {
      ...(this.whole.all && { names: this.whole.all }),
      ...(areLists && parts.all && { parts: parts.all }),
    }
    if (this.lists) return { type: 'MultiSelect', variants: parts.all ?? [], ...names }
    if (this.html) return { type: 'String' }
    // A part that is in different lists: `Doe, Jane` is one text, with a comma in it.
    if (areLists && parts.isChoice && this.partsOfDifferent[this.listSigns.sign] > parts.size)
      return { type: 'MultiSelect', variants: parts.all!, ...names }
    return this.whole.isChoice
      ? { type: 'Select', variants: this.whole.all!, ...names }
      : { type: 'String', ...names }
  }

  private takeText(text: string): void {
    if (!text) {
      this.count--
      return
    }
    this.sample(text)
    const isNew = this.whole.take(text)
    this.listSigns.take(text)
    for (const sign of [', ', ';'] as const) {
      const parts = text.includes(sign) || text.startsWith('"') ? listOf(text, sign) : [text]
      for (const part of parts) this.parts[sign].take(part)
      if (isNew) this.partsOfDifferent[sign] += parts.length
    }
    if (NOTHING.test(text)) {
      this.nothing++
      return
    }
    this.orders.take(text)
    this.fit('boolean', () => isClearlyBoolean(text))
    const isShort = text.length <= LONGEST_FIT
    const amount = isShort && !this.isHopeless('amount') ? amountOf(text) : null
    if (amount) this.amounts.take(amount)
    this.signs.take(amount?.number ?? text)
    this.fit('amount', () => amount && this.amounts.isOfOne(amount))
    this.isCode ||= CODE.test(text) || (isShort && SIGNS.some((sign) => hasTooManyDigits(text, sign)))
    this.fit('number', () => isShort && SIGNS.some((sign) => readNumber(text, sign) !== null))
    this.fit('address', () => ADDRESS.test(text))
    this.fit(
      'date',
      () => isShort && /\d/.test(text) && !hasTime(text) && ORDERS.some((order) => readDate(text, order)),
    )
    this.fit(
      'moment',
      () => isShort && /\d/.test(text) && ORDERS.some((order) => readMoment(text, order, 'UTC')),
    )
  }

  /** What has not fitted very often is not tried any more. */
  private fit(kind: keyof ColumnStats['misfits'], test: () => unknown): void {
    if (this.isHopeless(kind) || !test()) this.misfits[kind]++
  }

  private isHopeless(kind: keyof ColumnStats['misfits']): boolean {
    return this.misfits[kind] > 10 && this.misfits[kind] > 0.2 * this.count
  }

  private takeNumber(value: number): void {
    const { misfits } = this
    misfits.date++
    misfits.moment++
    misfits.amount++
    misfits.address++
    misfits.boolean++
    this.sample(String(value))
    this.whole.take(String(value))
    for (const parts of Object.values(this.parts)) parts.take(String(value))
  }

  private takeBoolean(value: boolean): void {
    const { misfits } = this
    misfits.date++
    misfits.moment++
    misfits.number++
    misfits.amount++
    misfits.address++
    this.sample(String(value))
    this.whole.take(String(value))
    for (const parts of Object.values(this.parts)) parts.take(String(value))
  }

  private takeList(list: readonly string[]): void {
    this.lists++
    for (const kind of ['date', 'moment', 'number', 'amount', 'address', 'boolean'] as const)
      this.misfits[kind]++
    this.whole.take(list.join(', '))
    for (const parts of Object.values(this.parts)) for (const each of list) parts.take(each)
    this.sample(list.join(', '))
  }

  private sample(text: string): void {
    if (this.samples.size < SAMPLES) this.samples.add(text.slice(0, LONGEST_SAMPLE))
  }
}

const mayBeVariant = (text: string): boolean =>
  text.length <= LONGEST_VARIANT && !checkVariantName(text).length

const isList = (cell: object): cell is readonly string[] => Array.isArray(cell)

/** Different texts of a column, as long as there are few. */
class Distinct {
  count = 0
  private readonly most: number
  private texts: Set<string> | null = new Set()

  constructor(most: number) {
    this.most = most
  }

  /** Whether it is seen for the first time, as far as that is known. */
  take(text: string): boolean {
    this.count++
    if (!this.texts || this.texts.has(text)) return false
    this.texts.add(text)
    if (text.length > LONGEST_NAME || this.texts.size > this.most) this.texts = null
    return true
  }

  /** Undefined where there were too many. */
  get all(): string[] | undefined {
    return this.texts ? [...this.texts] : undefined
  }

  get size(): number {
    return this.texts?.size ?? Infinity
  }

  /** Few texts, each of which comes again. */
  get isChoice(): boolean {
    const { size, count } = this
    if (size > MOST_VARIANTS || !size) return false
    // Of a short table little is asked, of a long one more.
    const enough = count < 20 ? size * 1.5 : size > 12 ? size * 10 : size * 3
    return count >= enough && this.all!.every(mayBeVariant)
  }
}
