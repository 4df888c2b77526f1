import type { Problem } from '#src/domain/errors.ts'
import { isMany, isReference } from '#src/domain/field-schema.ts'
import { nearest } from '#src/domain/nearest.ts'
import { MAX_HOPS } from '#src/filter/language/parse-filter.ts'
import { bindFieldReference } from '#src/filter/meaning/bind-filter.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { leftField, noSuchField } from '#src/filter/meaning/bound-field.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

const ARROW = '->'

/** Where a value is, seen from an item: over references to a field, or to the name of the item reached. */
export type ValuePath =
  | { readonly kind: 'field'; readonly hops: readonly BoundField[]; readonly field: BoundField }
  | { readonly kind: 'name'; readonly hops: readonly BoundField[] }

interface PathOptions {
  /** What may be there besides, for the hint. */
  others?: readonly string[]
  /** Whether the last field may have left its schema. */
  left?: boolean
}

/**
 * The place that `Tag.field`, `Tag.reference->Tag.field`, `Tag.reference->name` or `name` means, or what is wrong.
 */
export async function bindValuePath(
  by: string,
  path: string,
  catalog: TagCatalog,
  { others = ['name'], left = false }: PathOptions = {},
): Promise<ValuePath | Problem> {
  const segments = by.split(ARROW)
  const last = segments.pop()!
  if (segments.length > MAX_HOPS)
    return { path, message: `Reference traversal exceeds max depth of ${MAX_HOPS} hops` }
  const hops: BoundField[] = []
  for (const segment of segments) {
    const field = await bindField(segment, path, catalog, [])
    if ('message' in field) return field
    if (!isReference(field.type))
      return { path, message: `'->' must follow a Reference field, and '${segment}' is a ${field.type}` }
    hops.push(field)
  }
  if (last === 'name') return { kind: 'name', hops }
  const field = await bindField(last, path, catalog, hops.length ? ['name'] : others, left)
  return 'message' in field ? field : { kind: 'field', hops, field }
}

async function bindField(
  segment: string,
  path: string,
  catalog: TagCatalog,
  others: readonly string[],
  left = false,
): Promise<BoundField | Problem> {
  if (!segment.includes('.')) {
    const meant = nearest(segment, others)
    const hint = meant ? `did you mean '${meant}'?` : 'expected <Tag>.<field>'
    return { path, message: `'${segment}' is no field; ${hint}` }
  }
  const reference = await bindFieldReference(segment, path, catalog)
  if ('message' in reference) return reference
  const found = reference.field ?? (left ? leftField(reference) : undefined)
  return found ?? { path, message: noSuchField(reference) }
}

/** An item can have several values there. */
export const isMulti = (path: ValuePath): boolean =>
  [...path.hops, ...(path.kind === 'field' ? [path.field] : [])].some(({ type }) => isMany(type))
