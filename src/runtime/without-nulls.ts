import { isRecord } from '#src/domain/is-record.ts'
import { branchFor, type InputSchema } from '#src/runtime/input-schema.ts'

/** The value with each null taken out that stands for an optional property and has no meaning there. */
export function withoutNulls(given: InputSchema, value: unknown): unknown {
  const schema = branchFor(given, value)
  if (Array.isArray(value)) return elementsWithoutNulls(schema, value)
  if (!isRecord(value) || !schema.properties) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue
    const old = value[name]
    if (old === null && !schema.required?.includes(name) && !takesNull(property))
      delete (copy ??= { ...value })[name]
    else {
      const clean = withoutNulls(property, old)
      if (clean !== old) (copy ??= { ...value })[name] = clean
    }
  }
  return copy ?? value
}

function elementsWithoutNulls({ items, maxItems = Infinity }: InputSchema, list: unknown[]): unknown[] {
  if (!(items?.properties || items?.anyOf) || list.length > maxItems) return list
  return list.map((each) => withoutNulls(items, each))
}

const takesNull = (schema: InputSchema): boolean =>
  schema.type === 'null' || (!schema.type && !schema.anyOf) || (schema.anyOf?.some(takesNull) ?? false)
