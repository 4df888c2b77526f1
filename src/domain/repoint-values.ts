import { type FlatFields, isReference } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/**
 * Values of which the references to some items point to another instead, which appears in a list once; the same object
 * where nothing refers to them.
 */
export function repointValues(
  schema: FlatFields,
  values: FieldValues,
  from: ReadonlySet<Ulid>,
  to: Ulid,
): FieldValues {
  const changed = Object.entries(values).flatMap(([name, value]) => {
    if (!isReference(schema.get(name)?.type)) return []
    const repointed = repointValue(value, from, to)
    return repointed === value ? [] : [[name, repointed] as const]
  })
  return changed.length ? { ...values, ...Object.fromEntries(changed) } : values
}

function repointValue(value: unknown, from: ReadonlySet<Ulid>, to: Ulid): unknown {
  if (typeof value === 'string') return from.has(value.toUpperCase()) ? to : value
  if (!Array.isArray(value)) return value
  const repointed = value.map((each) => (typeof each === 'string' ? repointValue(each, from, to) : each))
  return repointed.every((each, i) => each === value[i]) ? value : [...new Set(repointed)]
}
