/** The parts of JSON Schema that the operations use. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
}

/** A schema's type in a few words: `string, 1–1000 characters`, `array of {item_id}`. */
export function schemaWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(' or ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(schemaWords))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'array')
    return `array of ${schema.items ? schemaWords(schema.items) : 'any'}${range(schema.maxItems && { to: schema.maxItems }, 'elements')}`
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {})
    return names.length
      ? `{${names.map((name) => (schema.required?.includes(name) ? name : `${name}?`)).join(', ')}}`
      : 'object'
  }
  if (schema.type === 'string')
    return `string${range((schema.minLength || schema.maxLength) && { from: schema.minLength, to: schema.maxLength }, 'characters')}`
  if (schema.type === 'integer' || schema.type === 'number')
    return `${schema.type}${range((schema.minimum !== undefined || schema.maximum !== undefined) && { from: schema.minimum, to: schema.maximum }, '')}`
  return schema.type ?? 'any'
}

function range(
  bounds: { from?: number | undefined; to?: number | undefined } | 0 | undefined | false,
  unit: string,
): string {
  if (!bounds) return ''
  const { from, to } = bounds
  const words =
    from !== undefined && to !== undefined
      ? `${from}–${to}`
      : from !== undefined
        ? `at least ${from}`
        : `at most ${to}`
  return `, ${words}${unit && ` ${unit}`}`
}
