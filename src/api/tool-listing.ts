import { Type, type TObject } from 'typebox'
import type { Operation } from '#src/runtime/operation.ts'
import { After, Limit, NewTag } from '#src/operations/schemas/inputs.ts'
import { ONLY_THESE } from '#src/operations/select-properties.ts'
import { TOOL_PAGE } from '#src/operations/paging.ts'

/** The JSON Schema of a tool's arguments; an object without `anyOf` at its top. */
export type InputSchema = { type: 'object'; [keyword: string]: unknown }

type JsonSchema = Record<string, unknown>

/** What only our own validation and the API's document read, and limits that nobody meets: every client would pay for it. */
const OWN_KEYWORDS = new Set([
  'patternMessage',
  'examples',
  'title',
  'maxLength',
  'maxItems',
  'maxProperties',
  'inTools',
  'named',
  'brief',
])

/** What the id of something is, every tool says by itself. */
const ULID_REMARK = ' (ULID)'

/** Keywords of which the value holds schemas by name: the names are no keywords. */
const BY_NAME = new Set(['properties', 'patternProperties'])

/** The schema as it is listed; a new tag is described in full by add_tag alone (additions §12). */
function listedSchema(schema: unknown): unknown {
  if (schema === NewTag) return { type: 'object', description: 'What add_tag takes' }
  if (Array.isArray(schema)) return schema.map(listedSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { inTools, brief, type = 'object' } = schema as JsonSchema
  if (brief === true) return { type, description: inTools }
  const entries = Object.entries(choices(schema as JsonSchema))
    .filter(([keyword, value]) => isListed(keyword, value) && !(keyword === 'description' && inTools === ''))
    .map(([keyword, value]) => {
      if (keyword === 'description') return [keyword, inTools ?? (value as string).replace(ULID_REMARK, '')]
      return [
        keyword,
        BY_NAME.has(keyword)
          ? byName(value as JsonSchema, (each) => listedSchema(each))
          : listedSchema(value),
      ]
    })
  return Object.fromEntries(entries)
}

/** What is true anyway, or is said by a pattern or by us, need not be there. */
const isListed = (keyword: string, value: unknown): boolean =>
  !OWN_KEYWORDS.has(keyword) &&
  !(keyword === 'minLength' && value === 1) &&
  !(keyword === 'additionalProperties' && typeof value === 'boolean')

const byName = (schemas: JsonSchema, change: (schema: unknown, name: string) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, change(each, name)]))

/** One of several texts, in the shorter way of two, and with the type that some models want. */
function choices(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  // Of which properties an answer consists, it shows by itself.
  if (rest.inTools === ONLY_THESE) return { ...rest, items: { type: 'string' } }
  if (Array.isArray(rest.enum) && !rest.type) return { type: 'string', ...rest }
  if (!Array.isArray(anyOf)) return rest
  const texts = anyOf.map((each: JsonSchema) => each.const)
  if (texts.every((text) => typeof text === 'string')) return { type: 'string', enum: texts, ...rest }
  const types = anyOf.map(({ type, properties, items }: JsonSchema) =>
    properties || items ? undefined : type,
  )
  return types.every((type) => typeof type === 'string') && texts.every((text) => text === undefined)
    ? { type: [...new Set(types)], ...rest }
    : { anyOf, ...rest }
}

/** A schema that is described elsewhere is left out where it is longer than this. */
const WORTH_TELLING_ONCE = 110

/** The schema of a tool's arguments. That it knows no others, the service says where it meets one, not every listing. */
export function inputSchema(input: TObject): InputSchema {
  const { type: _, ...listed } = listedSchema(input) as JsonSchema
  return { type: 'object', ...listed }
}

/**
 * The tools as one list, which says each thing once (further §18): an argument that is described under its name by a tool
 * before it goes without a description.
 */
