import {
  type FieldMap,
  type FieldSchema,
  flattenFields,
  variantName,
  variantsOf,
} from '#src/domain/field-schema.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'

/** What renames that followed one another come to: one that was taken back is none. */
export interface NetRenames extends TagRenames {
  /** Fields whose names others have now, and variants, these by the new names of their fields. */
  lost: ReadonlySet<string>
  lostVariants: ReadonlyMap<string, ReadonlySet<string>>
}

export const NO_RENAMES: NetRenames = {
  fields: new Map(),
  variants: new Map(),
  lost: new Set(),
  lostVariants: new Map(),
}

/** The renames, oldest first, as one. */
export function netRenames(renames: readonly TagRenames[]): NetRenames {
  if (!renames.length) return NO_RENAMES
  const fields = new Places()
  const variants = new Map<string, Places>()
  for (const each of renames) {
    fields.move(each.fields)
    for (const [field, names] of each.variants) {
      const origin = fields.originOf(field)
      if (origin === null) continue
      const places = variants.get(origin) ?? new Places()
      variants.set(origin, places)
      places.move(names)
    }
  }
  const net = fields.net()
  const ofVariants = [...variants].map(
    ([field, places]) => [net.moved.get(field) ?? field, places.net()] as const,
  )
  return {
    fields: net.moved,
    lost: net.lost,
    variants: new Map(ofVariants.flatMap(([field, { moved }]) => (moved.size ? [[field, moved]] : []))),
    lostVariants: new Map(ofVariants.flatMap(([field, { lost }]) => (lost.size ? [[field, lost]] : []))),
  }
}

/** Where names have gone. Something that gets a name hides what had it, until it goes on. */
class Places {
  /** What has a name, the last one on top: by the name that it had first, null where it was made in between. */
  private readonly at = new Map<string, (string | null)[]>()

  private stack(name: string): (string | null)[] {
    let stack = this.at.get(name)
    if (!stack) this.at.set(name, (stack = [name]))
    return stack
  }

  /** All at once: two may change their names with each other. */
  move(names: ReadonlyMap<string, string>): void {
    const moving = [...names].map(([old, name]) => [name, this.stack(old).pop() ?? null] as const)
    for (const [name, origin] of moving) this.stack(name).push(origin)
  }

  originOf(name: string): string | null {
    return this.stack(name).at(-1) ?? null
  }

  net(): { moved: Map<string, string>; lost: Set<string> } {
    const moved = new Map<string, string>()
    const lost = new Set<string>()
    for (const [name, stack] of this.at) {
      const top = stack.at(-1)
      if (typeof top === 'string' && top !== name) moved.set(top, name)
      for (const origin of stack.slice(0, -1)) if (origin !== null) lost.add(origin)
    }
    return { moved, lost }
  }
}

/** Whether one of the fields, or one of their variants, has lost its name. */
export function losesNames(fields: FieldMap, { fields: moved, lost, lostVariants }: NetRenames): boolean {
  if (!lost.size && !lostVariants.size) return false
  return flattenFields(fields)
    .values()
    .some(
      ({ name, schema }) =>
        lost.has(name) ||
        variantsOf(schema).some((each) => lostVariants.get(moved.get(name) ?? name)?.has(each)),
    )
}

/** Fields without those, and without those variants, whose names others have now. */
export function withoutLost(fields: FieldMap, renames: NetRenames): FieldMap {
  if (!renames.lost.size && !renames.lostVariants.size) return fields
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !renames.lost.has(name))
      .map(([name, schema]) => {
        const lost = renames.lostVariants.get(renames.fields.get(name) ?? name)
        return [name, withoutVariants(schema, lost ?? new Set(), renames)]
      }),
  )
}

function withoutVariants(schema: FieldSchema, lost: ReadonlySet<string>, renames: NetRenames): FieldSchema {
  if (typeof schema === 'string' || !('variants' in schema)) return schema
  if (schema.type === 'MultiSelect')
    return { ...schema, variants: schema.variants.filter((each) => !lost.has(variantName(each))) }
  const variants = schema.variants
    .filter((each) => !lost.has(variantName(each)))
    .map((each) =>
      typeof each === 'object' && each.fields ? { ...each, fields: withoutLost(each.fields, renames) } : each,
    )
  return { ...schema, variants }
}
