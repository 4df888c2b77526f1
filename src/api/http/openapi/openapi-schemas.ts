import { NAMED_SCHEMAS } from '#src/api/http/openapi/named-schemas.ts'

/** A schema as it is shown. */
export type JsonSchema = Record<string, unknown>

/** Keywords that only our own validation and the tools read. */
const OWN = new Set(['patternMessage', 'inTools', 'named'])
const NAME = /^[A-Z]\w*$/

/** The schemas of a document: what has a title appears once, among the components, and is referred to. */
export class OpenApiSchemas {
  readonly components: Record<string, JsonSchema> = {}
  private readonly sources = new Map<string, string>()

  /** The schema for use in a place of the document. */
  convert(schema: unknown): JsonSchema {
    return this.convertAny(schema) as JsonSchema
  }

  private convertAny(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.convertAny(each))
    if (typeof value !== 'object' || value === null) return value
    const { title, named, description } = value as JsonSchema
    if (typeof named === 'string')
      return { ...this.refer(named), ...(description !== undefined && { description }) }
    const source = JSON.stringify(value)
    const name = typeof title === 'string' && NAME.test(title) ? this.nameFor(title, source) : undefined
    if (name === undefined) return this.convertKeywords(value)
    if (!this.components[name]) {
      this.components[name] = {}
      this.components[name] = this.convertKeywords(value)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** To a schema that is in `NAMED_SCHEMAS`; what it refers to comes along. */
  private refer(name: string): JsonSchema {
    const schema = NAMED_SCHEMAS[name]
    if (!schema) throw new Error(`There is no named schema ${name}`)
    if (!this.components[name]) {
      this.components[name] = schema
      for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
        this.refer(other!)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Undefined where another schema has taken the title. */
  private nameFor(title: string, source: string): string | undefined {
    const known = this.sources.get(title) ?? source
    this.sources.set(title, known)
    return known === source ? title : undefined
  }

  private convertKeywords(schema: object): JsonSchema {
    return withFreeNames(
      Object.fromEntries(
        Object.entries(schema)
          .filter(([keyword]) => !OWN.has(keyword))
          .map(([keyword, value]) => [keyword, this.convertKeyword(keyword, value)]),
      ),
    )
  }

  private convertKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'examples' || keyword === 'default' || keyword === 'const' || keyword === 'enum')
      return value
    // The names of properties are no keywords.
    if (keyword === 'properties')
      return Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, this.convertAny(each)]),
      )
    return this.convertAny(value)
  }
}

const ANY_NAME = '^.*$'

/**
 * Generators of clients know no `patternProperties`, and take an object of which nothing is said for an empty one: both
 * are told by `additionalProperties`.
 */
function withFreeNames({ patternProperties, ...schema }: JsonSchema): JsonSchema {
  if (schema.type !== 'object') return patternProperties ? { ...schema, patternProperties } : schema
  const [[pattern, values] = [], ...others] = Object.entries(patternProperties ?? {})
  if (others.length) return { ...schema, patternProperties }
  if (pattern !== undefined)
    return {
      ...schema,
      ...(pattern !== ANY_NAME && { propertyNames: { pattern } }),
      additionalProperties: values,
    }
  return 'properties' in schema || 'additionalProperties' in schema
    ? schema
    : { ...schema, additionalProperties: true }
}

/** A value that the schema allows, from the examples in it. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, const: only, enum: choices, default: fallback, anyOf, type, properties, items } = schema
  if (Array.isArray(examples)) return examples[0]
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  if (fallback !== undefined) return fallback
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (type === 'null') return null
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, each]) => [
        name,
        exampleOf(each),
      ]),
    )
  if (type === 'array') return items ? [exampleOf(items as JsonSchema)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  return SIMPLE[type as string] ?? {}
}

const SIMPLE: Record<string, unknown> = { string: 'text', boolean: false }