export function describedOnce<T extends { name: string; inputSchema: InputSchema }>(
  tools: readonly T[],
): T[] {
  const told = new DescribedOnce()
  return tools.map((tool) => ({ ...tool, inputSchema: told.shorten(tool.inputSchema, tool.name) }))
}

/** What is left of a schema that is described elsewhere: models want to know of what an array is. */
function bare({ type, items }: JsonSchema): JsonSchema {
  const { type: of } = (items ?? {}) as JsonSchema
  return { ...(type !== undefined && { type }), ...(type === 'array' && { items: of ? { type: of } : {} }) }
}

class DescribedOnce {
  /** The tool that had a text or a schema first. */
  private readonly told = new Map<string, string>()

  /** The schema of the next tool. */
  shorten(schema: InputSchema, tool: string): InputSchema {
    const { properties, ...rest } = schema
    return {
      ...rest,
      properties: byName(properties as JsonSchema, (each, name) => this.part(each, tool, name)),
    }
  }

  private part(schema: unknown, tool: string, name: string): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.part(each, tool, name))
    if (typeof schema !== 'object' || schema === null) return schema
    const text = JSON.stringify(schema)
    if (text.length > WORTH_TELLING_ONCE && this.isDescribed(text, tool)) return bare(schema as JsonSchema)
    return Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (keyword === 'description')
          return this.isDescribed(`${name}: ${String(value)}`, tool) ? [] : [[keyword, value]]
        if (BY_NAME.has(keyword))
          return [[keyword, byName(value as JsonSchema, (each, inner) => this.part(each, tool, inner))]]
        return [[keyword, this.part(value, tool, name)]]
      }),
    )
  }

  private isDescribed(text: string, tool: string): boolean {
    const by = this.told.get(text)
    if (by === undefined) this.told.set(text, tool)
    return by !== undefined && by !== tool
  }
}

/** What a model reads of a tool. */
export function toolDescription(operation: Operation): string {
  const { summary, description, tool_description, example, input, paged } = operation
  const order = paged && sortsByKeys(input) ? 'Newest first unless `sort` is given.' : ''
  const given = shortIds(JSON.stringify(example?.input ?? {}))
  const shown = saysMore(given) ? `Example: ${given}` : ''
  return [summary, [order, tool_description ?? description].filter(Boolean).join(' '), shown]
    .filter(Boolean)
    .join('\n')
}

/** Not of an example of ids, numbers and switches alone. */
const saysMore = (example: string) => /"[a-z_]+":(?!(?:"01JJX…"|true|\d+)[,}])/.test(example)

/** Views sort by a word, and come oldest first without it. */
export const sortsByKeys = ({ properties }: Operation['input']): boolean =>
  properties.sort !== undefined && 'type' in properties.sort && properties.sort.type === 'array'

/** Of ids in an example the beginning will do. */
const shortIds = (text: string) =>
  text.replaceAll(/(?<=")(0[0-9A-HJKMNP-TV-Z]{4})[0-9A-HJKMNP-TV-Z]{21}(?=")/g, '$1…')

/** Limit and cursor in a tool's words: REST's speak of headers. */
export function pagedInput(input: TObject): TObject {
  const only = input.properties.skip ? '; 0 with count only counts' : ''
  const given = (input.properties.limit ?? Limit) as typeof Limit
  const limit = Type.Unsafe<number>({
    ...given,
    description: `Default ${TOOL_PAGE}${only}`,
  })
  const after = Type.Unsafe<string>({ ...After, description: 'next.after of the page before' })
  const properties = { ...input.properties, limit: Type.Optional(limit), after: Type.Optional(after) }
  return Type.Object(properties, { additionalProperties: false })
}

export function retryableInput(input: TObject): TObject {
  const idempotency_key = Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Repeated within 24 hours it changes nothing more',
  })
  return Type.Object(
    { ...input.properties, idempotency_key: Type.Optional(idempotency_key) },
    { additionalProperties: false },
  )
}
