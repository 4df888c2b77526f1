import type { Problem } from '#src/domain/errors.ts'
import { bindValuePath, type ValuePath } from '#src/filter/meaning/value-path.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Bucket } from '#src/storage/aggregate/time-bucket.ts'

export type KeySource =
  | ValuePath
  | { readonly kind: 'has_tag' }
  | { readonly kind: 'time'; readonly column: 'created_at' | 'updated_at' }

/** How the values of a source become keys. */
export type KeyForm =
  | { readonly as: 'value' }
  | { readonly as: 'bucket'; readonly bucket: Bucket }
  | { readonly as: 'width'; readonly width: number }
  /** Case, accents, blanks and punctuation do not count. */
  | { readonly as: 'fold' }

/** A number that is larger than this is its own lower bound: doubles have no fractions of the width there. */
export const widestOf = (width: number): number => Math.min(width * 2 ** 53, Number.MAX_VALUE)

/** One dimension of a grouping, its names resolved. */
export interface GroupKey {
  readonly source: KeySource
  readonly form: KeyForm
}

/** As it is asked for. */
export type GivenKey = string | { by: string; bucket?: Bucket; width?: number; fold?: boolean }

const KEYS_WITHOUT_TAG = ['name', 'has_tag', 'created_at', 'updated_at']

/** @returns the key, or what is wrong with it; `path` is where it is in the input. */
export async function bindGroupKey(
  given: GivenKey,
  path: string,
  catalog: TagCatalog,
): Promise<GroupKey | Problem> {
  const { by, bucket, width, fold } = typeof given === 'string' ? ({ by: given } as const) : given
  const fault = (message: string): Problem => ({ path, message })
  const forms = [bucket !== undefined, width !== undefined, fold === true].filter(Boolean).length
  if (forms > 1) return fault('give one of bucket, width and fold')
  const source = await bindSource(by, path, catalog)
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

const isText = (source: KeySource) =>
  source.kind === 'name' || (source.kind === 'field' && source.field.type === 'String')

async function bindSource(by: string, path: string, catalog: TagCatalog): Promise<KeySource | Problem> {
  if (by === 'has_tag') return { kind: 'has_tag' }
  if (by === 'created_at' || by === 'updated_at') return { kind: 'time', column: by }
  return bindValuePath(by, path, catalog, { others: KEYS_WITHOUT_TAG })
}
