import { type FieldSchema, type FlatField, type FlatFields } from '#src/domain/field-schema.ts'
import { sameFieldShape } from '#src/domain/field-shape.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'

/** How a field of a tag, or a sub-field, comes out of a change of the schema. */
export interface FieldChange {
  change: 'added' | 'removed' | 'renamed' | 'retyped' | 'variants'
  /** Its new name; of a removed one the old. */
  field: string
  before?: FlatField | undefined
  after?: FlatField | undefined
}

/** In the order of the new schema, what is removed last. A field that is renamed and retyped appears there twice. */
export function fieldChanges(before: FlatFields, after: FlatFields, renames: TagRenames): FieldChange[] {
  const changes: FieldChange[] = []
  const oldNames = new Map([...renames.fields].map(([old, name]) => [name, old]))
  const kept = new Set<string>()
  for (const [field, schema] of after) {
    const old = oldNames.get(field) ?? (renames.fields.has(field) ? undefined : field)
    const was = old === undefined ? undefined : before.get(old)
    const add = (change: FieldChange['change']) => changes.push({ change, field, before: was, after: schema })
    if (!was) add('added')
    else {
      kept.add(was.name)
      if (was.name !== field) add('renamed')
      if (was.type !== schema.type) add('retyped')
      else if (renames.variants.has(field) || !sameVariants(was.schema, schema.schema)) add('variants')
    }
  }
  for (const [field, was] of before)
    if (!kept.has(field)) changes.push({ change: 'removed', field, before: was })
  return changes
}

/** Sub-fields are fields of their own here. */
const sameVariants = (a: FieldSchema, b: FieldSchema) => sameFieldShape(bare(a), bare(b))

const bare = (schema: FieldSchema): unknown =>
  typeof schema === 'object' && 'variants' in schema
    ? { ...schema, variants: schema.variants.map((each) => (typeof each === 'string' ? each : each.name)) }
    : schema
