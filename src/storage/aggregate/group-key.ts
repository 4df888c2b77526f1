import { foldInSlices } from '#src/domain/decompose.ts'
import { fold } from '#src/domain/fold.ts'
import { isReference } from '#src/domain/field-schema.ts'
import type { Problem } from '#src/domain/errors.ts'
import { bindValuePath, type ValuePath } from '#src/filter/meaning/value-path.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Bucket } from '#src/storage/aggregate/time-bucket.ts'

export type KeySource =
  | ValuePath
  | { readonly kind: 'has_tag' }
  | { readonly kind: 'time'; readonly column: 'created_at' | 'updated_at' }
  /** Of each item what is at the first of them where it has something; all have keys of one kind. */
  | { readonly kind: 'first'; readonly paths: readonly [ValuePath, ...ValuePath[]] }

/** How the values of a source become keys. */
export type KeyForm =
  | { readonly as: 'value' }
  | { readonly as: 'bucket'; readonly bucket: Bucket }
  | { readonly as: 'width'; readonly width: number }
  /** Case, accents, blanks and punctuation do not count. */
  | { readonly as: 'fold' }

/** A number that is larger than this is its own lower bound: doubles have no fractions of the width there. */
export const widestOf = (width: number): number => Math.min(width * 2 ** 53, Number.MAX_VALUE)

/** The largest power of ten that a double holds exactly. */
const MOST_DECIMALS = 22

/**
 * A width as whole numbers, `{ whole: 1, per: 10 }` of 0.1: a lower bound that is made of these is the double nearest
 * to the decimal number, so that 0.3 begins a range of its own and is written as 0.3. `per` is 1 where the width is whole.
 */
export function widthAsWhole(width: number): { whole: number; per: number } {
  const [digits = '', exponent] = width.toExponential().split('e')
  const decimals = Math.max(digits.length - '1.'.length, 0) - Number(exponent)
  const per = 10 ** Math.min(Math.max(decimals, 0), MOST_DECIMALS)
  const whole = Math.round(width * per)
  return whole / per === width && whole <= Number.MAX_SAFE_INTEGER ? { whole, per } : { whole: width, per: 1 }
}

/** One dimension of a grouping, its names resolved. */
export interface GroupKey {
  readonly source: KeySource
  readonly form: KeyForm
}

/** As it is asked for. */
export type GivenKey =
  | string
  | { by: string; bucket?: Bucket; width?: number; fold?: boolean }
  | { first: readonly string[] }

const KEYS_WITHOUT_TAG = ['name', 'has_tag', 'created_at', 'updated_at']

/** @returns the key, or what is wrong with it; `path` is where it stands in the input. */
export async function bindGroupKey(
  given: GivenKey,
  path: string,
  catalog: TagCatalog,
): Promise<GroupKey | Problem> {
  if (typeof given === 'object' && 'first' in given) return bindFirst(given.first, `${path}.first`, catalog)
  const { by, bucket, width, fold } = typeof given === 'string' ? ({ by: given } as const) : given
  const at = typeof given === 'string' ? path : `${path}.by`
  const fault = (message: string): Problem => ({ path: at, message })
  const forms = [bucket !== undefined, width !== undefined, fold === true].filter(Boolean).length
  if (forms > 1) return fault('give one of bucket, width and fold')
  const source = await bindSource(by, at, catalog)
  if ('message' in source) return source
  const isTime = source.kind === 'time' || isMoment(source)
  if (bucket !== undefined)
    return isTime
      ? { source, form: { as: 'bucket', bucket } }
      : fault(`'${by}' is no date or time, and a bucket is a calendar period`)
  if (source.kind === 'time') return fault(`'${by}' needs a bucket: day, week, month, quarter or year`)
  if (width !== undefined)
    return source.kind === 'field' && source.field.type === 'Number'
      ? { source, form: { as: 'width', width } }
      : fault(`'${by}' is no Number, and only Numbers have a width`)
  if (fold) {
    if (!isText(source)) return fault(`'${by}' is no String, and only text can be folded`)
    return { source, form: { as: 'fold' } }
  }
  return { source, form: { as: 'value' } }
}

const isMoment = (source: KeySource) =>
  source.kind === 'field' && (source.field.type === 'Date' || source.field.type === 'DateTime')

/** Its day depends on the time zone. */
export const isInstant = (source: KeySource): boolean =>
  source.kind === 'time' || (source.kind === 'field' && source.field.type === 'DateTime')

/** A moment's day depends on the zone, unless that is UTC; a Date has none. */
export const isInZone = ({ source, form }: GroupKey, zone: string): boolean =>
  form.as === 'bucket' && zone !== 'UTC' && isInstant(source)

async function bindFirst(
  given: readonly string[],
  path: string,
  catalog: TagCatalog,
): Promise<GroupKey | Problem> {
  const paths: ValuePath[] = []
  for (const [i, each] of given.entries()) {
    const bound = await bindValuePath(each, `${path}[${i}]`, catalog)
    if ('message' in bound) return bound
    const [kind, first] = [kindOf(bound), kindOf(paths[0] ?? bound)]
    if (kind !== first)
      return {
        path: `${path}[${i}]`,
        message: `gives a ${kind}, and '${given[0]}' a ${first}: name paths of one kind`,
      }
    paths.push(bound)
  }
  return { source: { kind: 'first', paths: paths as [ValuePath, ...ValuePath[]] }, form: { as: 'value' } }
}

/** What a key is that is made of the value there. */
function kindOf(path: ValuePath): 'text' | 'number' | 'boolean' | 'reference' {
  if (path.kind === 'name') return 'text'
  const { type } = path.field
  if (isReference(type)) return 'reference'
  return type === 'Number' ? 'number' : type === 'Boolean' ? 'boolean' : 'text'
}

/** Where the values are of which keys are made; of tags and of an item's own times there is no path. */
export function pathsOfKey({ source }: GroupKey): readonly ValuePath[] {
  if (source.kind === 'first') return source.paths
  return source.kind === 'field' || source.kind === 'name' ? [source] : []
}

/** Whether its keys are items, by their row ids. */
export const hasItemKeys = (key: GroupKey): boolean =>
  pathsOfKey(key).some((path) => path.kind === 'field' && isReference(path.field.type))

const isText = (source: KeySource) =>
  source.kind === 'name' || (source.kind === 'field' && source.field.type === 'String')

async function bindSource(by: string, path: string, catalog: TagCatalog): Promise<KeySource | Problem> {
  if (by === 'has_tag') return { kind: 'has_tag' }
  if (by === 'created_at' || by === 'updated_at') return { kind: 'time', column: by }
  return bindValuePath(by, path, catalog, { others: KEYS_WITHOUT_TAG })
}

/** Letters and digits of any script; what else there is does not tell spellings apart. */
const INSIGNIFICANT = /[^\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu

/**
 * A text as it counts when duplicates are looked for: without case, accents, blanks and punctuation (additions §12).
 * A text of nothing else counts as it is. More is left out than a search leaves out (`foldForSearch`), where blanks and
 * punctuation tell texts apart.
 */
export const foldForKey = (text: string): string =>
  foldInSlices(text, (slice) => fold(slice.replace(MARKS, '')).replace(INSIGNIFICANT, '')) || text
