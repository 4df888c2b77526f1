import type { Problem } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import { MAX_HOPS } from '#src/filter/language/parse-filter.ts'
import { bindFieldReference } from '#src/filter/meaning/bind-filter.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Bucket } from '#src/storage/aggregate/time-bucket.ts'

/** Where a value stands, seen from an item: over references to a field, or to the name of the item reached. */
export type ValuePath =
  | { readonly kind: 'field'; readonly hops: readonly BoundField[]; readonly field: BoundField }
  | { readonly kind: 'name'; readonly hops: readonly BoundField[] }

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

/** One dimension of a grouping, its names resolved. */
export interface GroupKey {
  readonly source: KeySource
  readonly form: KeyForm
}

/** As it is asked for. */
export type GivenKey = string | { by: string; bucket?: Bucket; width?: number; fold?: boolean }

const ARROW = '->'
const TIMES = ['created_at', 'updated_at'] as const
const PLAIN_KEYS = ['name', 'has_tag', ...TIMES]

/** @returns the key, or what is wrong with it; `path` is where it stands in the input. */
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

const hasType = ({ type }: BoundField, ...types: string[]) => types.includes(type)

const isMoment = (source: KeySource) => source.kind === 'field' && hasType(source.field, 'Date', 'DateTime')

/** Its day depends on the time zone. */
export const isInstant = (source: KeySource): boolean =>
  source.kind === 'time' || (source.kind === 'field' && hasType(source.field, 'DateTime'))

const isText = (source: KeySource) =>
  source.kind === 'name' || (source.kind === 'field' && source.field.type === 'String')

async function bindSource(by: string, path: string, catalog: TagCatalog): Promise<KeySource | Problem> {
  if (by === 'has_tag') return { kind: 'has_tag' }
  if (by === 'created_at' || by === 'updated_at') return { kind: 'time', column: by }
  return bindValuePath(by, path, catalog)
}

/** The place that `Tag.field`, `Tag.reference->Tag.field`, `Tag.reference->name` or `name` means, or what is wrong. */
export async function bindValuePath(
  by: string,
  path: string,
  catalog: TagCatalog,
): Promise<ValuePath | Problem> {
  const segments = by.split(ARROW)
  const last = segments.pop()!
  if (segments.length > MAX_HOPS)
    return { path, message: `Reference traversal exceeds max depth of ${MAX_HOPS} hops` }
  const hops: BoundField[] = []
  for (const segment of segments) {
    const field = await bindField(segment, path, catalog)
    if ('message' in field) return field
    if (!isReference(field))
      return { path, message: `'->' must follow a Reference field, and '${segment}' is a ${field.type}` }
    hops.push(field)
  }
  if (last === 'name') return { kind: 'name', hops }
  const field = await bindField(last, path, catalog)
  return 'message' in field ? field : { kind: 'field', hops, field }
}

export const isReference = (field: BoundField): boolean => hasType(field, 'Reference', 'MultiReference')

async function bindField(segment: string, path: string, catalog: TagCatalog): Promise<BoundField | Problem> {
  if (!segment.includes('.')) {
    const meant = nearest(segment, PLAIN_KEYS)
    const hint = meant ? `did you mean '${meant}'?` : 'expected <Tag>.<field>'
    return { path, message: `'${segment}' is no field; ${hint}` }
  }
  const reference = await bindFieldReference(segment, path, catalog)
  if ('message' in reference) return reference
  const { tag, name, field } = reference
  if (field) return field
  const meant = nearest(name, tag.fields.keys())
  const hint = meant ? `; did you mean '${tag.name}.${meant}'?` : ''
  return { path, message: `Tag '${tag.name}' has no field '${name}'${hint}` }
}

/** An item can have several values there. */
export const isMulti = (path: ValuePath): boolean =>
  [...path.hops, ...(path.kind === 'field' ? [path.field] : [])].some((field) =>
    hasType(field, 'MultiSelect', 'MultiReference'),
  )
